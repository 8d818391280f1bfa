// What a page notes beside the answers: counts and times, given once with the next answer.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { watch } from "../../../static/js/survey/behaviour.js";
import { browser } from "../fakes.js";

let document;
let window;
let now;

beforeEach(() => {
  ({ document, window } = browser());
  now = 0;
  Object.defineProperty(globalThis, "performance", { value: { now: () => now }, configurable: true });
});

const say = (target, ...types) => types.map((type) => target.dispatchEvent(new Event(type)));

test("a page that is not left notes nothing", () => {
  assert.equal(watch()(), undefined);
});

test("leaving and coming back are counted, with the time between, and given once", () => {
  const take = watch();
  say(window, "blur");
  now = 2500.4;
  say(window, "focus");
  say(document, "copy", "paste", "paste");
  assert.deepEqual(take(), { blur: 1, focus: 1, away_ms: 2500, copy: 1, paste: 2 });
  assert.equal(take(), undefined);
});

test("a browser that a program drives says so once", () => {
  navigator.webdriver = true;
  const take = watch();
  assert.deepEqual(take(), { webdriver: 1 });
  assert.equal(take(), undefined);
});
