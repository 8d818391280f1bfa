// A draft on its way to the server: when it is saved, what happens to it offline, and that it never writes over a newer one.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Draft, forgetDraft } from "../../../static/js/core/draft.js";
import { browser, fakeTime, json, later, pass, redirected, settle, unreachable } from "../fakes.js";

const NAME = "draft/7/3";
const REST = 1200; // milliseconds after the last letter

let server;
let window;
let document;
let text; // what stands on the page

beforeEach(() => {
  fakeTime();
  ({ server, window, document } = browser());
  text = "";
});

/** A draft that writes down what it tells. */
function draftOf(revision = 5) {
  const draft = new Draft({ url: "/items/3/save/", name: NAME, revision, read: () => ({ text }) });
  const told = [];
  for (const type of ["stored", "arrived", "stale", "refused"]) draft.addEventListener(type, () => told.push(type));
  return { draft, told };
}

function type(draft, words) {
  text = words;
  draft.changed();
}

const stored = (revision) => json({ revision, saved_at: "2026-01-05T09:00:00Z" });
const kept = () => JSON.parse(localStorage.getItem(NAME));
const asksBeforeLeaving = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
const sent = () => server.bodies.map(({ text: words, revision }) => [words, revision]);

// ---- saving ---------------------------------------------------------------------------------------------------------

test("it is saved a moment after the last letter, once, with the revision it was made from", async () => {
  server.answer(stored(6));
  const { draft, told } = draftOf();
  type(draft, "H");
  await pass(REST - 1);
  type(draft, "Hello");
  await pass(REST - 1);
  assert.deepEqual(sent(), []);
  await pass(1);
  assert.deepEqual(sent(), [["Hello", 5]]);
  assert.deepEqual([told, draft.revision, draft.isUnsaved], [["stored"], 6, false]);
  await pass(60_000);
  assert.equal(server.requests.length, 1, "nothing changed since");
});

test("it is kept in the browser from the first letter until the server has stored it", async () => {
  server.answer(stored(6));
  const { draft } = draftOf();
  assert.equal(draft.kept, null);
  type(draft, "H");
  assert.deepEqual(draft.kept, { revision: 5, keys: [], at: Date.now(), body: { text: "H" } });
  await pass(REST);
  assert.equal(draft.kept, null);
});

test("what is typed while a save is on its way is saved after it, from the new revision", async () => {
  const first = later();
  server.answer(first.promise, stored(7));
  const { draft } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  type(draft, "Hello there");
  first.answer(stored(6));
  await settle();
  assert.deepEqual(kept().body, { text: "Hello there" });
  await pass(REST);
  assert.deepEqual(sent(), [
    ["Hello", 5],
    ["Hello there", 6],
  ]);
  assert.equal(draft.kept, null);
});

test("saving now waits for the save that is on its way", async () => {
  const first = later();
  server.answer(first.promise, stored(7));
  const { draft } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  type(draft, "Hello there");
  draft.saveNow();
  await pass(50);
  assert.equal(server.requests.length, 1);
  first.answer(stored(6));
  await pass(50);
  assert.deepEqual(sent().at(-1), ["Hello there", 6]);
});

for (const [name, leave] of [
  ["the page is left", () => window.dispatchEvent(new Event("pagehide"))],
  [
    "the page goes out of sight",
    () => {
      document.visibilityState = "hidden";
      document.dispatchEvent(new Event("visibilitychange"));
    },
  ],
]) {
  test(`what was typed last is sent when ${name}, and outlives the page`, async () => {
    server.answer(stored(6));
    const { draft } = draftOf();
    type(draft, "Typed a moment ago");
    leave();
    await settle();
    assert.deepEqual(
      server.requests.map(({ keepalive }) => keepalive),
      [true],
    );
    assert.deepEqual(sent(), [["Typed a moment ago", 5]]);
  });
}

// ---- a lost connection ----------------------------------------------------------------------------------------------

test("offline it waits, stays in the browser, and asks again after ever longer pauses", async () => {
  const { draft } = draftOf();
  type(draft, "Written in a tunnel");
  await pass(REST);
  assert.deepEqual([draft.trouble, draft.entries.length, kept().body.text], ["unreachable", 1, "Written in a tunnel"]);
  for (const pause of [1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = server.requests.length;
    await pass(pause);
    assert.equal(server.requests.length, before + 1, `after ${pause} ms`);
  }
});

test("once the connection is back it is saved at once, and that is said", async () => {
  const { draft, told } = draftOf();
  type(draft, "Written in a tunnel");
  await pass(REST);
  server.answer(stored(6));
  window.dispatchEvent(new Event("online"));
  await settle();
  assert.deepEqual([told, draft.trouble, draft.entries, draft.kept], [["stored", "arrived"], "", [], null]);
});

test("a lost connection is said before anything was sent, if something is to be sent", () => {
  const { draft } = draftOf();
  window.dispatchEvent(new Event("offline"));
  assert.equal(draft.trouble, "");
  type(draft, "H");
  window.dispatchEvent(new Event("offline"));
  assert.equal(draft.trouble, "unreachable");
});

test("the draft of a person who is signed out waits until they are signed in", async () => {
  server.answer(redirected(), stored(6));
  const { draft, told } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  assert.equal(draft.trouble, "signed-out");
  await pass(1000);
  assert.deepEqual([told, draft.trouble], [["stored", "arrived"], ""]);
});

test("the draft of a person who was removed waits until they are a member again", async () => {
  server.answer(json({ code: "role_ended" }, 403), stored(6));
  const { draft, told } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  assert.deepEqual([draft.trouble, draft.isKept], ["role-ended", true]);
  await pass(1000);
  assert.deepEqual([told, draft.trouble], [["stored", "arrived"], ""]);
});

test("with a full disk it lives as long as the page", async () => {
  localStorage.isFull = true;
  server.answer(stored(6));
  const { draft, told } = draftOf();
  type(draft, "Hello");
  assert.equal(draft.kept, null);
  await pass(REST);
  assert.deepEqual(told, ["stored"]);
});

// ---- another page ---------------------------------------------------------------------------------------------------

const stale = (revision, save_key = "of another page") =>
  json({ code: "stale", revision, save_key, saved_at: "2026-01-05T09:00:00Z" }, 409);

test("over a newer draft of another page nothing is written: it is told, and what is typed is kept here", async () => {
  server.answer(stale(9), stale(9));
  const { draft, told } = draftOf();
  type(draft, "From this one");
  await pass(REST);
  type(draft, "From this one, more");
  await pass(60_000);
  assert.deepEqual(told, ["stale"]);
  assert.deepEqual(sent(), [
    ["From this one", 5],
    ["From this one, more", 5],
  ]);
  assert.deepEqual(kept().body, { text: "From this one, more" });
  assert.deepEqual([draft.trouble, draft.entries.length, asksBeforeLeaving()], ["stale", 1, true]);
});

test("what was typed in a conflict comes back in the next page, in the same conflict", async () => {
  server.answer(stale(9), stale(9));
  const { draft } = draftOf();
  type(draft, "From this one");
  await pass(REST);
  type(draft, "From this one, more");
  const { draft: next, told } = draftOf(9);
  text = next.kept.body.text;
  await next.resume(next.kept);
  assert.deepEqual([sent().at(-1), told], [["From this one, more", 5], ["stale"]]);
  assert.deepEqual(kept().body, { text: "From this one, more" });
});

test("a text that becomes the stored one ends the conflict", async () => {
  server.answer(stale(9), stored(9), stored(10));
  const { draft, told } = draftOf();
  type(draft, "From this one");
  await pass(REST);
  type(draft, "From the other one");
  await pass(REST);
  assert.deepEqual([told, draft.trouble, draft.kept], [["stale", "stored"], "", null]);
  await draft.takeOver();
  assert.equal(server.requests.length, 2, "nothing is left to take over");
  type(draft, "And on");
  await pass(REST);
  assert.deepEqual(sent().at(-1), ["And on", 9]);
});

test("who takes over while a save is on its way waits for its answer", async () => {
  const second = later();
  server.answer(stale(9), second.promise, stored(10));
  const { draft, told } = draftOf();
  type(draft, "From this one");
  await pass(REST);
  type(draft, "From this one, more");
  await pass(REST);
  draft.takeOver();
  second.answer(stale(9));
  await pass(50);
  assert.deepEqual(sent().at(-1), ["From this one, more", 9]);
  assert.deepEqual([told, draft.trouble], [["stale", "stored"], ""]);
});

test("who takes over writes over the draft that was told, and only over that one", async () => {
  server.answer(stale(9), stale(11), stored(12), stored(13));
  const { draft, told } = draftOf();
  type(draft, "From this one");
  await pass(REST);
  await draft.takeOver();
  assert.deepEqual(told, ["stale", "stale"], "a third device has saved in between");
  await draft.takeOver();
  assert.deepEqual(sent(), [
    ["From this one", 5],
    ["From this one", 9],
    ["From this one", 11],
  ]);
  assert.deepEqual(
    server.bodies.map(({ takes_over }) => takes_over),
    [undefined, true, true],
  );
  assert.deepEqual([told.at(-1), draft.trouble], ["stored", ""]);
  type(draft, "And on");
  await pass(REST);
  assert.deepEqual(sent().at(-1), ["And on", 12], "saving goes on");
  assert.equal(server.bodies.at(-1).takes_over, undefined);
});

test("a save whose answer was lost is no conflict for the page that sent it", async () => {
  const { draft, told } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  const [{ save_key }] = server.bodies;
  server.answer(stale(6, save_key), stored(7));
  type(draft, "Hello there");
  await pass(REST);
  assert.deepEqual(sent().slice(1), [
    ["Hello there", 5],
    ["Hello there", 6],
  ]);
  assert.deepEqual([told, draft.kept], [["stored", "arrived"], null]);
});

test("nor for the page that goes on with what was kept", async () => {
  const lost = later();
  server.answer(lost.promise);
  const { draft } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  type(draft, "Hello there"); // and the page is closed before the answer
  server.answer(stale(6, server.bodies[0].save_key), stored(7));
  const { draft: next, told } = draftOf(6);
  text = next.kept.body.text;
  await next.resume(next.kept);
  assert.deepEqual([told, sent().at(-1)], [["stored"], ["Hello there", 6]]);
});

test("a draft that the server does not take is sent again once it has changed", async () => {
  server.answer(json({ code: "too_long", message: "It is too long." }, 409), stored(6));
  const { draft, told } = draftOf();
  type(draft, "Hello, hello");
  await pass(REST);
  await pass(60_000);
  assert.deepEqual([told, server.requests.length, kept().body.text], [["refused"], 1, "Hello, hello"]);
  type(draft, "Hello");
  await pass(REST);
  assert.deepEqual([told.at(-1), draft.trouble, draft.kept], ["stored", "", null]);
});

test("a page that gives the work to another tab saves first, then leaves alone what the browser keeps", async () => {
  const first = later();
  server.answer(first.promise);
  const { draft } = draftOf();
  type(draft, "Hello");
  draft.giveUp();
  type(draftOf().draft, "Hello from the other tab");
  first.answer(stored(6));
  await settle();
  assert.deepEqual([sent(), kept().body.text], [[["Hello", 5]], "Hello from the other tab"]);
});

// ---- leaving --------------------------------------------------------------------------------------------------------

test("leaving asks only while something is not stored", async () => {
  server.answer(stored(6));
  const { draft } = draftOf();
  assert.equal(asksBeforeLeaving(), false);
  type(draft, "Hello");
  assert.equal(asksBeforeLeaving(), true);
  await pass(REST);
  assert.equal(asksBeforeLeaving(), false);
});

// ---- handing in -----------------------------------------------------------------------------------------------------

test("handing in sends what stands there, saves nothing in between, and forgets the draft", async () => {
  server.answer(json({ next: "/next/" }));
  const { draft } = draftOf();
  type(draft, "Done");
  const { outcome, answer } = await draft.deliver("/items/3/submit/", { reason: "none" });
  assert.deepEqual([outcome, answer.next], ["stored", "/next/"]);
  await pass(60_000);
  assert.deepEqual(
    server.requests.map(({ url, body }) => [url, body]),
    [["/items/3/submit/", { text: "Done", reason: "none", revision: 5, save_key: server.bodies[0].save_key }]],
  );
  assert.equal(draft.kept, null);
});

test("handing in waits for the save that is on its way", async () => {
  const first = later();
  server.answer(first.promise, json({ next: "/next/" }));
  const { draft } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  const handedIn = draft.deliver("/items/3/submit/");
  await pass(200);
  assert.equal(server.requests.length, 1);
  first.answer(stored(6));
  await pass(50);
  await handedIn;
  assert.deepEqual(sent(), [
    ["Hello", 5],
    ["Hello", 6],
  ]);
});

test("who takes the draft over learns by which keys the server may have stored it, and this page saves it no more", async () => {
  const first = later();
  server.answer(first.promise);
  const { draft } = draftOf();
  type(draft, "Hello");
  await pass(REST);
  type(draft, "Hello there");
  const { keys, body } = draft.handOver();
  assert.deepEqual([body.text, body.revision], ["Hello there", 5]);
  assert.ok(keys.includes(server.bodies[0].save_key) && keys.includes(body.save_key));
  first.answer(stored(6));
  await pass(60_000);
  assert.equal(server.requests.length, 1);
  assert.deepEqual([kept().body, kept().keys], [{ text: "Hello there" }, keys]);
  forgetDraft(NAME);
  assert.equal(draft.kept, null);
});

test("what could not be handed in is saved as a draft after all", async () => {
  server.answer(unreachable(), stored(6));
  const { draft, told } = draftOf();
  type(draft, "Done");
  const { outcome } = await draft.deliver("/items/3/submit/");
  assert.equal(outcome, "unreachable");
  assert.deepEqual(kept().body, { text: "Done" });
  await pass(REST);
  assert.deepEqual([told, server.requests.at(-1).url], [["stored"], "/items/3/save/"]);
});

test("what is refused but kept as a draft counts as saved", async () => {
  const saved_at = "2026-01-05T09:00:00Z";
  server.answer(stored(6), json({ kept: true, revision: 7, flaws: [], saved_at }, 409), stored(8));
  const { draft, told } = draftOf();
  type(draft, "Half done");
  await pass(REST);
  const { outcome } = await draft.deliver("/items/3/submit/");
  assert.deepEqual([outcome, told, draft.kept], ["refused", ["stored", "stored"], null]);
  type(draft, "Nearly done");
  await pass(REST);
  assert.deepEqual(sent().at(-1), ["Nearly done", 7]);
});
