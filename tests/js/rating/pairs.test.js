// The pairs in hand and the grades given, as the page knows them while some of it is still on its way to the server.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Desk } from "../../../static/js/rating/pairs.js";

let outbox;

const pair = (seat) => ({ seat, prompt: `p${seat}`, response: `r${seat}` });
const graded = (seat, grade, reason = "") => ({ ...pair(seat), grade, reason });
const seats = (pairs) => pairs.map(({ seat }) => seat);

beforeEach(() => {
  outbox = {
    entries: [],
    add(url, body, about) {
      this.entries.push({ url, body, about });
    },
  };
});

function deskOf({ pairs = [1, 2, 3], past = [], today = 0, left = 10, changing = null } = {}) {
  return new Desk({ base: "/rate/", changing, left, pairs: pairs.map(pair), past, today }, outbox);
}

/** The server has stored the oldest piece and says what is there now. */
function arrive(desk, answer) {
  outbox.entries.shift();
  return desk.absorb(answer);
}

test("a grade shows the next pair at once and is on its way", () => {
  const desk = deskOf();
  desk.grade(4, "", 1500);
  assert.equal(desk.onStage.seat, 2);
  assert.deepEqual(desk.past, [graded(1, 4)]);
  assert.deepEqual([desk.today, desk.left], [1, 9]);
  const [{ url, body }] = outbox.entries;
  assert.deepEqual([url, body], ["/rate/1/grade/", { grade: 4, reason: "", milliseconds: 1500 }]);
});

test("the last five grades can be changed, the newest first", () => {
  const desk = deskOf({ pairs: [1, 2, 3, 4, 5, 6, 7] });
  for (let count = 0; count < 6; count += 1) desk.grade(4, "", 0);
  assert.deepEqual(seats(desk.past), [6, 5, 4, 3, 2]);
});

test("undo goes back one grade at a time, and a change leads on to the pair that was next", () => {
  const desk = deskOf();
  desk.grade(4, "", 0);
  desk.grade(5, "new", 0);
  desk.undo();
  desk.undo();
  desk.undo();
  assert.equal(desk.onStage.seat, 1, "there is no earlier one");
  desk.grade(2, "echoing", 0);
  assert.equal(desk.onStage.seat, 3);
  assert.deepEqual(desk.past, [graded(2, 5, "new"), graded(1, 2, "echoing")]);
  assert.deepEqual(outbox.entries.at(-1).body, { grade: 2, reason: "echoing" });
  assert.equal(outbox.entries.at(-1).url, "/rate/1/change/");
  assert.equal(desk.today, 2, "a change is no further grade");
});

test("the same grade again changes nothing and sends nothing", () => {
  const desk = deskOf({ past: [graded(9, 4)] });
  desk.reopen(9);
  desk.grade(4, "", 0);
  assert.deepEqual([outbox.entries, desk.onStage.seat], [[], 1]);
});

test("leaving a grade that was reopened keeps it", () => {
  const desk = deskOf({ past: [graded(9, 4)] });
  desk.undo();
  assert.equal(desk.changing.seat, 9);
  desk.leave();
  assert.deepEqual([desk.changing, desk.onStage.seat, outbox.entries], [undefined, 1, []]);
});

test("a skip counts off what is left and not today's work; a flag leaves the pair where it is", () => {
  const desk = deskOf();
  desk.flag(desk.onStage, "Who is Lin?");
  desk.skip("cut_off");
  assert.deepEqual([desk.onStage.seat, desk.today, desk.left], [2, 0, 9]);
  assert.deepEqual(
    outbox.entries.map(({ url, body }) => [url, body]),
    [
      ["/rate/1/flag/", { comment: "Who is Lin?" }],
      ["/rate/1/skip/", { reason: "cut_off" }],
    ],
  );
});

test("an answer that does not know yet what is on its way brings none of it back", () => {
  const desk = deskOf();
  desk.grade(4, "", 0);
  desk.grade(3, "short", 0);
  assert.equal(arrive(desk, { pairs: [2, 3, 4].map(pair), past: [graded(1, 4)], today: 1 }), true);
  assert.deepEqual(seats(desk.pairs), [3, 4]);
  assert.deepEqual(desk.past, [graded(2, 3, "short"), graded(1, 4)]);
  assert.equal(desk.today, 2);
});

test("a page that is loaded with grades unsent counts them and goes on after them", () => {
  deskOf().grade(4, "", 0);
  const desk = deskOf({ pairs: [1, 2, 3], left: 10 });
  assert.deepEqual([desk.onStage.seat, desk.today, desk.left, seats(desk.past)], [2, 1, 9, [1]]);
});

test("the pair that is read stays on the stage while it is in hand, whatever comes before it", () => {
  const desk = deskOf({ pairs: [2, 3] });
  assert.equal(desk.absorb({ pairs: [1, 2, 3].map(pair), today: 0 }), true);
  assert.deepEqual(seats(desk.pairs), [2, 1, 3]);
});

test("it is told when the pair that is read went to others", () => {
  const desk = deskOf();
  assert.equal(desk.absorb({ pairs: [5, 6].map(pair), today: 0 }), false);
  assert.equal(desk.onStage.seat, 5);
});

test("a refused grade does not stand; a refused change leaves the grade there was", () => {
  const desk = deskOf({ past: [graded(9, 4)] });
  desk.grade(5, "", 0);
  const [{ about }] = outbox.entries.splice(0);
  desk.drop(about);
  assert.deepEqual(desk.past, [graded(9, 4)]);
  desk.drop({ kind: "change", pair: graded(9, 1) });
  assert.deepEqual(desk.past, [graded(9, 4)]);
});

test("a grade that was stored under a newer seat is changed there", () => {
  const desk = deskOf();
  desk.grade(4, "", 0);
  desk.undo();
  const [{ about }] = outbox.entries;
  desk.settle(about, { seat: 31 });
  assert.equal(desk.changing.seat, 31);
  desk.grade(5, "", 0);
  assert.equal(outbox.entries.at(-1).url, "/rate/31/change/");
});

test("nothing is left once nothing is in hand, whatever was counted", () => {
  const desk = deskOf({ pairs: [1], left: 7 });
  assert.equal(desk.left, 7);
  desk.grade(4, "", 0);
  assert.equal(desk.left, 0);
  const late = deskOf({ pairs: [1, 2, 3], left: 1 });
  assert.equal(late.left, 2, "those in hand are certain; one of three is on its way");
});
