// The practice question: the same rows as in the survey, sent as a form.

import { show } from "./notices.js";
import { choicesOf, listen } from "./survey-lines.js";

const form = document.getElementById("survey");

if (form) {
  listen(form, { changed: () => {}, enter: () => form.requestSubmit(), isAside: () => false });
  form.addEventListener("submit", (event) => {
    const { first, second } = choicesOf(form);
    if (first && second) return;
    event.preventDefault();
    show("missing");
  });
}
