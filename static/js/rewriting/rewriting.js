// The writing page. What is written is saved as one draft a moment after the typing stops. A text to which the server
// will have no objection goes into the outbox, and the next item, asked for while this one is written, stands there at
// once; any other is checked by the server first. Without this script the page is a plain form with Save and Submit.

import { forgetDraft } from "../core/draft.js";
import { Drafting, showTroubleOf } from "../core/drafting.js";
import { flagging } from "../core/flagging.js";
import { takeFocus } from "../core/focus.js";
import { HalfDone } from "../core/half-done.js";
import { load, NextPage, stateOf } from "../core/next-page.js";
import { add, hide, show, showShortly } from "../core/notices.js";
import { Outbox } from "../core/outbox.js";
import { findMenus } from "../core/skip-menu.js";
import "../core/undo-skip.js";
import { Card } from "./view.js";

const ID = "writing";
const form = document.getElementById(ID);
const start = stateOf(document);
const outbox = new Outbox(start.outbox); // of flags and submissions, in their order
const halfDone = new HalfDone(start.outbox);
const next = new NextPage(ID, ["work", "bar"], outbox);

// Of the item on the page
let pageState = start;
let card;
let flag;
let writing;
let isTouched; // something was written since it is here
let isWaiting = false; // its submission is to be stored before the next one comes

/** Take up the item on the page. Returns whether this browser had kept an unsaved draft of it. */
function begin() {
  pageState = stateOf(document);
  card = new Card(pageState);
  flag = flagging(
    sendFlag,
    () => halfDone.keep(pageState.assignment, flag.state),
    () => card.focus(),
  );
  writing = new Drafting(form, pageState, card);
  isTouched = false;
  writing.addEventListener("submit", submit);
  writing.onClick([
    ["[data-cut]", (line) => moveCut(Number(line.dataset.cut))],
    ["[data-version]", (button) => writing.go(button.formAction)],
  ]);
  writing.onKey({
    "alt ArrowUp": () => moveCut(card.cut - 1),
    "alt ArrowDown": () => moveCut(card.cut + 1),
    "command shift F": flag.open,
  });
  showTroubleOf([writing.draft, outbox], writing.ended);
  card.moveCut(pageState.cut);
  const begun = halfDone.of(pageState.assignment);
  if (begun) flag.restore(begun);
  next.expect(pageState.next);
  return writing.begin();
}

function changed() {
  isTouched = true;
  writing.draft.changed();
}

function moveCut(cut) {
  if (writing.isAside || cut < 1 || cut > card.lastCut || cut === card.cut) return;
  card.moveCut(cut);
  changed();
}

form.addEventListener("input", ({ target }) => {
  if (!card.fields.includes(target)) return;
  card.reviseFlaw(target);
  card.refresh();
  changed();
});

/** Focus the first text that is still to be written. */
function focusFirst() {
  const first = card.fields.find((field) => !field.value) ?? document.querySelector("[data-heading]");
  first.focus({ preventScroll: true });
}

// ---- submissions ----------------------------------------------------------------------------------------------------

/** Go on without waiting for the server, unless it may have an objection. */
function submit(event) {
  flag.leave();
  const { draft } = writing;
  if (!card.isWhole || ["stale", "refused"].includes(draft.trouble)) return;
  event.preventDefault();
  const { base, assignment, draft: name, item } = pageState;
  const { keys, body } = draft.handOver();
  writing.end();
  hide("stored");
  const { state } = next;
  const about = { kind: "submission", pair: { assignment }, draft: name, item, keys };
  outbox.add(`${base}submit/`, state ? { ...body, goes_on: state.assignment } : body, about);
  if (state) showItem();
  else wait(true);
}

/** Show the next item, or the one of `page`. */
function showItem(page) {
  wait(false);
  next.show(page);
  history.replaceState(null, "", stateOf(document).here); // so that a reload shows the same
  findMenus();
  begin();
  focusFirst();
}

/** Let nothing be written until the submission of the item on the page is stored. */
function wait(isNow) {
  isWaiting = isNow;
  for (const part of form.querySelectorAll("#work, .writing-acts")) part.inert = isWaiting;
  if (isWaiting) showWaiting();
  else hide("sending");
}

/** Say why the item on the page waits, in place of what its draft said. */
function showWaiting() {
  const why = { "": "sending", unreachable: "kept" }[outbox.trouble] ?? outbox.trouble;
  for (const name of ["sending", "offline", "signed-out", "role-ended"]) (name === why ? show : hide)(name);
  takeFocus(document.querySelector(`[data-notice="${why}"]`));
}

function isSubmission({ about }) {
  return about.kind === "submission";
}

function isHere({ about }) {
  return about.pair.assignment === pageState.assignment;
}

/** Bring back an item whose submission was refused: at once, or by a button where another text is begun. */
function bringBack(entry, answer) {
  if (isHere(entry)) {
    wait(false);
    begin(); // with what this browser keeps
    return writing.refuse(answer);
  }
  if (answer.kept) forgetDraft(entry.about.draft); // the server has it
  return isTouched ? offer(entry, answer) : showAgain(entry, answer);
}

async function showAgain(entry, answer, isAsked = false) {
  const page = await load(`${start.write}?assignment=${entry.about.pair.assignment}`, ID);
  if (!page || stateOf(page).draft !== entry.about.draft) return offer(entry, answer, true);
  if (isTouched && !isAsked) return offer(entry, answer);
  writing.draft.giveUp();
  writing.end();
  showItem(page);
  return writing.refuse(answer);
}

/** Say that a submission was refused, with a button to its item, or its texts where the item is no longer the person's. */
function offer(entry, answer, isGone = false) {
  const line = at("not-submitted").content.firstElementChild.cloneNode(true);
  line.querySelector("[data-text]").textContent = `${entry.about.item}: ${answer.message ?? start.words.unreadable}`;
  line.querySelector("ol").append(...entry.body.candidates.map(asLine));
  for (const part of line.querySelectorAll("[data-gone]")) part.hidden = !isGone;
  const button = line.querySelector("button");
  button.hidden = isGone;
  const remove = add("not-stored", line);
  button.addEventListener("click", () => {
    remove();
    showAgain(entry, answer, true);
  });
}

function asLine(text) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.textContent = text;
  return line;
}

/** Leave an item that is stored and that no other could follow at once. */
function leave() {
  const refusals = document.querySelector("[data-notice=not-stored]");
  const refused = refusals.querySelector("button:not([hidden])");
  if (refused) refused.click();
  else if (refusals.hidden) location.assign(start.write);
}

function at(id) {
  return document.getElementById(id);
}

// ---- flags, and what the server says --------------------------------------------------------------------------------

function sendFlag(comment) {
  outbox.add(`${pageState.base}flag/`, { comment }, { kind: "flag", pair: { assignment: pageState.assignment } });
}

outbox.addEventListener("stored", ({ detail: { entry, answer } }) => {
  if (!isSubmission(entry)) return showShortly("flagged");
  forgetDraft(entry.about.draft);
  if (answer.said) showShortly("stored", answer.said);
  if (isHere(entry)) leave();
});
outbox.addEventListener("refused", ({ detail: { entry, answer } }) => {
  const { url, body, about } = entry;
  const isFlag = !isSubmission(entry); // an older page kept flags without their kind
  const isOwn = answer.code === "stale" && about.keys?.includes(answer.save_key); // a save was on its way
  if (isFlag) show("refused", answer.message ?? start.words.flagLost.replace("{comment}", body.comment));
  else if (isOwn) outbox.add(url, { ...body, revision: answer.revision }, about);
  else bringBack(entry, answer);
});
outbox.addEventListener("change", () => {
  (outbox.trouble && outbox.entries.some(isSubmission) ? show : hide)("kept");
  if (isWaiting) showWaiting();
});

// ---- versions -------------------------------------------------------------------------------------------------------

/** Compare the versions with the text now on the page. Without a connection the list is not updated. */
async function listVersions() {
  await writing.draft.saveNow();
  const fresh = await load(pageState.here, ID);
  const isOfThisItem = fresh?.getElementById(ID).getAttribute("action") === form.getAttribute("action");
  if (isOfThisItem) at("version-list").replaceWith(fresh.getElementById("version-list"));
}

form.addEventListener("toggle", ({ target }) => target.matches("#versions[open]") && listVersions(), { capture: true });

// ---- the beginning --------------------------------------------------------------------------------------------------

const waiting = outbox.entries.find((entry) => isSubmission(entry) && entry.about.pair.assignment === start.assignment);
if (outbox.isAheadOfPage) location.reload();
else if (waiting) {
  pageState = start;
  card = new Card(start);
  card.fill(waiting.body);
  wait(true);
} else {
  const goesOn = begin();
  const isAfterSkip = document.querySelector("[data-undo-skip]"); // whose key is not to be typed into a text
  if (!goesOn && !isAfterSkip && !card.hasText) focusFirst();
}
outbox.send();
