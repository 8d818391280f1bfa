// The inspection page: both steps by keyboard, comments that open on demand, and a verdict that is kept in this browser
// until the server has stored it. The next item is asked for once the key is shown, and stands there as soon as the
// verdict is given. Without this script both steps are plain forms.

import { ask } from "../core/ask.js";
import { HalfDone } from "../core/half-done.js";
import { isTyping } from "../core/keys.js";
import { NextPage, stateOf } from "../core/next-page.js";
import { add, hide, show } from "../core/notices.js";
import { Outbox, post } from "../core/outbox.js";
import { clockTime, showSaved } from "../core/saved.js";
import { closeMenu, findMenus } from "../core/skip-menu.js";
import "../core/undo-skip.js";

const form = document.getElementById("inspection");
const KEYS = {
  Q: ["is_correct", "yes"],
  W: ["is_correct", "doubt"],
  A: ["is_unique", "yes"],
  S: ["is_unique", "doubt"],
  R: ["is_revisable", "yes"],
  D: ["is_revisable", "no"],
};

const start = stateOf(document);
const halfDone = new HalfDone(`inspection/${document.documentElement.dataset.person}`);
const outbox = new Outbox(start.outbox); // of verdicts, each given before the next item was shown
const next = new NextPage("inspection", ["main"], outbox);

let pageState = start;
let comments = [];
let step = "";
let shownAt; // when an item was shown without loading it
let isSending = false;
let afterC = false;

// ---- sending --------------------------------------------------------------------------------------------------------

form.addEventListener("submit", async (event) => {
  if (event.submitter?.matches("[data-undo-skip]")) return;
  event.preventDefault();
  if (isSending) return;
  const isSkip = event.submitter?.matches("#skip button") ?? false;
  if (isSkip && isBegun() && !(await ask("ask-skip"))) return closeMenu();
  const body = Object.fromEntries(new FormData(form, event.submitter));
  if (!isSkip && next.state && isWhole()) return goOn(body);
  isSending = true;
  ["refused", "offline", "signed-out", "role-ended"].forEach(hide);
  form.querySelectorAll("[data-wrong], [aria-invalid]").forEach(unmark);
  if (shownAt !== undefined) body.milliseconds = String(Math.round(performance.now() - shownAt));
  const url = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const { outcome, answer } = await post(url, body);
  isSending = false;
  if (outcome === "stored") {
    if (isSkip)
      halfDone.keep(step, chosen()); // the server keeps the comments of a skip
    else halfDone.forget(step);
    location.assign(answer.next);
  } else if (outcome === "refused") {
    show("refused", answer.message ?? pageState.words.unreadable);
    pointTo(answer.field);
  } else show(outcome === "unreachable" ? "offline" : outcome);
});

/** Tell whether nothing is missing in the verdict: the server then refuses it only for what has happened meanwhile. */
function isWhole() {
  const { is_correct, is_unique, is_revisable } = chosen();
  if (!pageState.answeredAt || !is_correct || !is_unique) return false;
  if (is_correct === "yes" && is_unique === "yes") return true;
  if (form.querySelector("[name=is_revisable]") && is_revisable !== "yes") return is_revisable === "no";
  return comments.some((field) => field.value.trim());
}

/** Send the verdict in the background and show the next item. */
function goOn({ csrfmiddlewaretoken, ...verdict }) {
  const { assignment } = pageState;
  outbox.add(form.getAttribute("action"), { ...verdict, goes_on: "yes" }, { pair: { assignment }, step });
  hide("stored");
  next.show();
  shownAt = performance.now();
  findMenus();
  begin();
  document.getElementById("main").focus({ preventScroll: true });
}

outbox.addEventListener("stored", ({ detail: { entry, answer } }) => {
  halfDone.forget(entry.about.step);
  show("stored", answer.said);
});
outbox.addEventListener("refused", ({ detail: { answer } }) => {
  add("not-stored", answer.message ?? start.words.unreadable);
});
outbox.addEventListener("change", () => {
  if (outbox.entries.length && outbox.trouble) show("kept");
  else hide("kept");
});

/** Tell whether a comment is written or a part of the verdict chosen. */
function isBegun() {
  return comments.some((field) => field.value.trim()) || Boolean(form.querySelector(".verdict input:checked"));
}

/** Mark and focus the field that a refusal is about, and connect the two for screen readers. */
function pointTo(name) {
  const field = name && form.querySelector(`fieldset [name="${name}"]:enabled, textarea[name="${name}"]`);
  if (!field) return;
  const isComment = comments.includes(field);
  const marked = isComment ? field : field.closest("fieldset");
  marked.setAttribute(isComment ? "aria-invalid" : "data-wrong", "true");
  marked.setAttribute("aria-describedby", "refusal");
  if (isComment) openComment(field);
  else field.focus();
}

function unmark(marked) {
  for (const name of ["data-wrong", "aria-invalid", "aria-describedby"]) marked.removeAttribute(name);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229 || event.repeat || document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    mainButton().click();
  } else if (!isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey && press(event)) {
    event.preventDefault();
  }
});

function press({ key, code, shiftKey, target }) {
  const typed = (!shiftKey && code.match(/^Digit([0-9])$/)?.[1]) || key.toUpperCase();
  const isComment = afterC;
  afterC = pageState.answeredAt && typed === "C";
  if (isComment && openComment(comments.find((field) => field.dataset.about === pageState.letters[typed - 1])))
    return true;
  else if (!pageState.answeredAt && typed === "ENTER" && !target.closest("a, button, summary")) mainButton().click();
  else return choose(typed);
  return true;
}

function choose(typed) {
  const [name, value] = KEYS[typed] ?? ["answer", typed];
  const found = form.querySelector(
    `input[name="${name}"][value="${CSS.escape(value)}"], button[name="${name}"][value="${CSS.escape(value)}"]`,
  );
  if (!found || found.disabled || !found.getClientRects().length) return false;
  found.click();
  found.focus();
  return true;
}

/** Return the main button that is visible. */
function mainButton() {
  return [...form.querySelectorAll(".button-main")].find((button) => button.getClientRects().length);
}

// ---- comments -------------------------------------------------------------------------------------------------------

function openComment(field) {
  if (!field) return false;
  unfold(field);
  field.focus();
  return true;
}

function unfold(field) {
  field.parentElement.classList.add("is-open");
  form.querySelector(`[data-comment="${field.id.replace("comment-", "")}"]`).hidden = true;
}

form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-comment]");
  if (button) openComment(document.getElementById(`comment-${button.dataset.comment}`));
});
form.addEventListener("input", () => {
  tellComments();
  halfDone.keep(step, { ...chosen(), ...Object.fromEntries(comments.map(({ name, value }) => [name, value])) });
});

/** Return what is chosen, by the name of its field. */
function chosen() {
  return Object.fromEntries([...form.querySelectorAll("input:checked")].map(({ name, value }) => [name, value]));
}

/** List the parts with a comment in the sentence above the button. */
function tellComments() {
  const line = form.querySelector("[data-with-comments]");
  if (!line) return;
  const about = comments.filter((field) => field.value.trim()).map((field) => field.dataset.about);
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(about);
  line.textContent = about.length
    ? pageState.words.withComments.replace("{about}", list)
    : pageState.words.withoutComments;
}

// ---- the beginning --------------------------------------------------------------------------------------------------

/** Take up the item on the page. */
function begin() {
  pageState = stateOf(document);
  comments = [...form.querySelectorAll(".comment textarea")];
  step = form.getAttribute("action");
  afterC = false;
  for (const [name, value] of Object.entries(halfDone.of(step) ?? {})) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
  }
  comments.filter((field) => field.value).forEach(unfold);
  tellComments();
  next.expect(pageState.next);
}

/** Load the page anew once the verdicts of an earlier page are stored: this one may show the item they are about. */
function waitForVerdicts() {
  document.getElementById("main").inert = true;
  const loadAnew = () => outbox.entries.length || location.reload();
  outbox.addEventListener("change", loadAnew);
}

const { answeredAt, words } = start;
showSaved(outbox, words, {
  saved: answeredAt ? words.saved.replace("{time}", clockTime(new Date(answeredAt))) : "",
});
begin();
if (outbox.isAheadOfPage) location.reload();
else if (outbox.entries.length) waitForVerdicts();
outbox.send();
