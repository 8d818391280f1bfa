// A run: J and K go through its predictions, W to the wrong ones.

import { isTyping } from "../core/keys.js";

const predictions = [...document.querySelectorAll(".prediction")];
let at = -1;

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "w") document.querySelector('.segments a[href^="?outcome=wrong"]')?.click();
  if ((event.key === "j" || event.key === "k") && predictions.length) {
    at = Math.max(0, Math.min(predictions.length - 1, at + (event.key === "j" ? 1 : -1)));
    predictions[at].scrollIntoView({ block: "start" });
    predictions[at].focus({ preventScroll: true });
  }
});
