// The keys of the rating page: which grade a key spells, what arrows and Enter do, and which keys are left alone.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { browser, FakeElement, fakeTime, pass } from "../fakes.js";

const elements = { pair: {}, guideline: {}, rating: {} };
let document;
let view; // static/js/rating/view.js, which the keys read
let done; // what the keys did, in order
let act;
let focused;

/** One radio button of a group: only one of them is checked. */
class Radio extends FakeElement {
  #isChecked = false;

  constructor(group, value, properties = {}) {
    super({ value, name: "grade", ...properties });
    this.group = group;
  }

  get checked() {
    return this.#isChecked;
  }

  set checked(isChecked) {
    if (isChecked) for (const radio of this.group) radio.checked = false;
    this.#isChecked = isChecked;
  }

  click() {
    this.checked = true;
    done.push(`${this.name} ${this.value}`);
  }

  focus() {
    focused = this;
  }

  matches(selector) {
    return selector === "input[type=radio]";
  }

  closest() {
    return null;
  }
}

/** Show a scale; some of its grades have reasons: {grade: {key: reason}}. */
function scale(grades, reasons = {}) {
  view.grades.splice(0, view.grades.length);
  view.grades.push(...grades.map((grade) => new Radio(view.grades, String(grade))));
  const groups = {};
  for (const [grade, named] of Object.entries(reasons)) {
    groups[grade] = [];
    const radios = Object.entries(named).map(([key, value]) => [value, { name: "reason", dataset: { key } }]);
    groups[grade].push(...radios.map(([value, properties]) => new Radio(groups[grade], value, properties)));
  }
  elements.rating.querySelectorAll = (selector) => groups[selector.match(/data-grade="(.*?)"/)?.[1]] ?? [];
}

/** Press keys one after the other, on the element with the focus. Returns whether the last was taken from the browser. */
function press(...keys) {
  let isTaken = false;
  for (const key of keys) {
    const event = new Event("keydown", { cancelable: true });
    const code = /^[0-9]$/.test(key) ? `Digit${key}` : "";
    Object.assign(event, { code, shiftKey: false, ...(typeof key === "string" ? { key } : key) });
    Object.defineProperty(event, "target", { value: focused ?? document });
    document.dispatchEvent(event);
    isTaken = event.defaultPrevented;
  }
  return isTaken;
}

before(async () => {
  ({ document } = browser({ elements }));
  elements.rating.querySelectorAll = () => [];
  elements.guideline.scrollIntoView = () => done.push("guideline");
  Object.assign(document, { closest: () => null, matches: () => false, querySelector: () => null });
  view = await import("../../../static/js/rating/view.js");
  const keys = await import("../../../static/js/rating/keys.js");
  act = { undo: () => done.push("undo"), leave: () => done.push("leave"), flag: () => done.push("flag") };
  keys.listen(Object.assign(act, { isAside: () => act.aside, typingSaves: true }));
});

beforeEach(() => {
  fakeTime();
  done = [];
  focused = null;
  Object.assign(act, { aside: false, typingSaves: true });
  elements.pair.hidden = false;
  document.querySelector = () => null;
  scale([1, 2, 3, 4, 5], { 2: { A: "off_topic", S: "echoing" } });
});

// ---- grades ---------------------------------------------------------------------------------------------------------

test("a digit gives its grade and is taken from the browser", () => {
  assert.equal(press("4"), true);
  assert.deepEqual(done, ["grade 4"]);
});

test("a digit that needs Shift on its keyboard gives its grade too", () => {
  press({ key: "&", code: "Digit1" });
  assert.deepEqual(done, ["grade 1"]);
});

test("a digit that is no grade of this scale is the browser's", () => {
  assert.equal(press("7"), false);
  assert.deepEqual(done, []);
});

test("negative grades are typed as they are written", () => {
  scale([-2, -1, 0, 1, 2]);
  press("-", "2", "2", "0", "-", "1");
  assert.deepEqual(done, ["grade -2", "grade 2", "grade 0", "grade -1"]);
});

test("long grades none of which begins another are given once they are typed", () => {
  scale([8, 9, 10, 11, 12]);
  press("1", "0", "9", "1", "2");
  assert.deepEqual(done, ["grade 10", "grade 9", "grade 12"]);
});

test("keys far apart do not spell one grade", async () => {
  scale([8, 9, 10, 11, 12]);
  press("1");
  await pass(1500);
  press("0");
  assert.deepEqual(done, []);
});

test("where a grade may begin another, typing marks and Enter gives", () => {
  act.typingSaves = false;
  scale([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  press("1", "0");
  assert.deepEqual([view.chosenGrade(), done], ["10", []]);
  press("Enter");
  assert.deepEqual(done, ["grade 10"]);
});

test("arrows mark from either end, stop at both, and Enter gives", () => {
  scale(Array.from({ length: 21 }, (_, slot) => slot + 1));
  press("ArrowLeft", "ArrowRight");
  assert.deepEqual([view.chosenGrade(), done], ["21", []]);
  press("ArrowLeft", "Enter");
  assert.deepEqual(done, ["grade 20"]);
});

test("the arrows of a page that nobody has begun to grade by keys still scroll it", () => {
  assert.equal(press("ArrowDown"), false);
  assert.equal(press("ArrowRight"), true);
  assert.equal(press("ArrowDown"), true);
  assert.equal(view.chosenGrade(), "2");
});

// ---- reasons --------------------------------------------------------------------------------------------------------

test("once a grade with reasons is chosen their keys choose one", () => {
  press("s");
  assert.deepEqual(done, []);
  press("2", "s");
  assert.deepEqual(done, ["grade 2", "reason echoing"]);
});

test("Enter on a grade with reasons goes to the first of them; from there arrows mark and Enter chooses", () => {
  press("2", "Enter");
  assert.equal(focused.value, "off_topic");
  press("ArrowDown", "Enter");
  assert.deepEqual(done, ["grade 2", "reason echoing"]);
});

// ---- other keys -----------------------------------------------------------------------------------------------------

for (const [key, expected] of [
  ["z", ["undo"]],
  ["f", ["flag"]],
  ["g", ["guideline"]],
  ["Escape", ["leave"]],
  ["q", []],
]) {
  test(`${key} does: ${expected[0] ?? "nothing"}`, () => {
    assert.equal(press(key), expected.length > 0);
    assert.deepEqual(done, expected);
  });
}

test("without a pair no key gives a grade, or flags, and undo still works", () => {
  Object.assign(elements.pair, { hidden: true });
  press("4", "ArrowRight", "Enter", "f");
  assert.deepEqual(done, []);
  press("z");
  assert.deepEqual(done, ["undo"]);
});

for (const [name, more] of [
  ["with Ctrl", { ctrlKey: true }],
  ["with Meta", { metaKey: true }],
  ["with Alt", { altKey: true }],
  ["that repeats", { repeat: true }],
  ["while an input method composes", { isComposing: true }],
  ["that an input method took", { keyCode: 229 }],
]) {
  test(`a key ${name} is left alone`, () => {
    assert.equal(press({ key: "4", code: "Digit4", ...more }), false);
    assert.deepEqual(done, []);
  });
}

test("no key acts under an open dialog, or while the work is in another tab", () => {
  document.querySelector = () => ({});
  press("4", "z");
  document.querySelector = () => null;
  act.aside = true;
  press("4", "z");
  assert.deepEqual(done, []);
});
