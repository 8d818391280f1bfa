// The key for the button that undoes the last skip; it has none where Z goes back to something newer.

import { isTyping } from "./keys.js";

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toUpperCase() === "Z" && !document.querySelector("dialog[open]"))
    document.querySelector("[data-undo-skip][aria-keyshortcuts]")?.click();
});
