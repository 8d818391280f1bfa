// All lines of a question in order: what a tap, an arrow and Backspace make of a ranking.

import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, takenBack, tapped } from "../../../static/js/survey/ranking.js";

const TOKENS = ["a", "b", "c", "d"];

const after = (...taps) => taps.reduce((ranking, token) => tapped(ranking, token, TOKENS), []).join("");

test("each tap gives the next place, and the last line's place fills itself", () => {
  assert.equal(after("b"), "b");
  assert.equal(after("b", "a"), "ba");
  assert.equal(after("b", "a", "d"), "badc");
});

test("a second tap takes a place back, and those behind it move up", () => {
  assert.equal(after("b", "a", "b"), "a");
  assert.equal(after("b", "a", "d", "b"), "ad");
});

test("a tap on the line that filled itself takes nothing away", () => {
  assert.equal(after("b", "a", "d", "c"), "badc");
});

test("Backspace takes back the place that was given last", () => {
  assert.deepEqual(takenBack(["b", "a", "d", "c"], TOKENS), ["b", "a"]);
  assert.deepEqual(takenBack(["b", "a"], TOKENS), ["b"]);
  assert.deepEqual(takenBack([], TOKENS), []);
});

test("of two lines the second place always fills itself", () => {
  assert.deepEqual(tapped([], "b", ["a", "b"]), ["b", "a"]);
  assert.deepEqual(takenBack(["b", "a"], ["a", "b"]), []);
});

test("an arrow swaps neighbours, and stays at the ends", () => {
  assert.deepEqual(moved(["b", "a", "d", "c"], "d", -1), ["b", "d", "a", "c"]);
  assert.deepEqual(moved(["b", "a", "d", "c"], "b", 1), ["a", "b", "d", "c"]);
  for (const [token, by] of [
    ["b", -1],
    ["c", 1],
  ]) {
    assert.deepEqual(moved(["b", "a", "d", "c"], token, by), ["b", "a", "d", "c"]);
  }
  assert.deepEqual(moved(["b"], "c", -1), ["b"]);
});
