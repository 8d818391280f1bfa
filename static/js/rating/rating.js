// The rating page. A grade goes into the outbox, and the next pair, already in the page, is shown at once; responses of
// the server bring further pairs. Without this script the page is a plain form, one pair at a time.

import { isBounce, isSecondTap } from "../core/bounce.js";
import { flagging } from "../core/flagging.js";
import { HalfDone } from "../core/half-done.js";
import { add, counted, hide, show, showShortly, showTrouble } from "../core/notices.js";
import { Outbox, post } from "../core/outbox.js";
import { PageState } from "../core/pairs.js";
import { clockTime, showSaved } from "../core/saved.js";
import "../core/skip-menu.js";
import { workHere } from "../core/tabs.js";
import { listen } from "./keys.js";
import { pace } from "./pace.js";
import * as card from "./view.js";

const STALE_MS = 300_000; // a page shown again after this time asks for the held pairs

const start = JSON.parse(document.getElementById("page_state").textContent);
const { words } = start;
const form = document.getElementById("rating");
const outbox = new Outbox(start.outbox);
const pageState = new PageState(start, outbox);
const bar = pace(start);
const flag = flagging(
  (words) => pageState.flag(shown, words),
  keepHalfDone,
  () => document.getElementById("pair").focus({ preventScroll: true }),
);
const halfDone = new HalfDone(start.outbox);

let isAside = false; // the work is in another tab
let shown; // the pair on the page
let shownAt = 0;
let openedAt = 0; // time at which a grade opened its reasons, below the finger that chose it
let heardAt = Date.now();
let outdated = []; // {at, takeBack}: harmless refusals, shown until a later grade is stored

// ---- the pair shown -------------------------------------------------------------------------------------------------

function showCard() {
  if (shown && shown.assignment !== pageState.current?.assignment) {
    flag.leave();
    halfDone.forget(shown.assignment);
  }
  shown = pageState.current;
  if (pageState.current) showPair(pageState.current);
  else card.showNothing(whyNothing());
  card.showChanging(Boolean(pageState.changing));
  shownAt = performance.now();
  showProgress();
}

function showPair(pair) {
  const begun = halfDone.of(pair.assignment);
  card.showPair(begun?.grade ? { ...pair, grade: begun.grade } : pair);
  if (begun) flag.restore(begun);
}

function keepHalfDone() {
  if (shown) halfDone.keep(shown.assignment, { ...flag.state, grade: card.chosenGrade() });
}

function showProgress() {
  card.showPast(pageState.past);
  bar.show(pageState.today, pageState.left);
}

/** Return why there is no pair on the page; empty if none is left to grade. */
function whyNothing() {
  return words.continueWhen[outbox.trouble] ?? (outbox.entries.length ? words.onTheWay : "");
}

/** Whether nothing can be done here: the work is in another tab, or the person was removed from the project. */
function isClosed() {
  return isAside || outbox.trouble === "role-ended";
}

// ---- what a person does ---------------------------------------------------------------------------------------------

function isSlip({ name }) {
  return isBounce(shownAt) || (name === "reason" && isSecondTap(openedAt));
}

function choose(grade) {
  card.choose(grade);
  openedAt = performance.now();
  if (card.reasonsOf(grade).length) keepHalfDone();
  else give(grade, "");
}

function give(grade, reason) {
  const isNew = !pageState.changing;
  const milliseconds = Math.round(performance.now() - shownAt);
  hide("moved");
  hide("enough");
  if (isNew) bar.add(milliseconds);
  pageState.grade(Number(grade), reason, milliseconds);
  if (isNew && pageState.today === start.perDay) show("enough");
  showCard();
}

function undo() {
  hide("skipped");
  pageState.undo();
  showCard();
}

function openPast(link) {
  pageState.openPast(Number(new URL(link.href).searchParams.get("change")));
  showCard();
}

function leave() {
  if (!pageState.changing) return;
  pageState.leave();
  showCard();
}

function skip(reason) {
  pageState.skip(reason);
  showShortly("skipped");
  showCard();
}

function undoSkip(button) {
  hide("skipped");
  pageState.undoSkip(Number(button.value));
  showCard();
}

const clicks = [
  ["input[name=grade]", (radio) => choose(radio.value)],
  ["input[name=reason]", (radio) => give(card.chosenGrade(), radio.value)],
  ["#undo", undo],
  ["#changing a", leave],
  [".past a", openPast],
  [".past button", undoSkip],
  ["#skip button", (button) => skip(button.value)],
  ["#take-over", takeOver],
  ["#understood", () => hide("refused")],
];

form.addEventListener("click", (event) => {
  const [clicked, act] =
    clicks.map(([selector, then]) => [event.target.closest(selector), then]).find(([found]) => found) ?? [];
  if (!clicked) return;
  const isOne = clicked.matches("input") && isSlip(clicked);
  if (isOne || clicked.matches("a")) event.preventDefault();
  if (!isOne) act(clicked);
});
form.addEventListener("mark", ({ target }) => {
  if (target.name === "grade") card.choose(target.value);
  keepHalfDone();
});
form.addEventListener("submit", (event) => event.preventDefault());
listen({ undo, leave, flag: flag.open, isAside: isClosed, typingSaves: start.typingSaves });

// ---- what the server says -------------------------------------------------------------------------------------------

function absorb(answer) {
  const before = pageState.current?.assignment;
  heardAt = Date.now();
  if (!pageState.absorb(answer) && !pageState.changing && !answer.stopped) show("moved");
  if (answer.stopped) card.stop(answer.stopped);
  if (answer.guideline && answer.guideline !== start.guideline) tellOfGuideline(answer.announced);
  if (pageState.current?.assignment === before) showProgress();
  else showCard();
}

/** Offer the new guideline; one that is announced is shown before the next pair, once every grade has arrived. */
function tellOfGuideline(isAnnounced) {
  if (isAnnounced && !outbox.entries.length) location.assign(start.base);
  else show("guideline");
}

/** Ask the server for the held pairs: after a refusal, or when the page was left open. */
async function refresh() {
  const { outcome, answer } = await post(`${start.base}next/`, {});
  if (outcome === "stored") absorb(answer);
}

outbox.addEventListener("stored", ({ detail: { entry, answer } }) => {
  pageState.settle(entry.about, answer);
  outdated = outdated.filter(({ at, takeBack }) => entry.at < at || takeBack());
  if (entry.about.kind === "flag") showShortly("flagged");
  absorb(answer);
});
outbox.addEventListener("refused", ({ detail: { entry, answer } }) => {
  const { grade = "", comment } = entry.body;
  const lost = comment ? words.flagLost.replace("{comment}", comment) : words.refused.replace("{grade}", grade);
  const takeBack = add("refused", answer.message ?? lost);
  if (answer.code === "already_rated") outdated.push({ at: Date.now(), takeBack });
  pageState.drop(entry.about);
  refresh();
});
outbox.addEventListener("change", () => {
  showTrouble(outbox, words, Boolean(pageState.current));
  card.setAside(isClosed());
  if (pageState.current) showProgress();
  else showCard();
});
outbox.addEventListener("arrived", ({ detail: { count } }) => showShortly("arrived", counted(words.arrived, count)));

// ---- other tabs, and a page that was left open ----------------------------------------------------------------------

const claim = workHere(start.outbox, () => {
  setAside(true);
  show("elsewhere", words.elsewhere.replace("{time}", clockTime(new Date(), false)));
});

function setAside(aside) {
  isAside = aside;
  card.setAside(isClosed());
}

function takeOver() {
  setAside(false);
  hide("elsewhere");
  claim();
  refresh();
}

document.addEventListener("visibilitychange", () => {
  const isStale = !pageState.current || Date.now() - heardAt > STALE_MS; // without a pair, ask whether there is one now
  if (document.visibilityState === "visible" && isStale) refresh();
});

// A page that the browser restores, or that is older than the last answer, shows old pairs.
addEventListener("pageshow", ({ persisted }) => (persisted || outbox.isAheadOfPage) && refresh());

// ---- the beginning --------------------------------------------------------------------------------------------------

document.querySelectorAll("#skip button, button#undo").forEach((button) => {
  button.type = "button";
});
showSaved(outbox, words);
showCard();
outbox.send();
