// The page of transcripts. What is written is saved as one draft a moment after the typing stops; a submission is
// checked by the server. Without this script the page is a plain form with Save and Submit.

import { Drafting, showTroubleOf } from "../core/drafting.js";
import { show } from "../core/notices.js";
import { player } from "./player.js";
import { Turns } from "./turns.js";

const pageState = JSON.parse(document.getElementById("page_state").textContent);
const { words } = pageState;
const form = document.getElementById("transcript");
const removed = document.getElementById("removed");
const turns = new Turns(words);
const audio = player(() => show("silent", words.silent));

const card = {
  get content() {
    const choice = form.querySelector("[name=answer]:checked");
    return { turns: turns.value, answer: choice && Number(choice.value) };
  },

  get hasText() {
    return draft.revision > 0 || draft.isUnsaved;
  },

  fill(content) {
    turns.fill(content.turns);
    form.querySelectorAll("[name=answer]").forEach((choice) => {
      choice.checked = Number(choice.value) === content.answer;
    });
  },

  /** Show what prevents a submission: [{field, sentence}] with a turn's number, "turns" or "answer"; empty to clear. */
  showFlaws(flaws) {
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    form.querySelector("[data-flaws]").replaceChildren(...flaws.map(flawRow));
    for (const { field } of flaws) fieldOf(field).setAttribute("aria-invalid", "true");
    if (flaws.length) fieldOf(flaws[0].field).focus();
  },
};

const correcting = new Drafting(form, pageState, card);
const { draft } = correcting;

correcting.onClick([
  ["#add", () => turns.add()],
  ["#put-back", () => turns.putBack()],
]);
correcting.onKey({
  ...audio,
  "alt ArrowUp": () => turns.step(-1),
  "alt ArrowDown": () => turns.step(1),
  "command shift Enter": () => turns.splitHere(),
});
form.addEventListener("input", ({ target }) => {
  target.removeAttribute("aria-invalid");
  draft.changed();
});
turns.addEventListener("change", ({ detail }) => {
  removed.hidden = !detail.removed;
  if (detail.removed)
    removed.querySelector("[data-text]").textContent = words.removed.replace("{number}", detail.removed);
  draft.changed();
});

function flawRow({ field, sentence }) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = { answer: "#choices", turns: "#turns" }[field] ?? `#turn-${field}`;
  link.textContent = sentence;
  row.append(link);
  return row;
}

/** Return the field in which a flaw is revised; of a turn's two fields the empty one. */
function fieldOf(field) {
  if (field === "answer") return form.querySelector("[name=answer]");
  const row = document.getElementById(`turn-${field === "turns" ? 0 : field}`);
  const fields = [...(row?.querySelectorAll("[name]") ?? [document.getElementById("add")])];
  return fields.find(({ value }) => !value.trim()) ?? fields.at(-1);
}

showTroubleOf([draft], correcting.ended);
correcting.begin();
