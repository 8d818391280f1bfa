// The view of a pair: its texts, the grades, the reasons, the guideline's row, the last grades.

import { showInstead } from "../core/focus.js";

const form = document.getElementById("rating");
const part = (name) => document.getElementById(name);
const radios = (name) => [...form.querySelectorAll(`input[name=${name}]`)];

export const grades = radios("grade");

/** Return the reasons that belong to a grade; empty if it has none. */
export function reasonsOf(grade) {
  return [...form.querySelectorAll(`.kinds[data-grade="${grade}"] input`)];
}

export function chosenGrade() {
  return grades.find((radio) => radio.checked)?.value;
}

export function isPairShown() {
  return !part("pair").hidden;
}

/** Show a pair as the one to grade. */
export function showPair(pair) {
  part("pair").hidden = part("grading").hidden = part("skip").hidden = part("flag").hidden = false;
  part("nothing").hidden = part("on-the-way").hidden = true;
  showChoices(pair);
}

/** Fill in a pair, with nothing chosen unless it comes with a grade. */
export function showChoices(pair) {
  say("[data-prompt]", pair.prompt);
  say("[data-response]", pair.response);
  form.querySelector("[data-about]").textContent = pair.about && `· ${pair.about}`;
  clear();
  choose(pair.grade);
  const reason = reasonsOf(pair.grade).find((radio) => radio.value === pair.reason);
  if (reason) reason.checked = true;
  scrollTo(0, 0);
  part("pair").focus({ preventScroll: true });
}

function say(where, { text, lang }) {
  const line = form.querySelector(where);
  line.textContent = text;
  line.lang = lang;
}

function clear() {
  part("skip").open = false;
  radios("reason").forEach((radio) => {
    radio.checked = false;
  });
  choose(undefined);
}

/** Show that there is no pair: with a text if more are being fetched, else as the end of the work. */
export function showNothing(words) {
  clear();
  part("pair").hidden = part("grading").hidden = part("skip").hidden = part("flag").hidden = true;
  showInstead(part("nothing"), !words);
  part("on-the-way").hidden = !words;
  part("on-the-way").textContent = words;
  scrollTo(0, 0);
}

/** Show the reason why the person may not go on, instead of a pair. */
export function stop(why) {
  part("nothing").querySelector("p").textContent = why;
}

/** Highlight the grade (or none), open its reasons and highlight its row of the guideline. */
export function choose(grade) {
  const chosen = String(grade ?? "");
  grades.forEach((radio) => {
    radio.checked = radio.value === chosen;
  });
  for (const kinds of form.querySelectorAll(".kinds"))
    kinds.classList.toggle("is-open", kinds.dataset.grade === chosen);
  for (const row of form.querySelectorAll(".guide-row"))
    row.classList.toggle("is-chosen", row.dataset.grade === chosen);
}

/**
 * Show the grades that can still be changed and the skips that can be undone, newest first. A row that stays the same is
 * left in the page: a finger may be on its button while the server's answer arrives.
 */
export function showPast(past) {
  const list = form.querySelector(".past");
  const shown = new Map([...list.children].map((row) => [row.dataset.of, row]));
  list.replaceChildren(...past.map((pair) => shown.get(keyOf(pair)) ?? pastRow(pair)));
  part("recent").hidden = part("undo").hidden = !past.length;
}

/** Show that the pair has been graded before; such a pair cannot be skipped. */
export function showChanging(isChanging) {
  part("changing").hidden = !isChanging;
  if (isChanging) part("skip").hidden = true;
}

/** Disable all choices, or enable them again. */
export function setAside(isAside) {
  for (const name of ["grading", "extra", "recent"]) part(name).inert = isAside;
}

function keyOf({ assignment, grade, reason = "", skipped = "" }) {
  return JSON.stringify([assignment, grade, reason, skipped]);
}

function pastRow(pair) {
  const row = form.querySelector("#recent template").content.firstElementChild.cloneNode(true);
  row.dataset.of = keyOf(pair);
  row.querySelector("[data-grade]").textContent = String(pair.grade ?? "–").replace("-", "−");
  row.querySelector("[data-said]").textContent = `${pair.prompt.text} ${pair.response.text}`;
  row.querySelector("[data-said]").lang = pair.prompt.lang;
  row.querySelector("[data-reason]").textContent = whyOf(pair);
  const [change, undo] = [row.querySelector("a"), row.querySelector("button")];
  change.href = `?change=${pair.assignment}`;
  undo.type = "button";
  undo.value = pair.assignment;
  (pair.skipped ? change : undo).remove();
  return row;
}

function whyOf({ grade, reason, skipped }) {
  if (skipped) return part("skip").querySelector(`button[value="${skipped}"] [data-name]`)?.textContent ?? "";
  const given = reasonsOf(grade).find((radio) => radio.value === reason);
  return given?.parentElement.querySelector("span").textContent ?? "";
}
