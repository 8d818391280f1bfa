// The writing page. What is written is saved as one draft a moment after the typing stops; a submission is checked by
// the server. Without this script the page is a plain form with Save and Submit.

import { Drafting, showTroubleOf } from "../core/drafting.js";
import { flagging } from "../core/flagging.js";
import { HalfDone } from "../core/half-done.js";
import { show, showShortly } from "../core/notices.js";
import { Outbox } from "../core/outbox.js";
import { Card, fields, lastCut } from "./view.js";

const pageState = JSON.parse(document.getElementById("page_state").textContent);
const form = document.getElementById("writing");
const versions = document.getElementById("versions");
const outbox = new Outbox(pageState.outbox);
const halfDone = new HalfDone(pageState.outbox);
const card = new Card(pageState);
const flag = flagging(
  sendFlag,
  () => halfDone.keep(pageState.assignment, flag.state),
  () => card.focus(),
);
const writing = new Drafting(form, pageState, card);
const { draft } = writing;

function moveCut(cut) {
  if (writing.isAside || cut < 1 || cut > lastCut || cut === card.cut) return;
  card.moveCut(cut);
  draft.changed();
}

writing.addEventListener("submit", flag.leave);
writing.onClick([
  ["[data-cut]", (line) => moveCut(Number(line.dataset.cut))],
  ["[data-version]", (button) => writing.go(button.formAction)],
]);
writing.onKey({
  "alt ArrowUp": () => moveCut(card.cut - 1),
  "alt ArrowDown": () => moveCut(card.cut + 1),
  "command shift F": flag.open,
});
form.addEventListener("input", ({ target }) => {
  if (!fields.includes(target)) return;
  card.clearFlaw(target);
  card.refresh();
  draft.changed();
});

// ---- flags ----------------------------------------------------------------------------------------------------------

function sendFlag(comment) {
  outbox.add(`${pageState.base}flag/`, { comment }, { pair: pageState });
}

outbox.addEventListener("stored", () => showShortly("flagged"));
outbox.addEventListener("refused", ({ detail: { entry, answer } }) => {
  show("refused", answer.message ?? pageState.words.flagLost.replace("{comment}", entry.body.comment));
});

// ---- versions -------------------------------------------------------------------------------------------------------

/** Compare the versions with the text now on the page. Without a connection the list is not updated. */
async function listVersions() {
  await draft.saveNow();
  const fresh = await newestPage();
  const isOfThisItem = fresh?.getElementById("writing")?.getAttribute("action") === form.getAttribute("action");
  if (isOfThisItem) document.getElementById("version-list").replaceWith(fresh.getElementById("version-list"));
}

async function newestPage() {
  try {
    const response = await fetch(pageState.here, { redirect: "error" });
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return null;
  }
}

versions.addEventListener("toggle", () => versions.open && listVersions());

// ---- the beginning --------------------------------------------------------------------------------------------------

showTroubleOf(draft, outbox);
card.moveCut(pageState.cut);
const begun = halfDone.of(pageState.assignment);
if (begun) flag.restore(begun);
outbox.send();
const goesOn = writing.begin();
const isAfterSkip = document.querySelector("[data-undo-skip]"); // whose key is not to be typed into a text
if (!goesOn && !isAfterSkip && fields.every((field) => !field.value)) fields[0].focus({ preventScroll: true });
