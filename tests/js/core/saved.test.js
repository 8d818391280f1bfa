// The line that says when the last work was stored, or how much waits to be sent.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clockTime, showSaved } from "../../../static/js/core/saved.js";
import { browser, FakeElement, fakeTime, pass } from "../fakes.js";

const WORDS = { saved: "Saved at {time}", saving: "Saving …", toSend: "{count} to send" };
let line;
let outbox;

beforeEach(() => {
  fakeTime();
  line = new FakeElement();
  browser({ elements: { saved: line } });
  outbox = Object.assign(new EventTarget(), { entries: [], trouble: "" });
});

const shown = () => line.querySelector("span").textContent;

function change(entries, trouble = "") {
  Object.assign(outbox, { entries, trouble });
  outbox.dispatchEvent(new Event("change"));
}

function store(savedAt) {
  outbox.dispatchEvent(new CustomEvent("stored", { detail: { answer: { saved_at: savedAt } } }));
}

test("it says when the server stored it, and only after it has", async () => {
  showSaved(outbox, WORDS);
  assert.equal(shown(), "");
  change(["piece"]);
  assert.equal(shown(), "");
  store(new Date(2026, 0, 5, 14, 2, 11).toISOString());
  change([]);
  assert.deepEqual([shown(), line.classList.contains("saved-stored")], ["Saved at 14:02:11", true]);
});

test("a server that answers at once makes no flicker; a slow one is said to be saving", async () => {
  showSaved(outbox, WORDS, { saved: "Your draft of 14:00" });
  change(["piece"]);
  await pass(399);
  assert.equal(shown(), "Your draft of 14:00");
  await pass(1);
  assert.deepEqual([shown(), line.classList.contains("saved-waiting")], ["Saving …", true]);
});

test("work that was saved within the moment is never said to be saving, however often it changed", async () => {
  showSaved(outbox, WORDS);
  change(["piece"]);
  change(["piece", "another"]);
  await pass(399);
  change([]);
  await pass(1000);
  assert.equal(shown(), "");
});

test("in trouble it counts what waits, as its page counts", () => {
  showSaved(outbox, WORDS, { waiting: () => new Set(outbox.entries).size });
  change(["1", "1", "2"], "unreachable");
  assert.deepEqual([shown(), line.classList.contains("saved-waiting")], ["2 to send", true]);
  change([]);
  assert.deepEqual([shown(), line.classList.contains("saved-waiting")], ["", false]);
});

test("a clock time has two digits of each, from 00 to 23", () => {
  assert.equal(clockTime(new Date(2026, 0, 5, 0, 5, 9)), "00:05:09");
  assert.equal(clockTime(new Date(2026, 0, 5, 23, 5, 9), false), "23:05");
});
