// Work in this browser that could not be sent yet: the home page shows how much there is, and the page that sends it.

import { counted } from "./notices.js";
import { waiting } from "./outbox.js";

document.querySelectorAll("[data-unsent]").forEach((line) => {
  const count = waiting(line.dataset.unsent);
  const text = line.querySelector("[data-one]");
  if (count) text.textContent = counted([text.dataset.one, text.dataset.several], count);
  line.hidden = !count;
});
