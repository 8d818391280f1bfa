// Word overlap in the browser is that of annotation.domain.rewriting.overlap: both are held to the cases of
// overlap.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { marked, overlap, tokens, wordsOf } from "../../../static/js/rewriting/overlap.js";
import { browser } from "../fakes.js";

const CASES = JSON.parse(readFileSync(new URL("overlap.json", import.meta.url)));

for (const { text, words, shared } of CASES.texts) {
  test(`the words of ${JSON.stringify(text)}, and those in each context`, () => {
    assert.equal(tokens(text).length, words);
    const found = CASES.contexts.map((context) => overlap(text, wordsOf(context)));
    assert.deepEqual(
      found.map((each) => [each.shared, each.words]),
      shared.map((count) => [count, words]),
    );
  });
}

for (const { one, other, shared } of CASES.same) {
  test(`${one} is the same word as ${other}`, () => assert.equal(overlap(one, wordsOf([other])).shared, shared));
}

test("a token says where it stands, as it is written", () => {
  const text = "It’s 4 o'clock, 好!";
  const written = tokens(text).map(({ from, to }) => text.slice(from, to));
  assert.deepEqual(written, ["It’s", "4", "o'clock", "好"]);
});

test("a share is a part of the words, and none of no words", () => {
  const known = wordsOf(["the choir", "in the library room"]);
  assert.equal(overlap("The choir sings here", known).share, 0.5);
  assert.equal(overlap("?!", known).share, null);
});

test("known words are marked, all else stays as it is written", () => {
  const { document } = browser();
  document.createElement = (name) => ({ name, textContent: "" });
  const nodes = marked("The CHOIR, again: choir.", wordsOf(["a choir"]));
  assert.deepEqual(
    nodes.map((node) => (node.name ? `[${node.textContent}]` : node)),
    ["The ", "[CHOIR]", ", again: ", "[choir]", "."],
  );
});
