// A first and a second choice among the lines of a question: what a tap, a circle and a key do to them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { choicesOf, listen, mark } from "../../../static/js/survey/lines.js";
import { browser, FakeElement } from "../fakes.js";

const TOKENS = ["a", "b", "c", "d", "e"];
let document;
let question;
let said;
let form;
let rows;
let changes;
let entered;
let wentBack;
let isAside;
let storage;
let keys; // the switch of single keys

/** A question with a circle for each rank in each row. */
function questionOf(tokens) {
  rows = tokens.map((token) => {
    const circles = { first: circle("first", token), second: circle("second", token) };
    const row = new FakeElement({ querySelector: (selector) => circles[selector.match(/name=(\w+)/)[1]] });
    row.closest = () => row;
    return row;
  });
  said = { textContent: "", dataset: { said: "No line is chosen." } };
  question = {
    querySelectorAll: () => rows,
    querySelector: (selector) => {
      if (selector === "[data-said]") return said;
      const rank = selector.match(/name=(\w+)/)[1];
      return rows.map((row) => row.querySelector(`[name=${rank}]`)).find(({ checked }) => checked) ?? null;
    },
  };
}

const circle = (name, value) => ({ name, value, checked: false, matches: () => true, ariaLabel: `${name}: ${value}` });

beforeEach(() => {
  ({ document, storage } = browser());
  keys = new FakeElement({});
  document.querySelector = () => keys;
  questionOf(TOKENS);
  [changes, entered, wentBack, isAside] = [0, 0, 0, false];
  form = new FakeElement();
  form.querySelector = () => question;
  listen(form, {
    changed: () => {
      changes += 1;
    },
    enter: () => {
      entered += 1;
    },
    previous: () => {
      wentBack += 1;
    },
    isAside: () => isAside,
  });
});

const chosen = () => Object.values(choicesOf(question)).join(" ");

function click(target) {
  const event = new Event("click", { cancelable: true });
  Object.defineProperty(event, "target", { value: target });
  form.dispatchEvent(event);
  return event.defaultPrevented;
}

/** Tap the text of a row. */
function tap(line) {
  return click({ closest: () => rows[line], matches: () => false });
}

/** Tap a circle: the browser checks it, and unchecks the other of its name, before a script hears of it. */
function tapCircle(rank, line) {
  for (const row of rows) row.querySelector(`[name=${rank}]`).checked = row === rows[line];
  return click({ name: rank, closest: () => rows[line], matches: () => true });
}

function press(key, more = {}) {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
  Object.defineProperty(event, "target", { value: { closest: () => more.inside ?? null } });
  document.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a row takes the next free rank and gives it back", () => {
  const steps = [
    [1, "b "],
    [3, "b d"],
    [1, " d"],
    [0, "a d"],
    [3, "a "],
    [4, "a e"],
  ];
  for (const [line, expected] of steps) {
    assert.equal(tap(line), true, "a label by itself would set the first choice");
    assert.equal(chosen(), expected);
  }
  assert.equal(changes, steps.length);
});

test("with both chosen a further row becomes the second choice", () => {
  for (const line of [0, 4, 2]) tap(line);
  assert.equal(chosen(), "a c");
});

test("a circle gives its rank, and takes the other from the same row", () => {
  tap(0);
  tap(4);
  tapCircle("second", 0);
  assert.equal(chosen(), " a");
  tapCircle("first", 3);
  assert.equal(chosen(), "d a");
  tapCircle("first", 0);
  assert.equal(chosen(), "a ");
});

test("a circle that is tapped again is given back", () => {
  tap(2);
  tapCircle("first", 2);
  assert.equal(chosen(), " ");
});

test("a tap beside the rows changes nothing", () => {
  click({ closest: () => null, matches: () => false });
  assert.deepEqual([chosen(), changes], [" ", 0]);
});

test("digits do what taps do, Backspace takes back the last, Enter goes on", () => {
  press("3");
  press("1");
  assert.equal(chosen(), "c a");
  press("Backspace");
  assert.equal(chosen(), "c ");
  press("Backspace");
  assert.equal(chosen(), " ");
  press("Backspace");
  assert.equal(changes, 4, "there was nothing to take back");
  press("Enter");
  assert.equal(entered, 1);
});

test("with single keys off digits do nothing, and Enter still goes on", () => {
  keys.checked = false;
  keys.dispatchEvent(new Event("change"));
  assert.equal(press("1"), false);
  press("Enter");
  assert.deepEqual([chosen(), entered], [" ", 1]);
  keys.checked = true;
  keys.dispatchEvent(new Event("change"));
  press("1");
  assert.deepEqual([chosen(), Object.keys(storage)], ["a ", []]);
});

test("a digit without a row changes nothing", () => {
  press("9");
  assert.deepEqual([chosen(), changes], [" ", 0]);
});

test("Enter on a link or a button is the browser's", () => {
  assert.equal(press("Enter", { inside: {} }), false);
  assert.equal(entered, 0);
});

test("Shift and Enter go back", () => {
  press("Enter", { shiftKey: true });
  assert.deepEqual([entered, wentBack], [0, 1]);
});

test("what is chosen is told to people who do not see the rows", () => {
  press("3");
  assert.equal(said.textContent, "first: c.");
  press("1");
  assert.equal(said.textContent, "first: c. second: a.");
  press("Backspace");
  press("Backspace");
  assert.equal(said.textContent, "No line is chosen.");
});

test("what is told has one sign at the end of a line that has one", () => {
  questionOf(["Wait.", "Why?"]);
  press("1");
  press("2");
  assert.equal(said.textContent, "first: Wait. second: Why?");
});

for (const more of [{ isComposing: true }, { ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }]) {
  test(`a key is left alone with ${Object.keys(more)[0]}`, () => {
    assert.equal(press("3", more), false);
    assert.equal(chosen(), " ");
  });
}

test("while the survey is in another tab no key acts", () => {
  isAside = true;
  press("3");
  press("Enter");
  assert.deepEqual([chosen(), entered], [" ", 0]);
});

test("choices made before a reload are marked again, in rows and circles", () => {
  mark(question, { first: "e", second: "b" });
  assert.equal(chosen(), "e b");
  const classes = rows.map((row) => ["is-first", "is-second"].map((name) => row.classList.contains(name)));
  assert.deepEqual(classes[4], [true, false]);
  assert.deepEqual(classes[1], [false, true]);
  assert.deepEqual(classes[0], [false, false]);
});
