// Presses that came instead of what they meant: a key that bounces, a finger that taps twice.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { browser } from "../fakes.js";

let bounce;
let window;
let now;

before(async () => {
  ({ window } = browser());
  bounce = await import("../../../static/js/core/bounce.js");
});

beforeEach(() => {
  now = 1000;
  Object.defineProperty(performance, "now", { value: () => now, configurable: true });
  tap(-1000, -1000);
  key();
});

function tap(clientX, clientY) {
  window.dispatchEvent(Object.assign(new Event("pointerdown"), { clientX, clientY }));
}

function key(name) {
  window.dispatchEvent(Object.assign(new Event("keydown"), { key: name }));
}

test("a key that is pressed twice within 400 ms is a second press, and another key or a key after a tap is none", () => {
  const shownAt = now;
  key("Enter");
  now += 399;
  assert.equal(bounce.isSecondPress(shownAt), false);
  key("Enter");
  assert.equal(bounce.isSecondPress(shownAt), true);
  tap(10, 10);
  key("Enter");
  assert.equal(bounce.isSecondPress(shownAt), false);
  key("1");
  assert.equal(bounce.isSecondPress(shownAt), false);
  key("1");
  now += 1;
  assert.equal(bounce.isSecondPress(shownAt), false);
});

test("a key within 200 ms after its target appeared is a bounce", () => {
  const shownAt = now;
  key();
  now += 199;
  assert.equal(bounce.isBounce(shownAt), true);
  now += 1;
  assert.equal(bounce.isBounce(shownAt), false);
});

test("a second tap at one place within 400 ms is a bounce", () => {
  tap(100, 700);
  const shownAt = now;
  now += 399;
  tap(110, 690);
  assert.deepEqual([bounce.isBounce(shownAt), bounce.isSecondTap(shownAt)], [true, true]);
  now += 1;
  assert.deepEqual([bounce.isBounce(shownAt), bounce.isSecondTap(shownAt)], [false, false]);
});

test("a tap at another place is quick, not a slip", () => {
  tap(100, 700);
  const shownAt = now;
  now += 250;
  tap(100, 740);
  assert.deepEqual([bounce.isBounce(shownAt), bounce.isSecondTap(shownAt)], [false, false]);
});

test("two keys in a row are a skill, two taps at one place are none", () => {
  tap(100, 700);
  tap(100, 700);
  key();
  assert.equal(bounce.isSecondTap(now), false);
});
