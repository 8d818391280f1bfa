// The editor of a guideline. What is written is saved as a draft a moment after typing stops, and the preview, the list
// of changes and the marks at fields follow each save. Ctrl Enter publishes, Alt ↑ ↓ moves a type. Without this script
// the page is a plain form, whose buttons save the draft.

import { ask } from "../core/ask.js";
import { Drafting, showTroubleOf } from "../core/drafting.js";
import { hide } from "../core/notices.js";
import { parsed, replace, replaceParts } from "../core/poll.js";

const pageState = JSON.parse(document.getElementById("page_state").textContent);
const form = document.getElementById("guideline");
const NOT_TEXTS = ["csrfmiddlewaretoken", "revision"];
let endsWithSave = false; // of what is said: a refused save and a lost connection do, a refused publish does not
let kept; // what this browser kept, until the page has its rows

const card = {
  get content() {
    return kept ?? Object.fromEntries([...new FormData(form)].filter(([name]) => !NOT_TEXTS.includes(name)));
  },

  get hasText() {
    return Boolean(pageState.savedAt) || draft.isUnsaved || Boolean(draft.kept);
  },

  fill(content) {
    if (rowsIn(content) !== rowsIn(card.content)) kept = content;
    for (const field of form.querySelectorAll("[name]")) {
      if (field.type === "checkbox") field.checked = field.name in content;
      else if (field.name in content && !NOT_TEXTS.includes(field.name)) field.value = content[field.name];
    }
  },

  /** Show what is wrong: [{field, sentence}] with the id of a field or of a grade; empty to clear. */
  showFlaws(flaws) {
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    document.querySelector("[data-flaws]").replaceChildren(...flaws.map(flawRow));
    for (const { field } of flaws) if (form.elements[field]) form.elements[field].setAttribute("aria-invalid", "true");
  },
};

const editing = new Drafting(form, pageState, card);
const { draft } = editing;

function flawRow({ field, sentence }) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#${field}`;
  link.textContent = sentence;
  row.append(link);
  return row;
}

/** Return the names of the rows in a content, to tell whether two have the same. */
function rowsIn(content) {
  const names = Object.keys(content).filter((name) => /^g\d+-(grade|t\d+-key)$/.test(name));
  return names.sort().join();
}

/** Let the page follow the server's answer; its fields, too, where they are on top of another person's version now. */
function renew({ html, seen }, isTyping = draft.isUnsaved) {
  replaceParts(html);
  if (form.elements.seen.value !== String(seen) && !isTyping) {
    form.elements.seen.value = seen;
    replaceRows(html);
    replaceWords(html);
  }
  if (kept) replaceRows(html);
  kept = undefined;
  ready();
}

function replaceRows(html) {
  replace(parsed(html).content.getElementById("guide-rows"));
}

/** Take over the words that stand before the grades. */
function replaceWords(html) {
  for (const { name, value } of parsed(html).content.querySelectorAll("[name^=prose-], [name^=prompt-]"))
    if (form.elements[name]) form.elements[name].value = value;
}

/** Nothing is published as long as nothing differs; a keystroke makes that uncertain until the next save. */
function ready() {
  const isUnchanged = "unchanged" in document.getElementById("guide-acts").dataset;
  document.getElementById("publish-version").disabled = isUnchanged && !draft.isUnsaved;
}

/** Add, remove or move a row, which the server does. */
async function edit(act) {
  if (editing.isAside) return;
  const rows = document.getElementById("guide-rows");
  const { name, selectionStart } = document.activeElement;
  rows.inert = true; // what was typed meanwhile would be lost
  const { outcome, answer } = await editing.send(`${pageState.base}save/`, { edit: act });
  rows.inert = false;
  if (outcome === "stored") replaceRows(answer.html);
  const field = outcome === "stored" ? fieldAfter(act, name) : form.querySelector(`[name="${name}"]:not(button)`);
  field?.focus();
  if (name && field?.name !== "edit") field?.setSelectionRange?.(selectionStart, selectionStart);
}

/** Return where the person goes on after an edit: the new row, the moved type (in the field of this name), or the next button. */
function fieldAfter(act, name) {
  const [, verb, row, number] = act.match(/^(add|drop|up|down)-(g\d+|lower|higher)(?:-t(\d+))?$/);
  const rows = document.getElementById("guide-rows");
  const text = "input:not([type=hidden])";
  if (verb === "drop") return rows.querySelector(`[value=add-${row}]`);
  if (row === "lower") return rows.querySelector(text);
  if (row === "higher") return [...rows.querySelectorAll(".grade-edit")].at(-1).querySelector(text);
  if (verb === "add")
    return [...document.getElementById(row).querySelectorAll("[data-type]")].at(-1).querySelector(text);
  const place = `${row}-t${Number(number) + (verb === "up" ? -1 : 1)}`;
  const moved = form.elements[name?.replace(`${row}-t${number}`, place)];
  if (name !== "edit") return moved;
  const moves = [verb, verb === "up" ? "down" : "up"].map((way) => rows.querySelector(`[value=${way}-${place}]`));
  return moves.find((button) => !button.disabled);
}

async function publish() {
  const answer = await leave(pageState.here, pageState.words.notPublished);
  if (answer?.html) renew(answer, false);
}

async function discard() {
  if (!editing.isAside && (await ask("ask-discard"))) leave(`${pageState.base}discard/`, pageState.words.notDiscarded);
}

/** Send what leads on to another page; without a connection, say that it was not done. Returns the answer. */
async function leave(url, notDone) {
  const { outcome, answer } = await editing.send(url);
  if (outcome === "stored") location.assign(answer.next);
  else if (outcome === "unreachable") editing.refuse({ message: notDone });
  endsWithSave = outcome === "unreachable";
  return answer;
}

editing.onClick([
  ["#publish-version", () => editing.submit()],
  ["#discard", discard],
  ["[name=edit]", ({ value }) => edit(value)],
]);
editing.onKey({});
editing.addEventListener("submit", (event) => {
  event.preventDefault();
  publish();
});
draft.addEventListener("refused", () => {
  endsWithSave = true;
});
draft.addEventListener("stored", ({ detail }) => {
  if (endsWithSave) {
    hide("refused");
    card.showFlaws([]);
    endsWithSave = false;
  }
  if (detail.answer.html) renew(detail.answer);
});
form.addEventListener("input", ({ target }) => {
  target.removeAttribute("aria-invalid");
  draft.changed();
  ready();
});
form.addEventListener("keydown", (event) => {
  const { key, altKey, ctrlKey, metaKey, isComposing, target } = event;
  if (isComposing || ctrlKey || metaKey) return;
  if (key === "Enter" && target.matches("input")) event.preventDefault(); // a form would press its first button
  const place = target.closest("[data-type]")?.dataset.type;
  const verb = { ArrowUp: "up", ArrowDown: "down" }[key];
  if (!altKey || !place || !verb) return;
  event.preventDefault();
  if (document.querySelector(`[name=edit][value=${verb}-${place}]:enabled`)) edit(`${verb}-${place}`);
});

showTroubleOf([draft], editing.ended);
editing.begin();
ready();
