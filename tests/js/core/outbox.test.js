// What a person wrote on its way to the server: what is sent, in which order, and what is kept when it does not arrive.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Outbox, post, waiting } from "../../../static/js/core/outbox.js";
import { browser, FakeStorage, fakeTime, json, later, page, pass, redirected, settle, unreachable } from "../fakes.js";

const NAME = "outbox/7";
const STORED = { saved_at: "2026-01-05T09:00:00Z" };

let server;
let window;

beforeEach(() => {
  fakeTime();
  ({ server, window } = browser());
});

/** An outbox that writes down what it tells. */
function outboxOf(name = NAME) {
  const outbox = new Outbox(name);
  const told = [];
  for (const type of ["stored", "refused", "arrived"]) {
    outbox.addEventListener(type, ({ detail }) => told.push([type, detail.count ?? detail.entry.body.grade]));
  }
  return { outbox, told };
}

function grade(outbox, number) {
  outbox.add(
    `/projects/weibo/rate/${number}/grade/`,
    { grade: number },
    { kind: "grade", pair: { assignment: number } },
  );
}

const kept = () => Object.keys(localStorage).length;

// ---- one request ----------------------------------------------------------------------------------------------------

test("a request is JSON with the token of the form and the person of the page", async () => {
  ({ server } = browser({ cookie: "theme=dark; csrftoken=abc123; timezone=UTC", person: "42" }));
  server.answer(json(STORED));
  assert.deepEqual(await post("/projects/weibo/rate/1/grade/", { grade: 4 }), { outcome: "stored", answer: STORED });
  assert.deepEqual(server.requests, [
    {
      url: "/projects/weibo/rate/1/grade/",
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": "abc123", "X-Person": "42" },
      body: { grade: 4 },
      keepalive: false,
    },
  ]);
});

test("where people take part without an account no person is named", async () => {
  server.answer(json(STORED));
  await post("/take/x/", {});
  assert.equal("X-Person" in server.requests[0].headers, false);
});

const OUTCOMES = [
  ["an answer of ours", json({ next: "/" }), { outcome: "stored", answer: { next: "/" } }],
  ["a page of a gateway in the server's place", page(200), { outcome: "unreachable" }],
  ["a refusal with its code", json({ code: "stale" }, 409), { outcome: "refused", answer: { code: "stale" } }],
  ["a refusal without words", page(400), { outcome: "refused", answer: {} }],
  ["the way to the sign-in page", redirected(), { outcome: "signed-out" }],
  ["somebody else is signed in by now", json({}, 403), { outcome: "signed-out" }],
  ["the person was removed", json({ code: "role_ended" }, 403), { outcome: "role-ended" }],
  ["a page that is not for the person", page(403), { outcome: "signed-out" }],
  ["no connection", unreachable(), { outcome: "unreachable" }],
  ...[408, 425, 429, 500, 502, 503, 504].map((status) => [
    `status ${status}`,
    page(status),
    { outcome: "unreachable" },
  ]),
];

for (const [name, answer, expected] of OUTCOMES) {
  test(`what becomes of a request: ${name}`, async () => {
    server.answer(answer);
    assert.deepEqual(await post("/projects/weibo/rate/1/grade/", {}), expected);
  });
}

// ---- order and keys -------------------------------------------------------------------------------------------------

test("pieces go out one by one in the order in which they were written", async () => {
  const first = later();
  server.answer(first.promise, json(STORED), json(STORED));
  const { outbox, told } = outboxOf();
  for (const number of [4, 5, 3]) grade(outbox, number);
  await settle();
  assert.deepEqual(
    server.bodies.map((body) => body.grade),
    [4],
    "the others wait for its answer",
  );
  assert.equal(kept(), 3);
  first.answer(json(STORED));
  await settle();
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ["/projects/weibo/rate/4/grade/", "/projects/weibo/rate/5/grade/", "/projects/weibo/rate/3/grade/"],
  );
  assert.deepEqual(told, [
    ["stored", 4],
    ["stored", 5],
    ["stored", 3],
  ]);
  assert.deepEqual([outbox.entries, kept()], [[], 0]);
});

test("each piece has a key of its own, the same each time that it is sent", async () => {
  server.answer(unreachable(), json(STORED), json(STORED));
  const { outbox } = outboxOf();
  grade(outbox, 4);
  grade(outbox, 5);
  await pass(1000);
  const [lost, again, other] = server.bodies.map(({ key }) => key);
  assert.match(lost, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(again, lost);
  assert.notEqual(other, lost);
});

test("what belongs to no assignment is neither kept nor sent", async () => {
  const { outbox } = outboxOf();
  outbox.add("/nowhere/", {}, { kind: "grade", pair: { grade: 4 } });
  outbox.add("/nowhere/", {}, { kind: "grade" });
  await settle();
  assert.deepEqual([outbox.entries, kept(), server.requests], [[], 0, []]);
});

test("a piece that is refused is told and given up, and the next one goes out", async () => {
  server.answer(json({ code: "already_rated" }, 409), json(STORED));
  const { outbox, told } = outboxOf();
  grade(outbox, 4);
  grade(outbox, 5);
  await settle();
  assert.deepEqual(told, [
    ["refused", 4],
    ["stored", 5],
  ]);
  assert.deepEqual([outbox.trouble, kept()], ["", 0]);
});

// ---- a lost connection ----------------------------------------------------------------------------------------------

test("without a connection everything is kept, and asked again after ever longer pauses", async () => {
  const { outbox } = outboxOf();
  grade(outbox, 4);
  grade(outbox, 5);
  await settle();
  assert.deepEqual([outbox.trouble, outbox.entries.length, kept()], ["unreachable", 2, 2]);
  for (const pause of [1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = server.requests.length;
    await pass(pause - 1);
    assert.equal(server.requests.length, before);
    await pass(1);
    assert.equal(server.requests.length, before + 1, `after ${pause} ms`);
  }
  assert.deepEqual(new Set(server.bodies.map((body) => body.grade)), new Set([4]), "the second never overtakes");
});

test("once the connection is back all is sent at once, and said how many had waited", async () => {
  const { outbox, told } = outboxOf();
  for (const number of [4, 5, 3]) grade(outbox, number);
  await settle();
  server.answer(json(STORED), json({ code: "gone" }, 409), json(STORED));
  window.dispatchEvent(new Event("online"));
  await settle();
  assert.deepEqual(told, [
    ["stored", 4],
    ["refused", 5],
    ["stored", 3],
    ["arrived", 2],
  ]);
  assert.deepEqual([outbox.trouble, outbox.entries, kept()], ["", [], 0]);
});

test("the pause is short again after an answer", async () => {
  server.answer(unreachable(), unreachable(), json(STORED), unreachable(), json(STORED));
  const { outbox } = outboxOf();
  grade(outbox, 4);
  await pass(1000);
  await pass(2000);
  assert.equal(outbox.entries.length, 0);
  grade(outbox, 5);
  await pass(1000);
  assert.equal(outbox.entries.length, 0);
});

test("what arrives without trouble is not said to have been held up", async () => {
  server.answer(json(STORED));
  const { outbox, told } = outboxOf();
  grade(outbox, 4);
  await settle();
  assert.deepEqual(told, [["stored", 4]]);
});

test("a browser that says it is offline is in trouble at once, also with nothing to send", async () => {
  const { outbox } = outboxOf();
  navigator.onLine = false;
  window.dispatchEvent(new Event("offline"));
  assert.equal(outbox.trouble, "unreachable");
  await pass(1000);
  assert.equal(outbox.trouble, "unreachable");
  navigator.onLine = true;
  window.dispatchEvent(new Event("online"));
  await settle();
  assert.equal(outbox.trouble, "");
});

test("work of a person who is signed out waits until they are signed in", async () => {
  server.answer(redirected(), json(STORED));
  const { outbox, told } = outboxOf();
  grade(outbox, 4);
  await settle();
  assert.deepEqual([outbox.trouble, kept()], ["signed-out", 1]);
  await pass(1000);
  assert.deepEqual([outbox.trouble, kept()], ["", 0]);
  assert.deepEqual(told, [
    ["stored", 4],
    ["arrived", 1],
  ]);
});

test("work of a person who was removed waits until they are a member again", async () => {
  server.answer(json({ code: "role_ended" }, 403), json(STORED));
  const { outbox, told } = outboxOf();
  grade(outbox, 4);
  await settle();
  assert.deepEqual([outbox.trouble, kept()], ["role-ended", 1]);
  await pass(1000);
  assert.deepEqual([outbox.trouble, kept()], ["", 0]);
  assert.deepEqual(told, [
    ["stored", 4],
    ["arrived", 1],
  ]);
});

// ---- what a browser keeps -------------------------------------------------------------------------------------------

test("what an earlier visit left is sent first, with what was done", async () => {
  const { outbox: before } = outboxOf();
  grade(before, 4);
  grade(before, 5);
  await settle();
  const left = { ...localStorage };
  ({ server } = browser());
  Object.assign(localStorage, left);
  server.answer(json(STORED), json(STORED), json(STORED));
  const { outbox } = outboxOf();
  assert.deepEqual(
    outbox.entries.map(({ about }) => about),
    [4, 5].map((assignment) => ({ kind: "grade", pair: { assignment } })),
  );
  grade(outbox, 3);
  await settle();
  assert.deepEqual(
    server.bodies.map((body) => body.grade),
    [4, 5, 3],
  );
  assert.equal(kept(), 0);
});

test("each person's and each page's work is counted by itself", async () => {
  const { outbox } = outboxOf("rate/7");
  grade(outbox, 4);
  grade(outbox, 5);
  const { outbox: other } = outboxOf("rate/71");
  grade(other, 3);
  await settle();
  assert.deepEqual([waiting("rate/7"), waiting("rate/71"), waiting("rate/8")], [2, 1, 0]);
});

test("with a full disk a piece lives as long as the page", async () => {
  localStorage.isFull = true;
  const { outbox } = outboxOf();
  grade(outbox, 4);
  await settle();
  assert.deepEqual([outbox.entries.length, kept()], [1, 0]);
  server.answer(json(STORED));
  await pass(1000);
  assert.equal(outbox.entries.length, 0);
});

test("a browser that forbids storage only forgets", () => {
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new Error("SecurityError");
    },
    configurable: true,
  });
  const { outbox } = outboxOf();
  assert.deepEqual([outbox.entries, waiting(NAME)], [[], 0]);
});

test("a page that was asked for before the last answer may be older than what is stored", async () => {
  fakeTime(Math.ceil(performance.timeOrigin) + 60_000);
  server.answer(json(STORED));
  const { outbox } = outboxOf();
  assert.equal(outbox.isAheadOfPage, false);
  grade(outbox, 4);
  await settle();
  assert.equal(outbox.isAheadOfPage, false, "its own answer does not make a page old");
  assert.equal(outboxOf().outbox.isAheadOfPage, true, "the answer to an earlier page does");
  assert.equal(outboxOf().outbox.isAheadOfPage, false, "once: after a clock was set back it would not end");
  assert.equal(outboxOf("another").outbox.isAheadOfPage, false);
  globalThis.sessionStorage = new FakeStorage({ [`${NAME}:answered`]: String(performance.timeOrigin - 1) });
  assert.equal(outboxOf().outbox.isAheadOfPage, false, "the page was asked for after it");
});

test("a page before which nothing was answered is not old, even in a browser that tells no time of its beginning", () => {
  const { timeOrigin } = performance;
  Object.defineProperty(performance, "timeOrigin", { value: 0, configurable: true });
  const { isAheadOfPage } = outboxOf().outbox;
  Object.defineProperty(performance, "timeOrigin", { value: timeOrigin, configurable: true });
  assert.equal(isAheadOfPage, false);
});
