// What an author is told of a candidate: like another, much longer or shorter, apart, or giving the answer away.

import assert from "node:assert/strict";
import { test } from "node:test";

import { overlap, wordsOf } from "../../../static/js/rewriting/overlap.js";
import { remarks } from "../../../static/js/rewriting/remarks.js";

/** What is remarked on each candidate, in words. */
function remarked(texts, { context = "", telling = [] } = {}) {
  const known = wordsOf([context]);
  const overlaps = texts.map((text) => overlap(text, known));
  return remarks(texts, overlaps, new Set(telling)).map((remark) => {
    if (!remark) return "";
    return [remark.what, remark.like ?? remark.word ?? ""].join(" ").trim();
  });
}

const FOUR = [
  "the train leaves at nine tomorrow",
  "my sister sings every single evening",
  "we bought seven apples here yesterday",
  "nobody answers that old telephone anymore",
];

test("four different candidates of one length need no remark", () => {
  assert.deepEqual(remarked(FOUR), ["", "", "", ""]);
});

test("an empty candidate is not remarked on, and nothing is said of it elsewhere", () => {
  assert.deepEqual(remarked([FOUR[0], "", "", ""]), ["", "", "", ""]);
});

test("the same words but for case and punctuation are equal to the earlier candidate", () => {
  assert.deepEqual(remarked([...FOUR.slice(0, 3), "The train leaves, at NINE tomorrow!"]), ["", "", "", "equal 0"]);
});

test("from four fifths of the words in common on they are nearly the same", () => {
  const one = "one two three four five";
  assert.deepEqual(remarked([one, "one two three four six"]), ["", "near 0"]);
  assert.deepEqual(remarked([one, "one two three six seven"]), ["", ""]);
});

test("a word said twice is in common only as often as both say it", () => {
  assert.deepEqual(remarked(["no no no no", "no yes yes yes"]), ["", ""]);
});

test("much longer and much shorter are measured at the middle of the others", () => {
  const long = "and then ".repeat(8).trim();
  assert.deepEqual(remarked([FOUR[0], FOUR[1], long, FOUR[3]]), ["", "", "long", ""]);
  assert.deepEqual(remarked([FOUR[0], FOUR[1], "no", FOUR[3]]), ["", "", "short", ""]);
});

test("below four words a difference of length tells nothing", () => {
  assert.deepEqual(remarked(["no", "never again", "not at all", "well maybe"]), ["", "", "", ""]);
});

test("one that has far fewer words of the context than the others stands apart", () => {
  const context = "the train leaves at nine my sister sings we bought apples";
  const texts = ["the train leaves", "my sister sings", "we bought apples", "nobody answers anymore"];
  assert.deepEqual(remarked(texts, { context }), ["", "", "", "apart"]);
  assert.deepEqual(remarked([texts[0], texts[3]], { context }), ["", ""], "one other is no measure");
});

test("a word of the right answer that the right candidate alone has gives it away", () => {
  const texts = ["half the audience must leave now", ...FOUR.slice(1)];
  assert.deepEqual(remarked(texts, { telling: ["audience"] }), ["telling audience", "", "", ""]);
  assert.deepEqual(remarked(texts, { telling: ["now"] }), ["", "", "", ""], "a short word seldom tells");
  const shared = [texts[0], "the audience claps for us loudly", ...FOUR.slice(2)];
  assert.deepEqual(remarked(shared, { telling: ["audience"] }), ["", "", "", ""], "another one has it too");
});

test("only one remark is made of a candidate: likeness goes before length", () => {
  assert.deepEqual(remarked(["no", "no", FOUR[2], FOUR[3]]), ["short", "equal 0", "long", "long"]);
});
