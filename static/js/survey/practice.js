// The practice question: the same rows as in the survey, sent as a form.

import { hide, show } from "../core/notices.js";
import * as lines from "./lines.js";

const form = document.getElementById("survey");

if (form) {
  const { isWhole, listen } = form.querySelector(".rank-list") ? await import("./ranking.js") : lines;
  listen(form, {
    changed: () => isWhole(form) && hide("missing"),
    enter: () => form.requestSubmit(),
    previous: () => {},
    isAside: () => false,
  });
  lines.watchTheScreen(form).look(form);
  form.addEventListener("submit", (event) => {
    if (isWhole(form)) return;
    event.preventDefault();
    show("missing");
  });
}
