// A slot of an own key: what it does with a press, and which slots have one key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clashes, countUnsaved, meant, Slot } from "../../../static/js/account/slot.js";
import { FakeElement } from "../fakes.js";

/** The slot of a shortcut with a usual key, which has this one now and had another one when the page was sent. */
function slot(usual, key = usual, stored = key) {
  const input = new FakeElement({ dataset: { usual }, value: key, placeholder: "none" });
  Object.defineProperty(input, "validity", {
    get: () => ({ patternMismatch: input.value !== "" && !/^[A-Za-z]$/.test(input.value) }),
  });
  return new Slot(input, stored);
}

function type(slot, typed) {
  slot.input.value = typed;
  slot.takeTyped();
}

for (const [key, more, whenListening, otherwise] of [
  ["j", {}, "", ""],
  ["Enter", {}, "keep", "listen"],
  ["Escape", {}, "keep", ""],
  ["Delete", {}, "none", "none"],
  ["Backspace", {}, "none", "none"],
  ["w", { ctrlKey: true }, "refuse", ""],
  ["q", { metaKey: true }, "refuse", ""],
  ["F5", {}, "refuse", ""],
  ["F", {}, "", ""],
  ["Tab", {}, "", ""],
  ["Control", { ctrlKey: true }, "", ""],
  ["Enter", { isComposing: true }, "", ""],
  ["Process", { keyCode: 229 }, "", ""],
]) {
  test(`${key} ${JSON.stringify(more)} asks what it should of a slot`, () => {
    assert.equal(meant({ key, ...more }, true), whenListening);
    assert.equal(meant({ key, ...more }, false), otherwise);
  });
}

test("a slot that listens shows so, and keeps its key or takes a letter", () => {
  const first = slot("A");
  first.listen("Press a key …");
  assert.deepEqual([first.input.value, first.input.placeholder, first.key], ["", "Press a key …", "A"]);
  first.keep();
  assert.deepEqual([first.input.value, first.input.placeholder, first.isChanged], ["A", "none", false]);
  first.listen("Press a key …");
  type(first, "j");
  assert.deepEqual([first.key, first.input.value, first.isListening, first.isChanged], ["J", "J", false, true]);
});

test("a slot goes on listening where an input method gives nothing, and one that is emptied has no key", () => {
  const first = slot("A");
  first.listen("Press a key …");
  type(first, "");
  assert.deepEqual([first.key, first.isListening], ["A", true]);
  first.keep();
  type(first, "");
  assert.deepEqual([first.key, first.isChanged], ["", true]);
});

for (const typed of ["5", "好", "é", "?"]) {
  test(`${typed} is refused, and the slot goes on as it was`, () => {
    const first = slot("A");
    first.listen("Press a key …");
    type(first, typed);
    assert.deepEqual([first.key, first.input.value, first.isListening, first.isRefused], ["A", "", true, true]);
    first.keep();
    assert.equal(first.isRefused, false);
  });
}

test("the key before is the one that a swap gives away", () => {
  const flag = slot("F");
  flag.take("X");
  flag.take("X");
  assert.equal(flag.before, "F");
  assert.equal(slot("F", "X", "Q").before, "Q"); // sent and refused
  assert.equal(slot("F", "Q").before, "F");
});

test("a changed slot clashes with any other that has its key; slots without one do not", () => {
  const [skip, flag, guideline] = [slot("X"), slot("F"), slot("G")];
  assert.equal(clashes([skip, flag, guideline]).size, 0);
  flag.take("X");
  assert.deepEqual([...clashes([skip, flag, guideline])], [[flag, skip]]);
  skip.take("F");
  assert.equal(clashes([skip, flag, guideline]).size, 0);
  for (const each of [flag, guideline]) each.take("");
  assert.equal(clashes([skip, flag, guideline]).size, 0);
  for (const each of [flag, guideline]) each.take("Q");
  assert.deepEqual([...clashes([skip, flag, guideline]).keys()], [flag, guideline]);
});

test("unsaved is what differs from what is stored, a switch that is off among it", () => {
  const stored = { text_size: "", shows_keys: "on", has_single_keys: "", key_A: "J" };
  assert.equal(countUnsaved(stored, new Map(Object.entries(stored))), 0);
  assert.equal(
    countUnsaved(
      stored,
      new Map([
        ["text_size", "large"],
        ["key_A", "J"],
      ]),
    ),
    2,
  );
});
