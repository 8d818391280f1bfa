// The writing page. What is written is saved as one draft a moment after the typing stops; a submission is checked by
// the server. Without this script the page is a plain form with Save and Submit.

import { Draft } from "./draft.js";
import { flagging } from "./flagging.js";
import { HalfDone } from "./half-done.js";
import { hide, show, showShortly } from "./notices.js";
import { Outbox } from "./outbox.js";
import { clockTime, showSaved } from "./saved.js";
import { workHere } from "./tabs.js";
import { Stage, fields, lastCut } from "./writing-stage.js";

const desk = JSON.parse(document.getElementById("desk").textContent);
const { words } = desk;
const form = document.getElementById("writing");
const skipMenu = document.getElementById("skip");
const versions = document.getElementById("versions");
const stage = new Stage(desk);
const content = () => ({ cut: stage.cut, candidates: stage.candidates });
const draft = new Draft({ url: `${desk.base}save/`, name: desk.draft, revision: desk.revision, read: content });
const outbox = new Outbox(desk.outbox);
const halfDone = new HalfDone(desk.outbox);
const flag = flagging(sendFlag, () => halfDone.keep(desk.seat, flag.state), () => stage.focus());

let isAside = false; // the work is in another tab

// ---- what a person does ---------------------------------------------------------------------------------------------

function moveCut(cut) {
  if (isAside || cut < 1 || cut > lastCut || cut === stage.cut) return;
  stage.moveCut(cut);
  draft.changed();
}

function submit() {
  if (isAside) return;
  ["refused", "stale"].forEach(hide);
  stage.showFlaws([]);
  flag.leave();
  go(`${desk.base}submit/`);
}

function sendFlag(comment) {
  outbox.add(`${desk.base}flag/`, { comment }, { pair: desk });
}

async function go(url, more) {
  const { outcome, answer } = await draft.deliver(url, more);
  if (outcome === "stored") location.assign(answer.next);
  else if (outcome === "refused") refused(answer);
  else show(outcome === "signed-out" ? outcome : "offline");
}

/** The versions beside what stands on the page by now. Without a connection the list stays as old as it is. */
async function listVersions() {
  await draft.saveNow();
  const fresh = await newestPage();
  const isOfThisItem = fresh?.getElementById("writing")?.getAttribute("action") === form.getAttribute("action");
  if (isOfThisItem) document.getElementById("version-list").replaceWith(fresh.getElementById("version-list"));
}

async function newestPage() {
  try {
    const response = await fetch(desk.here, { redirect: "error" });
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return null;
  }
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
  ["[data-cut]", (line) => moveCut(Number(line.dataset.cut))],
  ["#submit", submit],
  ["#skip button", (button) => go(`${desk.base}skip/`, { reason: button.value })],
  ["[data-version]", (button) => go(button.formAction)],
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
  if (!fields.includes(target)) return;
  stage.clearFlaw(target);
  stage.refresh();
  draft.changed();
});
versions.addEventListener("toggle", () => versions.open && listVersions());
skipMenu.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget && !skipMenu.contains(relatedTarget)) skipMenu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || document.querySelector("dialog[open]")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const act = {
    "alt ArrowUp": () => moveCut(stage.cut - 1),
    "alt ArrowDown": () => moveCut(stage.cut + 1),
    "command Enter": () => !event.repeat && submit(),
    "command shift X": () => skipMenu.querySelector("summary").click(),
    "command shift F": flag.open,
    Escape: () => { skipMenu.open = false; },
  }[[isCommand && "command", event.altKey && "alt", event.shiftKey && "shift", event.key.length === 1 ? event.key.toUpperCase() : event.key].filter(Boolean).join(" ")];
  if (!act) return;
  event.preventDefault();
  act();
});

// ---- what the server says -------------------------------------------------------------------------------------------

function refused(answer) {
  if (answer.code === "stale") return stale(answer);
  show("refused", answer.message ?? words.unreadable);
  return stage.showFlaws(answer.flaws ?? []);
}

function stale({ saved_at: at }) {
  show("stale", words.stale.replace("{time}", clockTime(new Date(at), false)));
}

draft.addEventListener("stale", ({ detail }) => stale(detail));
draft.addEventListener("refused", ({ detail }) => refused(detail));
draft.addEventListener("arrived", () => showShortly("arrived"));
outbox.addEventListener("stored", () => showShortly("flagged"));
outbox.addEventListener("refused", ({ detail: { entry, answer } }) => {
  show("refused", answer.message ?? words.flagLost.replace("{comment}", entry.body.comment));
});
[draft, outbox].forEach((sender) => sender.addEventListener("change", showTrouble));

function showTrouble() {
  for (const trouble of ["unreachable", "signed-out"]) {
    const notice = trouble === "unreachable" ? "offline" : trouble;
    if ([draft.trouble, outbox.trouble].includes(trouble)) show(notice);
    else hide(notice);
  }
}

// ---- other tabs -----------------------------------------------------------------------------------------------------

const claim = workHere(desk.draft, () => {
  draft.save();
  draft.stop();
  setAside(true);
  show("elsewhere", words.elsewhere.replace("{time}", clockTime(new Date(), false)));
});

function setAside(aside) {
  isAside = aside;
  stage.setAside(aside);
}

// ---- the beginning --------------------------------------------------------------------------------------------------

/** What this browser kept when it could not be sent. */
function bringBack({ revision, at, body }) {
  if (JSON.stringify(body) === JSON.stringify(content())) return draft.forget();
  stage.fill(body);
  if (revision === desk.revision) return draft.changed();
  draft.stop();
  return show("stale", words.kept.replace("{time}", clockTime(new Date(at), false)));
}

showSaved(draft, words, desk.savedAt && words.back.replace("{time}", clockTime(new Date(desk.savedAt), false)));
stage.moveCut(desk.cut);
const begun = halfDone.of(desk.seat);
if (begun) flag.restore(begun);
outbox.send();
const { kept } = draft;
if (kept) bringBack(kept);
else if (fields.every((field) => !field.value)) fields[0].focus({ preventScroll: true });
