// The menus of reasons, to skip or to remove: each opens by the key that its button names, also from within a text if
// that key is one with Ctrl or ⌘. While one is open, digits choose its reasons, arrows move, Esc closes it, and no other
// shortcut acts.

import { isTyping, typed } from "./keys.js";

let menus = [];
const opened = () => menus.find((menu) => menu.open);
let leftFrom; // what had the focus when a key opened the menu

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229 || document.querySelector("dialog[open]")) return;
    const [menu, asked] = [opened(), menus.find((each) => isUsable(each) && isKeyOf(each, event))];
    if (!asked && (!menu || isTyping(event) || isHeld(event))) return;
    event.stopImmediatePropagation();
    if (event.repeat && !event.key.startsWith("Arrow")) event.preventDefault();
    else if (asked ? toggle(asked) : press(menu, event)) event.preventDefault();
  },
  { capture: true }, // before the keys of the page
);

/** Look for the menus on the page, once its content was replaced. */
export function findMenus() {
  menus = [...document.querySelectorAll("details.skip:has(.skip-reasons button[value])")];
  menus.forEach(watch);
}

function watch(menu) {
  menu.addEventListener("toggle", () => {
    if (menu.open) menu.querySelector(".skip-reasons").scrollIntoView({ block: "nearest" }); // on a low window
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!relatedTarget || menu.contains(relatedTarget) || relatedTarget.closest("dialog")) return;
    menu.open = false;
    leftFrom = null;
  });
}

findMenus();

/** Close the menu that is open; the focus goes back to where it was before a key opened it. */
export function closeMenu() {
  const menu = opened();
  if (!menu) return;
  menu.open = false;
  leftFrom?.focus({ preventScroll: true });
  leftFrom = null;
}

function isUsable(menu) {
  return !menu.hidden && !menu.closest("[inert]");
}

function isHeld({ ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey;
}

function isKeyOf(menu, event) {
  const shortcut = menu.querySelector("summary").getAttribute("aria-keyshortcuts");
  if (event.key.toUpperCase() !== shortcut.at(-1)) return false;
  if (!isHeld(event)) return !isTyping(event);
  return shortcut.startsWith("Control+Shift+") && event.shiftKey && !event.altKey;
}

function toggle(menu) {
  const wasOpen = menu.open;
  closeMenu();
  if (wasOpen) return true;
  leftFrom = document.activeElement;
  menu.open = true;
  reasonsOf(menu)[0].focus();
  return true;
}

function press(menu, event) {
  const key = typed(event);
  const reasons = reasonsOf(menu);
  if (key === "ESCAPE") closeMenu();
  else if (key === "ARROWDOWN" || key === "ARROWUP") {
    const next = reasons.indexOf(document.activeElement) + (key === "ARROWDOWN" ? 1 : -1);
    reasons[Math.min(Math.max(next, 0), reasons.length - 1)].focus();
  } else if (reasons[key - 1]) reasons[key - 1].click();
  else return false;
  return true;
}

function reasonsOf(menu) {
  return [...menu.querySelectorAll(".skip-reasons button")];
}
