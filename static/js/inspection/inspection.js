// The inspection page: both steps by keyboard, comments that open on demand, and a verdict that stays on the page, also
// over a reload, until the server has stored it. Without this script both steps are plain forms.

import { ask } from "../core/ask.js";
import { HalfDone } from "../core/half-done.js";
import { isTyping } from "../core/keys.js";
import { hide, show } from "../core/notices.js";
import { post } from "../core/outbox.js";
import { clockTime } from "../core/saved.js";
import { closeMenu } from "../core/skip-menu.js";

const pageState = JSON.parse(document.getElementById("page_state").textContent);
const form = document.getElementById("inspection");
const comments = [...form.querySelectorAll(".comment textarea")];
const KEYS = {
  Q: ["is_correct", "yes"],
  W: ["is_correct", "doubt"],
  A: ["is_unique", "yes"],
  S: ["is_unique", "doubt"],
  R: ["is_revisable", "yes"],
  D: ["is_revisable", "no"],
};

const step = form.getAttribute("action");
const halfDone = new HalfDone(`inspection/${document.documentElement.dataset.person}`);

let isSending = false;
let afterC = false;

// ---- sending --------------------------------------------------------------------------------------------------------

form.addEventListener("submit", async (event) => {
  if (event.submitter?.matches("[data-undo-skip]")) return;
  event.preventDefault();
  if (isSending) return;
  const isSkip = event.submitter?.matches("#skip button") ?? false;
  if (isSkip && isBegun() && !(await ask("ask-skip"))) return closeMenu();
  isSending = true;
  ["refused", "offline", "signed-out", "role-ended"].forEach(hide);
  form.querySelectorAll("[data-wrong], [aria-invalid]").forEach(unmark);
  const sent = new FormData(form, event.submitter);
  const url = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const { outcome, answer } = await post(url, Object.fromEntries(sent));
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

for (const [name, value] of Object.entries(halfDone.of(step) ?? {})) {
  const field = form.elements.namedItem(name);
  if (field) field.value = value;
}
comments.filter((field) => field.value).forEach(unfold);
tellComments();
if (pageState.answeredAt) {
  const saved = document.getElementById("saved");
  saved.classList.add("saved-stored");
  saved.querySelector("span").textContent = pageState.words.saved.replace(
    "{time}",
    clockTime(new Date(pageState.answeredAt)),
  );
}
