// The adjudication page: the keys of the rating page, R to remove, and a decision that stays on the page until the
// server has stored it. Without this script the page is a plain form.

import { hide, show } from "../core/notices.js";
import { post } from "../core/outbox.js";
import "../core/skip-menu.js";
import { listen } from "../rating/keys.js";
import * as card from "../rating/view.js";

const form = document.getElementById("rating");
let isSending = false;

// ---- sending --------------------------------------------------------------------------------------------------------

async function send(url, body) {
  if (isSending) return;
  isSending = true;
  ["refused", "offline", "signed-out", "role-ended"].forEach(hide);
  const { outcome, answer } = await post(url, body);
  isSending = false;
  if (outcome === "stored") location.assign(answer.next);
  else if (outcome === "refused") show("refused", answer.message);
  else show(outcome === "unreachable" ? "offline" : outcome);
}

const decide = (body) => send(form.getAttribute("action"), body);

function choose(grade) {
  card.choose(grade);
  if (!card.reasonsOf(grade).length) decide({ grade });
}

const clicks = [
  ["input[name=grade]", (radio) => choose(radio.value)],
  ["input[name=reason]", (radio) => decide({ grade: card.chosenGrade(), reason: radio.value })],
  ["button[name=remove]", (button) => decide({ remove: button.value })],
  ["button[name=skip]", (button) => send(button.getAttribute("formaction"), { skip: button.value })],
];

form.addEventListener("click", ({ target }) => {
  const [clicked, act] =
    clicks.map(([selector, then]) => [target.closest(selector), then]).find(([found]) => found) ?? [];
  if (clicked) act(clicked);
});
form.addEventListener("mark", ({ target }) => target.name === "grade" && card.choose(target.value));
form.addEventListener("submit", (event) => !event.submitter?.matches("[data-undo-skip]") && event.preventDefault());

// ---- keys -----------------------------------------------------------------------------------------------------------

listen({
  undo: () => document.querySelector("#undo[aria-keyshortcuts]")?.click(),
  leave: () => document.getElementById("back")?.click(),
  isAside: () => false,
  typingSaves: Boolean(form.dataset.typingSaves),
});

// ---- the beginning --------------------------------------------------------------------------------------------------

document.querySelectorAll(".skip-reasons button").forEach((button) => {
  button.type = "button";
});
if (card.chosenGrade()) card.choose(card.chosenGrade());
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // the browser restored an old page
