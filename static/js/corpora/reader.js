// A corpus: J and K lead to the next and previous dialogue; E, X and C edit, leave out and clear the one that is shown.

import { isTyping } from "../core/keys.js";

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (/^[jkexc]$/i.test(event.key)) document.querySelector(`[data-key="${event.key.toLowerCase()}"]`)?.click();
});
