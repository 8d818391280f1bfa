// The way back to the platform at the end: by itself, once, and only when every answer is confirmed.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { returnBySelf } from "../../../static/js/survey/return.js";
import { browser, FakeElement, fakeTime, pass } from "../fakes.js";

const OUTBOX = "survey/p1";
let left;
let notice;
let stay;
let storage;

beforeEach(() => {
  fakeTime();
  [notice, stay, left] = [new FakeElement({ hidden: true }), new FakeElement(), 0];
  notice.querySelector("p").dataset.text = "{seconds} seconds";
  ({ storage } = browser({ elements: { returning: notice, stay } }));
});

const begin = () => returnBySelf(OUTBOX, () => (left += 1));

test("it counts down, leaves once, and not again on a second visit", async () => {
  begin();
  assert.equal(notice.hidden, false);
  assert.equal(notice.querySelector("p").textContent, "10 seconds");
  await pass(9000);
  assert.equal(left, 0);
  await pass(5000);
  assert.equal(left, 1);
  begin();
  await pass(20_000);
  assert.equal(left, 1);
});

test("while an answer waits in this browser nothing happens", async () => {
  storage.setItem(`${OUTBOX}/0001`, JSON.stringify({ url: "/", body: {}, about: {} }));
  begin();
  await pass(20_000);
  assert.deepEqual([left, notice.hidden], [0, true]);
});

test("who stays is not taken away, then or later", async () => {
  begin();
  stay.dispatchEvent(new Event("click"));
  await pass(20_000);
  begin();
  await pass(20_000);
  assert.deepEqual([left, notice.hidden], [0, true]);
});
