// The menus of reasons: which keys open them, also from within a text, and what keys do while one is open.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { browser, FakeElement } from "../fakes.js";

const text = { closest: () => text, focus: () => focus(text) };
const elsewhere = { closest: () => null, focus: () => focus(elsewhere) };
let document;
let menus;
let done; // reasons that were chosen, and keys that reached the page

function focus(element) {
  document.activeElement = element;
}

function menu(shortcut, names) {
  const reasons = names.map((name) => {
    const reason = { closest: () => null, click: () => done.push(name), focus: () => focus(reason), name };
    return reason;
  });
  const element = new FakeElement({ closest: () => (element.isInert ? {} : null), contains: () => false });
  element.querySelector = () => ({ getAttribute: () => shortcut });
  element.querySelectorAll = () => reasons;
  return element;
}

/** Press keys one after the other, on what has the focus. Returns whether the last was taken from the browser. */
function press(...keys) {
  let isTaken = false;
  for (const key of keys) {
    const event = new Event("keydown", { cancelable: true });
    const code = /^[0-9]$/.test(key) ? `Digit${key}` : "";
    Object.assign(event, { code, shiftKey: false, ...(typeof key === "string" ? { key } : key) });
    Object.defineProperty(event, "target", { value: document.activeElement });
    document.dispatchEvent(event);
    isTaken = event.defaultPrevented;
  }
  return isTaken;
}

before(async () => {
  ({ document } = browser());
  menus = [menu("X", ["unclear", "cut_off"]), menu("Control+Shift+R", ["ads"])];
  Object.assign(document, { querySelectorAll: () => menus, querySelector: () => null });
  await import("../../../static/js/core/skip-menu.js");
  document.addEventListener("keydown", ({ key }) => done.push(`page ${key}`));
});

beforeEach(() => {
  done = [];
  document.querySelector = () => null;
  for (const each of menus) Object.assign(each, { open: false, hidden: false, isInert: false });
  focus(elsewhere);
});

test("its key opens a menu at its first reason, and a digit chooses there and nowhere else", () => {
  press("x");
  assert.deepEqual([menus[0].open, document.activeElement.name], [true, "unclear"]);
  press("2", { key: "&", code: "Digit1" }, "7", "z");
  assert.deepEqual(done, ["cut_off", "unclear"]);
});

for (const key of ["Escape", "x"]) {
  test(`${key} closes it, and the focus goes back`, () => {
    press("x", key);
    assert.deepEqual([menus[0].open, document.activeElement], [false, elsewhere]);
    press("2");
    assert.deepEqual(done, ["page 2"]);
  });
}

test("arrows move between the reasons and stop at both ends", () => {
  press("x", "ArrowUp", "ArrowDown", "ArrowDown");
  assert.equal(document.activeElement.name, "cut_off");
});

test("from within a text only a key with Ctrl opens one, takes the focus and gives it back", () => {
  focus(text);
  assert.equal(press("x"), false);
  press({ key: "R", ctrlKey: true, shiftKey: true });
  assert.deepEqual([menus[1].open, document.activeElement.name], [true, "ads"]);
  press("1", "Escape");
  assert.deepEqual([done, document.activeElement], [["page x", "ads"], text]);
});

test("a key opens no menu that is hidden, or of work in another tab, or under a dialog", () => {
  menus[0].hidden = true;
  press("x");
  Object.assign(menus[0], { hidden: false, isInert: true });
  press("x");
  menus[0].isInert = false;
  document.querySelector = () => ({});
  press("x");
  assert.deepEqual([menus[0].open, done.length], [false, 3]);
});

test("a key that is held down opens once and chooses nothing", () => {
  press("x", { key: "x", repeat: true }, { key: "1", code: "Digit1", repeat: true });
  assert.deepEqual([menus[0].open, done], [true, []]);
});
