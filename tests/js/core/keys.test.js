// Which key presses are shortcuts, and which belong to a text field or an input method.

import assert from "node:assert/strict";
import { test } from "node:test";

import { areSingleKeysOff, followTheSwitch, isSingle, isTyping } from "../../../static/js/core/keys.js";
import { browser, FakeElement } from "../fakes.js";

/** An element that is within a text field, or not. */
const element = (isField) => ({ closest: () => (isField ? {} : null) });

for (const [name, event, expected] of [
  ["a key on a page", { target: element(false) }, false],
  ["a key in a text field", { target: element(true) }, true],
  ["a key while an input method composes", { target: element(false), isComposing: true }, true],
  ["a key that an input method took", { target: element(false), keyCode: 229 }, true],
  ["a key on the document itself, which has no closest", { target: {} }, false],
]) {
  test(`${name} is ${expected ? "" : "not "}typing`, () => assert.equal(isTyping(event), expected));
}

for (const [printed, expected] of [
  ["X", true],
  ["Q W", true],
  ["1 – 5", true],
  ["−2 – 2", true],
  ["?", true],
  ["Esc", false],
  ["Ctrl ↵", false],
  ["← → Enter", false],
  ["F2", false],
]) {
  test(`${printed} is ${expected ? "" : "not "}of single keys alone`, () => assert.equal(isSingle(printed), expected));
}

test("where storage is forbidden, the switch of single keys holds as long as the page", () => {
  const keys = new FakeElement({ checked: false });
  const { document } = browser();
  document.querySelector = () => keys;
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new Error("SecurityError");
    },
    configurable: true,
  });
  followTheSwitch();
  assert.equal(keys.checked, true);
  keys.checked = false;
  keys.dispatchEvent(new Event("change"));
  assert.equal(areSingleKeysOff(), true);
});
