// The bar above the work: how many today, how long one takes, when the day's number is reached.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { pace } from "../../../static/js/rating/pace.js";
import { browser, FakeElement, fakeTime } from "../fakes.js";

const WORDS = { pace: "{seconds} s a pair", done: "done at about {time}" };
let line;

beforeEach(() => {
  line = new FakeElement();
  line.querySelector("rect:not(.ground)").setAttribute = (_name, width) => {
    line.width = width;
  };
  browser({ elements: { pace: line } });
  fakeTime(new Date(2026, 0, 5, 9, 0).getTime());
});

const shown = (part) => line.querySelector(`[data-${part}]`).textContent;

/** A bar that has seen so many seconds, the newest first. */
function barOf(...seconds) {
  return pace({ perDay: 100, milliseconds: seconds.map((each) => 1000 * each), words: WORDS });
}

test("it fills up to the day's number and counts on", () => {
  const bar = barOf();
  bar.show(25, 500);
  assert.deepEqual([line.width, shown("today")], ["25%", "25"]);
  bar.show(1250, 500);
  assert.deepEqual([line.width, shown("today")], ["100%", "1,250"]);
});

test("a pace is named from the fifth pair on", () => {
  const bar = barOf(10, 10, 10, 10);
  bar.show(4, 500);
  assert.equal(shown("pace"), "");
  bar.add(10_000);
  bar.show(5, 500);
  assert.equal(shown("pace"), "10 s a pair");
});

test("it is the middle time of the last twenty: one long break changes nothing", () => {
  const bar = barOf(...Array(20).fill(10));
  for (const milliseconds of [600_000, 8000, 8000]) bar.add(milliseconds);
  bar.show(23, 500);
  assert.equal(shown("pace"), "10 s a pair");
  for (let count = 0; count < 20; count += 1) bar.add(4000);
  bar.show(43, 500);
  assert.equal(shown("pace"), "4 s a pair");
});

test("the end is told for the day's number, or for what is left if that is less", () => {
  const bar = barOf(60, 60, 60, 60, 60);
  bar.show(10, 500);
  assert.equal(shown("done"), " · done at about 10:30"); // 90 pairs of a minute
  bar.show(10, 15);
  assert.equal(shown("done"), " · done at about 09:15");
});

test("no end is told when there is nothing to do, or when it would not be today", () => {
  const bar = barOf(60, 60, 60, 60, 60);
  bar.show(10, 0);
  assert.equal(shown("done"), "");
  bar.show(100, 500);
  assert.equal(shown("done"), "");
  fakeTime(new Date(2026, 0, 5, 23, 30).getTime());
  bar.show(10, 500);
  assert.equal(shown("done"), "");
});
