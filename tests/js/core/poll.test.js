// A part of a page that follows the server: how often it asks, what it replaces, and when it ends.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { follow } from "../../../static/js/core/poll.js";
import { browser, FakeElement, fakeTime, json, page, pass, unreachable } from "../fakes.js";

let server;
let elements;
let assigned;
let document;

/** An element that is in the page under its id until another takes its place. */
function part(id, dataset, properties = {}) {
  const element = new FakeElement({ id, dataset, ...properties });
  element.contains = (other) => other === element || (element.fields ?? []).includes(other);
  element.replaceWith = (next) => {
    elements[id] = next;
    for (const field of element.fields ?? []) delete elements[field.id];
    for (const field of next.fields ?? []) elements[field.id] = field;
  };
  return element;
}

/** The browser's <template>: what a text stands for is said by the test. */
function answersHold(parts) {
  document.createElement = () => {
    const content = { querySelectorAll: () => [] };
    return {
      content,
      set innerHTML(html) {
        content.querySelectorAll = () => parts[html];
      },
    };
  };
}

beforeEach(() => {
  fakeTime();
  ({ server, elements, assigned, document } = browser());
  elements["job-7"] = part("job-7", { poll: "/jobs/7/", every: "300" });
  document.activeElement = new FakeElement();
});

test("it asks in JSON, as often as the part says, and shows what comes", async () => {
  answersHold({ "<1>": [part("job-7", { poll: "/jobs/7/", every: "1000" })] });
  server.answer(json({ html: "<1>" }), json({ next: "/projects/weibo/import/3/" }));
  follow("job-7");
  await pass(299);
  assert.equal(server.requests.length, 0);
  await pass(1);
  assert.deepEqual(
    server.requests.map(({ url, method, headers }) => [url, method, headers.Accept]),
    [["/jobs/7/", "GET", "application/json"]],
  );
  await pass(999);
  assert.equal(server.requests.length, 1, "the new part asks once a second");
  await pass(1);
  assert.equal(server.requests.length, 2);
});

test("it ends with the page that the answer leads to", async () => {
  server.answer(json({ next: "/projects/weibo/import/3/" }));
  follow("job-7");
  await pass(300);
  assert.deepEqual(assigned, ["/projects/weibo/import/3/"]);
  await pass(60_000);
  assert.equal(server.requests.length, 1);
});

test("it ends when its part has left the page", async () => {
  answersHold({ "<other>": [part("counts", {})] });
  elements.counts = part("counts", {});
  server.answer(json({ html: "<other>" }));
  follow("job-7");
  await pass(300);
  delete elements["job-7"];
  await pass(60_000);
  assert.equal(server.requests.length, 2, "one was on its way");
});

test("several parts go into their own places, and one that the page has not is passed over", async () => {
  const [line, table] = [part("counts-line", {}), part("counts-table", {})];
  Object.assign(elements, { "counts-line": part("counts-line", {}), "counts-table": part("counts-table", {}) });
  answersHold({ "<counts>": [line, table, part("elsewhere", {})] });
  server.answer(json({ html: "<counts>" }));
  follow("job-7");
  await pass(300);
  assert.equal(elements["counts-line"], line);
  assert.equal(elements["counts-table"], table);
  assert.equal(elements.elsewhere, undefined);
});

test("after errors it asks half as often each time, at least twice a minute, and goes on as before", async () => {
  answersHold({ "<1>": [part("job-7", { poll: "/jobs/7/", every: "300" })] });
  server.answer(unreachable(), page(503), page(502), json({ html: "<1>" }));
  follow("job-7");
  await pass(300);
  await pass(599);
  assert.equal(server.requests.length, 1);
  await pass(1);
  assert.equal(server.requests.length, 2);
  await pass(1200);
  await pass(2400);
  assert.equal(server.requests.length, 4);
  await pass(300);
  assert.equal(server.requests.length, 5, "the one that was answered is followed at the old pace");
  for (let count = 0; count < 10; count += 1) await pass(30_000);
  const before = server.requests.length;
  await pass(30_000);
  assert.equal(server.requests.length, before + 1);
});

test("who is signed out by now is led to the page itself, and so to sign in and back", async () => {
  Object.assign(location, { pathname: "/projects/weibo/", search: "?page=2" });
  server.answer(json({ detail: "signed out" }, 401));
  follow("job-7");
  await pass(300);
  assert.deepEqual(assigned, ["/projects/weibo/?page=2"]);
});

test("what has the focus in a part keeps it", async () => {
  const [old, fresh] = ["cancel", "cancel"].map((id) => new FakeElement({ id }));
  const focused = [];
  fresh.focus = (options) => focused.push(options);
  elements["job-7"].fields = [old];
  document.activeElement = old;
  answersHold({ "<1>": [part("job-7", { poll: "/jobs/7/", every: "300" }, { fields: [fresh] })] });
  server.answer(json({ html: "<1>" }));
  follow("job-7");
  await pass(300);
  assert.deepEqual(focused, [{ preventScroll: true }]);
});
