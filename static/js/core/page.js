// On every page: a person's own keys, the list of keys, "g h" for home, "g b" for the board, "/" for the search, the
// browser's own colour scheme behind the theme switch, both switches while there is no connection, its time zone for the
// times on pages, the field to mend after a refusal, buttons that copy, parts that follow the server, and the menu of
// narrow screens.

import "./copy.js";
import { areSingleKeysOff, followTheSwitch, isSingle, isTyping, typed } from "./keys.js";
import { follow } from "./poll.js";
import "./to-mend.js";

// A shortcut listens to its usual key. Where the person has put it on another one (core/presenters/own_keys.py), a press of
// that is passed on as the usual one. Single keys can be off: on the account, and on a device for who has none (WCAG 2.1.4).
// An own key that is empty is none.

const { ownOf } = JSON.parse(document.documentElement.dataset.ownKeys ?? '{"ownOf":{}}');
const usualOf = Object.fromEntries(Object.entries(ownOf).map(([usual, own]) => [own, usual]));

const search = document.querySelector("input[type=search]");
const board = document.querySelector(".rail [data-after-g=b]");
const goesByG = !usualOf.G; // unless the person has put another act on g
const WAYS = { h: () => location.assign("/"), b: board && (() => board.click()) };
let afterG = false;

addEventListener("keydown", goByG, { capture: true }); // before a person's own keys: g, h and b are those that are pressed
addEventListener("keydown", passOn, { capture: true }); // before the keys of the page

function goByG(event) {
  if (!event.isTrusted) return; // passed on as the usual key
  const isShortcut = !(isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || areSingleKeysOff());
  const go = isShortcut && afterG && WAYS[event.key];
  afterG = isShortcut && goesByG && event.key === "g";
  if (!go) return;
  event.stopImmediatePropagation();
  go();
}

function passOn(event) {
  const { key, ctrlKey, metaKey, altKey, isTrusted } = event;
  if (!isTrusted || key.length !== 1 || key === " " || ctrlKey || metaKey || altKey || isTyping(event)) return;
  const pressed = typed(event);
  if (areSingleKeysOff()) event.stopImmediatePropagation();
  else if (usualOf[pressed]) {
    event.stopImmediatePropagation();
    const usual = { key: usualOf[pressed].toLowerCase(), code: `Key${usualOf[pressed]}`, repeat: event.repeat };
    if (!event.target.dispatchEvent(new KeyboardEvent("keydown", { ...usual, bubbles: true, cancelable: true })))
      event.preventDefault();
  } else if (pressed in ownOf) event.stopImmediatePropagation();
}

/** Print the person's own keys, and mark the single ones. */
function showOwnKeys() {
  for (const shown of document.querySelectorAll("kbd:not([data-own])")) {
    shown.dataset.own = "";
    shown.textContent = shown.textContent.replace(/(?<![\w])[A-Z](?!\w)/g, (usual) => ownOf[usual] ?? usual);
    shown.classList.toggle("single-key", isSingle(shown.textContent));
  }
}

if (document.documentElement.dataset.ownKeys || document.querySelector("[data-keys-off-here]")) {
  showOwnKeys();
  new MutationObserver(showOwnKeys).observe(document.body, { childList: true, subtree: true });
}

followTheSwitch();

const keys = document.getElementById("keys");

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?" && keys) keys.showModal();
  if (event.key === "/" && search) {
    event.preventDefault(); // keeps the key out of the search field
    search.focus();
  }
});

for (const button of document.querySelectorAll("[data-show-keys]")) {
  button.addEventListener("click", () => keys.showModal());
}
for (const [name, target] of [
  ["search", search],
  ["home", goesByG],
  ["board", goesByG && board],
]) {
  document.querySelectorAll(`[data-key-${name}]`).forEach((line) => {
    line.hidden = !target;
  });
}

// Until the person chooses a theme, the server does not know the system's: make the switch lead to the other one.
document.querySelectorAll("[data-theme-switch]").forEach((button) => {
  const forced = document.documentElement.dataset.theme;
  const dark = forced ? forced === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  button.value = dark ? "light" : "dark";
});

// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only under HTTPS
document.cookie = `timezone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;

// Without a connection a switch would replace the page, and the work on it, by the browser's error page.
const needing = document.querySelectorAll("[data-needs-server]");
const enableSwitches = () =>
  needing.forEach((button) => {
    button.disabled = !navigator.onLine;
  });
addEventListener("online", enableSwitches);
addEventListener("offline", enableSwitches);
enableSwitches();

for (const { id } of document.querySelectorAll("[data-poll]")) follow(id);

const menu = document.querySelector(".menu");
if (menu) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
