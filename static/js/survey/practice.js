// The practice question: the same rows as in the survey, sent as a form.

import { hide, show } from "../core/notices.js";
import { askedIn } from "./lines.js";

const form = document.getElementById("survey");

if (form) {
  const { isWhole, listen } = await askedIn(form);
  listen(form, {
    changed: () => isWhole(form) && hide("missing"),
    enter: () => form.requestSubmit(),
    isAside: () => false,
  });
  form.addEventListener("submit", (event) => {
    if (isWhole(form)) return;
    event.preventDefault();
    show("missing");
  });
}
