// The cleaning page. A decision goes into the outbox, and the next pair, already in the page, is shown at once;
// responses of the server bring further pairs. Without this script the page is a plain form, one pair at a time.

import { isBounce } from "../core/bounce.js";
import { showInstead } from "../core/focus.js";
import { isTyping } from "../core/keys.js";
import { add, counted, hide, show, showShortly, showTrouble } from "../core/notices.js";
import { Outbox, post } from "../core/outbox.js";
import { clockTime, showSaved } from "../core/saved.js";
import { workHere } from "../core/tabs.js";

const LAST = 5; // own decisions shown
const COMING = 2;
const VERDICT_OF = { k: "keep", s: "sensitive", d: "knowledge" };

const start = JSON.parse(document.getElementById("page_state").textContent);
const { words } = start;
const form = document.getElementById("cleaning");
const outbox = new Outbox(start.outbox);

let { pairs, past, left } = start; // as on the server; what the outbox holds is applied on top
let isAside = false; // the work is in another tab
let shown;
let shownAt = 0;

// ---- the pair shown -------------------------------------------------------------------------------------------------

/** Apply what the outbox holds, which the page shows as done. */
function view() {
  let waiting = [...pairs];
  let decided = [...past];
  for (const { about } of outbox.entries) {
    waiting = waiting.filter(({ assignment }) => assignment !== about.pair.assignment);
    decided = decided.filter(({ assignment }) => assignment !== about.pair.assignment);
    if (!about.verdict) waiting.unshift({ ...about.pair, verdict: "" });
    else decided.unshift({ ...about.pair, verdict: about.verdict, verdict_name: words.verdicts[about.verdict] });
    // Pairs removed with their prompt need no decision.
    if (about.verdict === "knowledge") waiting = waiting.filter(({ prompt }) => prompt.text !== about.pair.prompt.text);
  }
  return { waiting, decided: decided.slice(0, LAST) };
}

function render() {
  const { waiting, decided } = view();
  const [pair] = waiting;
  if (pair) showPair(pair);
  for (const [id, isThere] of [
    ["pair", pair],
    ["verdicts", pair],
    ["undo", decided.length],
  ])
    at(id).hidden = !isThere;
  for (const id of ["verdicts", "undo"]) at(id).inert = isClosed();
  showInstead(at("nothing"), !pair && !outbox.entries.length);
  list("coming", at("coming").querySelector("template"), waiting.slice(1, 1 + COMING), ({ prompt, response }) => [
    prompt,
    response,
  ]);
  at("coming").hidden = waiting.length < 2;
  list("past", at("past-line"), decided, ({ verdict_name, response }) => [{ text: verdict_name, lang: "" }, response]);
  at("no-past").hidden = decided.length > 0;
  const gone = outbox.entries.reduce((sum, { about }) => sum + (about.verdict ? 1 : -1), 0);
  form.querySelector("[data-left]").textContent = words.left.replace("{count}", Math.max(left - gone, waiting.length));
  if (pair?.assignment !== shown) shownAt = performance.now();
  shown = pair?.assignment;
}

function showPair(pair) {
  for (const part of ["prompt", "response"]) {
    const line = form.querySelector(`[data-${part}]`);
    line.lang = pair[part].lang;
    line.replaceChildren(...pair[part].pieces.map(([text, isMarked]) => (isMarked ? mark(text) : text)));
  }
  form.querySelector("[data-about]").textContent = pair.about && `· ${pair.about}`;
  form.querySelector("[data-rules]").hidden = !pair.rules.length;
  form.querySelector("[data-rules] > span").textContent = pair.rules.join(" · ");
  form.querySelector("[data-unmarked]").hidden = pair.rules.length > 0;
  form.querySelector("[data-whole]").textContent = pair.whole;
}

function mark(text) {
  const element = document.createElement("mark");
  element.textContent = text;
  return element;
}

function list(id, template, rows, textsOf) {
  const target = at(id).matches("ul") ? at(id) : at(id).querySelector("ul");
  target.replaceChildren(
    ...rows.map((row) => {
      const line = template.content.cloneNode(true).firstElementChild;
      textsOf(row).forEach(({ text, lang }, index) => {
        line.children[index].textContent = text;
        if (lang) line.children[index].lang = lang;
      });
      return line;
    }),
  );
}

/** Whether nothing can be done here: the work is in another tab, or the person was removed from the project. */
function isClosed() {
  return isAside || outbox.trouble === "role-ended";
}

function at(id) {
  return document.getElementById(id);
}

// ---- what a person does ---------------------------------------------------------------------------------------------

function decide(verdict) {
  const [pair] = view().waiting;
  if (!pair || isClosed() || isBounce(shownAt)) return;
  outbox.add(`${start.base}${pair.assignment}/decide/`, { verdict }, { pair, verdict });
  render();
}

function undo() {
  const [pair] = view().decided;
  if (!pair || isClosed()) return;
  outbox.add(`${start.base}${pair.assignment}/undo/`, {}, { pair, verdict: "" });
  render();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.id === "undo") undo();
  else if (event.submitter?.name === "verdict") decide(event.submitter.value);
});
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  if (key === "z") undo();
  else if (VERDICT_OF[key]) decide(VERDICT_OF[key]);
});

// ---- what the server says -------------------------------------------------------------------------------------------

function absorb(answer) {
  ({ pairs, past, left } = answer);
  render();
}

/** Ask the server for the held pairs: after a refusal, or when the page was left open. */
async function refresh() {
  const { outcome, answer } = await post(`${start.base}next/`, {});
  if (outcome === "stored") absorb(answer);
}

outbox.addEventListener("stored", ({ detail: { answer } }) => absorb(answer));
outbox.addEventListener("refused", ({ detail: { answer } }) => {
  add("refused", answer.message ?? words.refused);
  refresh();
});
outbox.addEventListener("change", () => {
  showTrouble(outbox, words);
  render();
});
outbox.addEventListener("arrived", ({ detail: { count } }) => showShortly("arrived", counted(words.arrived, count)));

// ---- other tabs, and the beginning ----------------------------------------------------------------------------------

const claim = workHere(start.outbox, () => {
  isAside = true;
  show("elsewhere", words.elsewhere.replace("{time}", clockTime(new Date(), false)));
});
at("take-over").addEventListener("click", () => {
  isAside = false;
  hide("elsewhere");
  claim();
  refresh();
});
addEventListener("pageshow", ({ persisted }) => (persisted || outbox.isAheadOfPage) && refresh());
showSaved(outbox, words);
render();
outbox.send();
