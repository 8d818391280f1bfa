// The page of transcripts. What is written is saved as one draft a moment after the typing stops; a submission is
// checked by the server. Without this script the page is a plain form with Save and Submit.

import { Draft } from "./draft.js";
import { hide, show, showShortly } from "./notices.js";
import { player } from "./player.js";
import { clockTime, showSaved } from "./saved.js";
import { workHere } from "./tabs.js";
import { Turns } from "./turns.js";

const desk = JSON.parse(document.getElementById("desk").textContent);
const { words } = desk;
const form = document.getElementById("transcript");
const skipMenu = document.getElementById("skip");
const removed = document.getElementById("removed");
const turns = new Turns(words);
const audio = player(() => show("silent", words.silent));
const content = () => ({ turns: turns.value, answer: chosen() });
const draft = new Draft({ url: `${desk.base}save/`, name: desk.draft, revision: desk.revision, read: content });

let isAside = false; // the work is in another tab

function chosen() {
  const choice = form.querySelector("[name=answer]:checked");
  return choice && Number(choice.value);
}

// ---- what a person does ---------------------------------------------------------------------------------------------

function submit() {
  if (isAside) return;
  ["refused", "stale"].forEach(hide);
  showFlaws([]);
  go(`${desk.base}submit/`);
}

async function go(url, more) {
  const { outcome, answer } = await draft.deliver(url, more);
  if (outcome === "stored") location.assign(answer.next);
  else if (outcome === "refused") refused(answer);
  else show(outcome === "signed-out" ? outcome : "offline");
}

function takeOver() {
  const wasAside = isAside;
  setAside(false);
  ["stale", "elsewhere"].forEach(hide);
  claim();
  if (wasAside && !draft.isDirty) location.reload(); // nothing here is newer than what is stored
  else draft.takeOver();
}

function reload() {
  draft.forget();
  location.reload();
}

const clicks = [
  ["#submit", submit],
  ["#skip button", (button) => go(`${desk.base}skip/`, { reason: button.value })],
  ["#add", () => turns.add()],
  ["#put-back", () => turns.putBack()],
  ["[data-take-over]", takeOver],
  ["[data-reload]", reload],
];

form.addEventListener("click", (event) => {
  const [clicked, act] = clicks.map(([selector, then]) => [event.target.closest(selector), then]).find(([found]) => found) ?? [];
  if (!clicked) return;
  event.preventDefault();
  act(clicked);
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", ({ target }) => {
  target.removeAttribute("aria-invalid");
  draft.changed();
});
turns.addEventListener("change", ({ detail }) => {
  removed.hidden = !detail.removed;
  if (detail.removed) removed.querySelector("[data-text]").textContent = words.removed.replace("{number}", detail.removed);
  draft.changed();
});
skipMenu.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget && !skipMenu.contains(relatedTarget)) skipMenu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || document.querySelector("dialog[open]")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const act = {
    ...audio,
    "alt ArrowUp": () => turns.step(-1),
    "alt ArrowDown": () => turns.step(1),
    "command Enter": () => !event.repeat && submit(),
    "command shift Enter": () => turns.splitHere(),
    "command shift X": () => skipMenu.querySelector("summary").click(),
    Escape: () => { skipMenu.open = false; },
  }[[isCommand && "command", event.altKey && "alt", event.shiftKey && "shift", event.key.length === 1 ? event.key.toUpperCase() : event.key].filter(Boolean).join(" ")];
  if (!act || isAside) return;
  event.preventDefault();
  act();
});

// ---- what the server says -------------------------------------------------------------------------------------------

function refused(answer) {
  if (answer.code === "stale") return stale(answer);
  show("refused", answer.message ?? words.unreadable);
  return showFlaws(answer.flaws ?? []);
}

/** What stops a submission: [{field, sentence}] with a turn's number, "turns" or "answer"; none clears it. */
function showFlaws(flaws) {
  form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  form.querySelector("[data-flaws]").replaceChildren(...flaws.map(flawRow));
  flaws.forEach(({ field }) => fieldOf(field).setAttribute("aria-invalid", "true"));
  if (flaws.length) fieldOf(flaws[0].field).focus();
}

function flawRow({ field, sentence }) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = { answer: "#choices", turns: "#turns" }[field] ?? `#turn-${field}`;
  link.textContent = sentence;
  row.append(link);
  return row;
}

/** The field that a flaw is mended in: of a turn the one of its two that is empty. */
function fieldOf(field) {
  if (field === "answer") return form.querySelector("[name=answer]");
  const row = document.getElementById(`turn-${field === "turns" ? 0 : field}`);
  const fields = [...(row?.querySelectorAll("[name]") ?? [document.getElementById("add")])];
  return fields.find(({ value }) => !value.trim()) ?? fields.at(-1);
}

function stale({ saved_at: at }) {
  show("stale", words.stale.replace("{time}", clockTime(new Date(at), false)));
}

draft.addEventListener("stale", ({ detail }) => stale(detail));
draft.addEventListener("refused", ({ detail }) => refused(detail));
draft.addEventListener("arrived", () => showShortly("arrived"));
draft.addEventListener("change", () => {
  for (const [notice, trouble] of [["offline", "unreachable"], ["signed-out", "signed-out"]]) {
    (draft.trouble === trouble ? show : hide)(notice);
  }
});

// ---- other tabs -----------------------------------------------------------------------------------------------------

const claim = workHere(desk.draft, () => {
  draft.save();
  draft.stop();
  setAside(true);
  show("elsewhere", words.elsewhere.replace("{time}", clockTime(new Date(), false)));
});

function setAside(aside) {
  isAside = aside;
  for (const part of form.querySelectorAll("#work, .writing-acts")) part.inert = aside;
}

// ---- the beginning --------------------------------------------------------------------------------------------------

/** What this browser kept when it could not be sent. */
function bringBack({ revision, at, body }) {
  if (JSON.stringify(body) === JSON.stringify(content())) return draft.forget();
  turns.fill(body.turns);
  form.querySelectorAll("[name=answer]").forEach((choice) => { choice.checked = Number(choice.value) === body.answer; });
  if (revision === desk.revision) return draft.changed();
  draft.stop();
  return show("stale", words.kept.replace("{time}", clockTime(new Date(at), false)));
}

showSaved(draft, words, desk.savedAt && words.back.replace("{time}", clockTime(new Date(desk.savedAt), false)));
const { kept } = draft;
if (kept) bringBack(kept);
