// The minutes and seconds left on a participant's page, as the server told them last.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { runClock } from "../../../static/js/survey/clock.js";
import { browser, FakeElement, fakeTime, pass } from "../fakes.js";

const WORDS = {
  minutes: ["{count} minute left", "{count} minutes left"],
  seconds: ["{count} second left", "{count} seconds left"],
};
let badge;
let document;
let told;

beforeEach(() => {
  fakeTime();
  badge = new FakeElement();
  ({ document } = browser({ elements: { clock: badge } }));
  told = [];
});

const shown = () => badge.querySelector("span").textContent;
const isShort = () => badge.classList.contains("time-short");

function start(seconds) {
  return runClock(seconds, WORDS, { lastMinutes: () => told.push("last minutes"), over: () => told.push("over") });
}

test("it shows whole minutes, the one that runs included", async () => {
  start(20 * 60 + 1);
  await pass(1000);
  assert.equal(shown(), "20 minutes left");
  await pass(59_000);
  assert.equal(shown(), "20 minutes left");
  await pass(1000);
  assert.equal(shown(), "19 minutes left");
});

test("the last minute is counted in seconds", async () => {
  start(62);
  await pass(1000);
  assert.equal(shown(), "2 minutes left");
  await pass(1000);
  assert.equal(shown(), "60 seconds left");
  await pass(59_000);
  assert.equal(shown(), "1 second left");
  await pass(1000);
  assert.equal(shown(), "0 seconds left");
});

test("the last five minutes are told once", async () => {
  start(302);
  await pass(1000);
  assert.deepEqual([isShort(), told], [false, []]);
  await pass(1000);
  assert.deepEqual([isShort(), told], [true, ["last minutes"]]);
  await pass(100_000);
  assert.deepEqual(told, ["last minutes"]);
});

test("a page that is opened in the last five minutes shows it and does not announce it", async () => {
  start(120);
  await pass(1000);
  assert.deepEqual([isShort(), told], [true, []]);
});

test("the end comes once, a moment late for the server's clock", async () => {
  start(10);
  await pass(10_000);
  assert.deepEqual([shown(), told], ["0 seconds left", []]);
  await pass(1000);
  assert.deepEqual(told, ["over"]);
  await pass(100_000);
  assert.deepEqual(told, ["over"]);
});

test("a later word of the server counts: time was added, or this clock had run wrong", async () => {
  const { sync } = start(400);
  await pass(200_000);
  assert.deepEqual([shown(), isShort(), told], ["4 minutes left", true, ["last minutes"]]);
  sync(900);
  await pass(1000);
  assert.deepEqual([shown(), isShort()], ["15 minutes left", false]);
  await pass(599_000);
  assert.deepEqual(told, ["last minutes", "last minutes"], "they begin again");
});

test("an answer that says nothing of the time changes nothing", async () => {
  const { sync } = start(600);
  await pass(60_000);
  sync(null);
  await pass(1000);
  assert.equal(shown(), "9 minutes left");
});

test("a page that comes back into sight shows the time at once, however long it slept", async () => {
  start(1200);
  await pass(1000);
  fakeTime(Date.now() + 600_000); // a laptop asleep: no timer ran
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(shown(), "10 minutes left");
});

test("what is left is told to the second, and below none after the end", async () => {
  const { left } = start(90);
  await pass(30_500);
  assert.equal(left(), 59);
  await pass(60_000);
  assert.equal(left(), -1);
  assert.equal(start(null).left(), null);
});

test("without a limit nothing is shown and nothing ends", async () => {
  const { sync } = start(null);
  sync(10);
  await pass(3_600_000);
  assert.deepEqual([shown(), told], ["", []]);
});
