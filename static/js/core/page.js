// On every page: the list of keys, "g h" for home, "/" for the search, the browser's own colour scheme behind the theme
// switch, both switches while there is no connection, its time zone for the times on pages, buttons that copy, parts
// that follow the server, and the menu of narrow screens.

import "./copy.js";
import { isTyping } from "./keys.js";
import { follow } from "./poll.js";

const keys = document.getElementById("keys");
const search = document.querySelector("input[type=search]");
let afterG = false;

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?" && keys) keys.showModal();
  if (event.key === "/" && search) {
    event.preventDefault(); // keeps the key out of the search field
    search.focus();
  }
  if (afterG && event.key === "h") location.assign("/");
  afterG = event.key === "g";
});

for (const button of document.querySelectorAll("[data-show-keys]")) {
  button.addEventListener("click", () => keys.showModal());
}
document.querySelectorAll("[data-key-search]").forEach((line) => {
  line.hidden = !search;
});

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
