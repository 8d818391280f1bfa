// The pairs in hand and the grades given, as the page knows them while some of it is still on its way to the server.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PageState } from "../../../static/js/core/pairs.js";

let outbox;

const pair = (assignment) => ({ assignment, prompt: `p${assignment}`, response: `r${assignment}` });
const graded = (assignment, grade, reason = "") => ({ ...pair(assignment), grade, reason });
const assignments = (pairs) => pairs.map(({ assignment }) => assignment);

beforeEach(() => {
  outbox = {
    entries: [],
    add(url, body, about) {
      this.entries.push({ url, body, about });
    },
  };
});

function pageStateOf({ pairs = [1, 2, 3], past = [], today = 0, left = 10, changing = null } = {}) {
  return new PageState({ base: "/rate/", changing, left, pairs: pairs.map(pair), past, today }, outbox);
}

/** The server has stored the oldest piece and says what is there now. */
function arrive(pageState, answer) {
  outbox.entries.shift();
  return pageState.absorb(answer);
}

test("a grade shows the next pair at once and is on its way", () => {
  const pageState = pageStateOf();
  pageState.grade(4, "", 1500);
  assert.equal(pageState.current.assignment, 2);
  assert.deepEqual(pageState.past, [graded(1, 4)]);
  assert.deepEqual([pageState.today, pageState.left], [1, 9]);
  const [{ url, body }] = outbox.entries;
  assert.deepEqual([url, body], ["/rate/1/grade/", { grade: 4, reason: "", milliseconds: 1500 }]);
});

test("the last five grades can be changed, the newest first", () => {
  const pageState = pageStateOf({ pairs: [1, 2, 3, 4, 5, 6, 7] });
  for (let count = 0; count < 6; count += 1) pageState.grade(4, "", 0);
  assert.deepEqual(assignments(pageState.past), [6, 5, 4, 3, 2]);
});

test("undo goes back one grade at a time, and a change leads on to the pair that was next", () => {
  const pageState = pageStateOf();
  pageState.grade(4, "", 0);
  pageState.grade(5, "new", 0);
  pageState.undo();
  pageState.undo();
  pageState.undo();
  assert.equal(pageState.current.assignment, 1, "there is no earlier one");
  pageState.grade(2, "echoing", 0);
  assert.equal(pageState.current.assignment, 3);
  assert.deepEqual(pageState.past, [graded(2, 5, "new"), graded(1, 2, "echoing")]);
  assert.deepEqual(outbox.entries.at(-1).body, { grade: 2, reason: "echoing" });
  assert.equal(outbox.entries.at(-1).url, "/rate/1/change/");
  assert.equal(pageState.today, 2, "a change is no further grade");
});

test("the same grade again changes nothing and sends nothing", () => {
  const pageState = pageStateOf({ past: [graded(9, 4)] });
  pageState.openPast(9);
  pageState.grade(4, "", 0);
  assert.deepEqual([outbox.entries, pageState.current.assignment], [[], 1]);
});

test("leaving a grade that was reopened keeps it", () => {
  const pageState = pageStateOf({ past: [graded(9, 4)] });
  pageState.undo();
  assert.equal(pageState.changing.assignment, 9);
  pageState.leave();
  assert.deepEqual([pageState.changing, pageState.current.assignment, outbox.entries], [undefined, 1, []]);
});

test("a skip counts off what is left and not today's work; a flag leaves the pair where it is", () => {
  const pageState = pageStateOf();
  pageState.flag(pageState.current, "Who is Lin?");
  pageState.skip("cut_off");
  assert.deepEqual([pageState.current.assignment, pageState.today, pageState.left], [2, 0, 9]);
  assert.deepEqual(
    outbox.entries.map(({ url, body }) => [url, body]),
    [
      ["/rate/1/flag/", { comment: "Who is Lin?" }],
      ["/rate/1/skip/", { reason: "cut_off" }],
    ],
  );
});

test("an answer that does not know yet what is on its way brings none of it back", () => {
  const pageState = pageStateOf();
  pageState.grade(4, "", 0);
  pageState.grade(3, "short", 0);
  assert.equal(arrive(pageState, { pairs: [2, 3, 4].map(pair), past: [graded(1, 4)], today: 1 }), true);
  assert.deepEqual(assignments(pageState.pairs), [3, 4]);
  assert.deepEqual(pageState.past, [graded(2, 3, "short"), graded(1, 4)]);
  assert.equal(pageState.today, 2);
});

test("a page that is loaded with grades unsent counts them and goes on after them", () => {
  pageStateOf().grade(4, "", 0);
  const pageState = pageStateOf({ pairs: [1, 2, 3], left: 10 });
  assert.deepEqual(
    [pageState.current.assignment, pageState.today, pageState.left, assignments(pageState.past)],
    [2, 1, 9, [1]],
  );
});

test("the pair that is read stays on the page while it is in hand, whatever comes before it", () => {
  const pageState = pageStateOf({ pairs: [2, 3] });
  assert.equal(pageState.absorb({ pairs: [1, 2, 3].map(pair), today: 0 }), true);
  assert.deepEqual(assignments(pageState.pairs), [2, 1, 3]);
});

test("it is told when the pair that is read went to others", () => {
  const pageState = pageStateOf();
  assert.equal(pageState.absorb({ pairs: [5, 6].map(pair), today: 0 }), false);
  assert.equal(pageState.current.assignment, 5);
});

test("a refused grade does not stand; a refused change leaves the grade there was", () => {
  const pageState = pageStateOf({ past: [graded(9, 4)] });
  pageState.grade(5, "", 0);
  const [{ about }] = outbox.entries.splice(0);
  pageState.drop(about);
  assert.deepEqual(pageState.past, [graded(9, 4)]);
  pageState.drop({ kind: "change", pair: graded(9, 1) });
  assert.deepEqual(pageState.past, [graded(9, 4)]);
});

test("a grade that was stored under a newer assignment is changed there", () => {
  const pageState = pageStateOf();
  pageState.grade(4, "", 0);
  pageState.undo();
  const [{ about }] = outbox.entries;
  pageState.settle(about, { assignment: 31 });
  assert.equal(pageState.changing.assignment, 31);
  pageState.grade(5, "", 0);
  assert.equal(outbox.entries.at(-1).url, "/rate/31/change/");
});

test("nothing is left once nothing is in hand, whatever was counted", () => {
  const pageState = pageStateOf({ pairs: [1], left: 7 });
  assert.equal(pageState.left, 7);
  pageState.grade(4, "", 0);
  assert.equal(pageState.left, 0);
  const late = pageStateOf({ pairs: [1, 2, 3], left: 1 });
  assert.equal(late.left, 2, "those in hand are certain; one of three is on its way");
});

test("undo takes a skip back, as the pair to grade next, and then goes on to the grade before it", () => {
  const pageState = pageStateOf();
  pageState.grade(4, "", 0);
  pageState.skip("cut_off");
  assert.deepEqual(pageState.past, [{ ...pair(2), skipped: "cut_off" }, graded(1, 4)]);
  pageState.undo();
  assert.deepEqual([pageState.current, assignments(pageState.pairs)], [pair(2), [2, 3]]);
  assert.deepEqual(
    [pageState.changing, pageState.left, outbox.entries.at(-1).url],
    [undefined, 9, "/rate/2/undo-skip/"],
  );
  pageState.undo();
  assert.equal(pageState.changing.assignment, 1);
});

test("a skip that was taken back stays so whatever the server still says", () => {
  const pageState = pageStateOf();
  pageState.skip("cut_off");
  pageState.undo();
  assert.equal(
    arrive(pageState, { pairs: [2, 3].map(pair), past: [{ ...pair(1), skipped: "cut_off" }], today: 0 }),
    true,
  );
  assert.deepEqual([assignments(pageState.pairs), pageState.past], [[1, 2, 3], []]);
  const loaded = pageStateOf({ pairs: [2, 3], past: [{ ...pair(1), skipped: "cut_off" }], left: 2 });
  assert.deepEqual([assignments(loaded.pairs), loaded.past, loaded.left], [[1, 2, 3], [], 3]);
});

test("a skip that another person's work keeps from being taken back leaves the pair that was next", () => {
  const pageState = pageStateOf({ pairs: [2, 3], past: [{ ...pair(1), skipped: "other" }] });
  pageState.undo();
  const [{ about }] = outbox.entries.splice(0);
  pageState.drop(about);
  assert.deepEqual(assignments(pageState.pairs), [2, 3]);
});
