// The adjudication page: the keys of the rating page, and R to remove. A decision goes into the outbox, and the next
// pair, already in the page, is shown at once. Without this script the page is a plain form, one pair at a time.

import { workAhead } from "../core/ahead.js";
import { counted } from "../core/notices.js";
import { listen } from "../rating/keys.js";
import * as card from "../rating/view.js";

const form = document.getElementById("rating");
const start = JSON.parse(document.getElementById("page_state").textContent);
const { words } = start;
const at = (id) => document.getElementById(id);

function showItem(pair, changing) {
  for (const id of ["pair", "grading", "remove", "intro"]) at(id).hidden = !pair;
  at("changing").hidden = !changing;
  if (pair) card.showChoices(pair);
  if (changing) at("changing").querySelector("[data-text]").textContent = changingWords(changing);
}

function changingWords({ remove }) {
  return remove ? words.changingRemoved.replace("{reason}", words.removals[remove]) : words.changing;
}

function showRest({ left }) {
  at("intro").querySelector("[data-left]").textContent = left ? counted(words.left, left) : "";
}

const work = workAhead(form, start, { showItem, showRest });

function choose(grade) {
  card.choose(grade);
  if (!card.reasonsOf(grade).length) work.give({ grade, reason: "", remove: "" });
}

const clicks = [
  ["input[name=grade]", (radio) => choose(radio.value)],
  ["input[name=reason]", (radio) => work.give({ grade: card.chosenGrade(), reason: radio.value, remove: "" })],
  ["button[name=remove]", (button) => work.give({ grade: "", reason: "", remove: button.value })],
];

form.addEventListener("click", ({ target }) => {
  const [clicked, act] =
    clicks.map(([selector, then]) => [target.closest(selector), then]).find(([found]) => found) ?? [];
  if (clicked) act(clicked);
});
form.addEventListener("mark", ({ target }) => target.name === "grade" && card.choose(target.value));
listen({
  undo: work.undo,
  leave: work.leave,
  isAside: work.isClosed,
  typingSaves: Boolean(form.dataset.typingSaves),
});
