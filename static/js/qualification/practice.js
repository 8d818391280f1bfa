// Practice: a grade opens its reasons; a reason, or a grade without reasons, is sent. The server shows the known grade.

import { isSecondTap } from "../core/bounce.js";
import { listen } from "../rating/keys.js";
import { choose, reasonsOf } from "../rating/view.js";

const form = document.getElementById("rating");
let isSent = false;
let openedAt = 0;

function send() {
  if (!isSent) form.requestSubmit();
  isSent = true;
}

form.addEventListener("click", (event) => {
  const { target } = event;
  if (!target.matches("input[type=radio]")) return;
  if (target.name === "reason") return isSecondTap(openedAt) ? event.preventDefault() : send();
  openedAt = performance.now();
  form.querySelectorAll("input[name=reason]").forEach((radio) => {
    radio.checked = false;
  });
  choose(target.value);
  if (!reasonsOf(target.value).length) send();
});
form.addEventListener("mark", ({ target }) => target.name === "grade" && choose(target.value));
const next = document.getElementById("next"); // there once the pair is graded
if (next) next.focus({ preventScroll: true });
else listen({ undo() {}, leave() {}, isAside: () => isSent, typingSaves: "typingSaves" in form.dataset });
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
}); // the browser restored an old page
