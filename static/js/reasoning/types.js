// The page of reasoning types: a key for each of its buttons. A choice goes into the outbox, and the next instance,
// already in the page, is shown at once. Without this script the page is a plain form, one instance at a time.

import "../core/skip-menu.js"; // first: its keys go before those of the types
import { workAhead } from "../core/ahead.js";
import { isTyping } from "../core/keys.js";
import { counted } from "../core/notices.js";
import { clockTime } from "../core/saved.js";

const form = document.getElementById("types");
const KEYS = { "？": "?", ESCAPE: "Escape" };
const start = JSON.parse(document.getElementById("page_state").textContent);
const { words } = start;
const at = (id) => document.getElementById(id);

function showItem(instance, changing) {
  at("work").hidden = !instance;
  at("instance").innerHTML = instance?.html ?? ""; // of the server's template
  at("changing").hidden = !changing;
  if (changing) at("changing").querySelector("[data-text]").textContent = named(words.changing, changing);
  for (const button of form.querySelectorAll("button[name=answer]"))
    button.classList.toggle("is-first", button.value === changing?.answer);
  scrollTo(0, 0);
  at("work").focus({ preventScroll: true });
}

function showRest(pageState, outbox) {
  const last = pageState.past.find(({ skipped }) => !skipped);
  const isStored = last && !outbox.entries.some(({ about }) => about.pair.assignment === last.assignment);
  at("last").classList.toggle("saved-stored", Boolean(isStored));
  at("last").classList.toggle("saved-waiting", Boolean(last && !isStored));
  at("last").querySelector("[data-text]").textContent = last
    ? named(isStored ? words.stored.replace("{time}", clockTime(new Date(last.at))) : words.chosen, last)
    : counted(words.done, pageState.today);
  at("last").hidden = !last && !pageState.today;
  const place = document.querySelector(".crumbs [aria-current=page]");
  place.textContent = pageState.left ? words.place.replace("{left}", pageState.left) : words.title;
}

function named(text, { answer }) {
  return text.replace("{type}", words.types[answer]);
}

const work = workAhead(form, start, { showItem, showRest });

form.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=answer]");
  if (!button) return;
  event.preventDefault();
  work.give({ answer: button.value }, { milliseconds: String(work.milliseconds) });
});

// Before the page's own keys: "?" is a choice here, not the list of keys.
document.addEventListener(
  "keydown",
  (event) => {
    if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const typed = (!event.shiftKey && event.code.match(/^(?:Digit|Numpad)([0-9])$/)?.[1]) || event.key.toUpperCase();
    const key = KEYS[typed] ?? typed;
    if (key === "Z") work.undo();
    else if (!press(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

function press(key) {
  const found = form.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!found || found.closest("[hidden], [inert]")) return false;
  found.click();
  return true;
}
