// Comparing runs: a choice loads the page again, S swaps the two, J and K go through the examples.

import { isTyping } from "../core/keys.js";

const form = document.querySelector("[data-on-change]");
const examples = [...document.querySelectorAll(".prediction")];
let at = -1;

form?.addEventListener("change", () => form.requestSubmit());
if (form) form.querySelector("[data-submit]").hidden = true;

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "s") document.querySelector("[data-swap]")?.click();
  if ((event.key === "j" || event.key === "k") && examples.length) {
    at = Math.max(0, Math.min(examples.length - 1, at + (event.key === "j" ? 1 : -1)));
    examples[at].scrollIntoView({ block: "start" });
    examples[at].focus({ preventScroll: true });
  }
});
