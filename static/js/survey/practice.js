// The practice question: the same rows as in the survey, sent as a form.

import { hide, show } from "../core/notices.js";
import { choicesOf, listen } from "./lines.js";

const form = document.getElementById("survey");

if (form) {
  const isComplete = () => Object.values(choicesOf(form)).every(Boolean);
  listen(form, {
    changed: () => isComplete() && hide("missing"),
    enter: () => form.requestSubmit(),
    isAside: () => false,
  });
  form.addEventListener("submit", (event) => {
    if (isComplete()) return;
    event.preventDefault();
    show("missing");
  });
}
