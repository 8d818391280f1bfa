// The key for the button that undoes the last skip, on pages without other keys for going back.

import { isTyping } from "./keys.js";

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toUpperCase() === "Z" && !document.querySelector("dialog[open]"))
    document.querySelector("[data-undo-skip]").click();
});
