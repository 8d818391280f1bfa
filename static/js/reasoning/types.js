// The page of reasoning types: a key for each of its buttons, and the time a choice took. The page is a plain form,
// with and without this script.

import "../core/skip-menu.js"; // first: its keys go before those of the types
import { isTyping } from "../core/keys.js";

const form = document.getElementById("types");
const KEYS = { "？": "?", ESCAPE: "Escape" };
const opened = performance.now();
let isSending = false;

form.addEventListener("submit", (event) => {
  if (isSending) event.preventDefault();
  isSending = true;
  form.elements.namedItem("milliseconds").value = Math.round(performance.now() - opened);
});

// Before the page's own keys: "?" is a choice here, not the list of keys.
document.addEventListener(
  "keydown",
  (event) => {
    if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const typed = (!event.shiftKey && event.code.match(/^(?:Digit|Numpad)([0-9])$/)?.[1]) || event.key.toUpperCase();
    const found = form.querySelector(`[aria-keyshortcuts="${CSS.escape(KEYS[typed] ?? typed)}"]`);
    if (!found) return;
    found.click();
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // the browser restored an old page
