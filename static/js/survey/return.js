// The last page of a survey takes the person back to their platform by itself, once nothing of theirs waits in this
// browser: every answer is confirmed. It does so once; who comes back to this page can read it.

import { waiting } from "../core/outbox.js";

const SECONDS = 10;
const LOOK_MS = 1000;

/** Count down, then `leave`; the person can stay. Nothing happens while answers wait, and on a second visit. */
export function returnBySelf(outbox, leave) {
  const notice = document.getElementById("returning");
  const said = notice.querySelector("p");
  if (waiting(outbox) || hasReturned(outbox)) return;
  let left = SECONDS;
  said.textContent = said.dataset.text.replace("{seconds}", left);
  notice.hidden = false;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    noteReturn(outbox);
    leave();
  }, LOOK_MS);
  document.getElementById("stay").addEventListener("click", () => {
    clearInterval(timer);
    noteReturn(outbox);
    notice.hidden = true;
  });
}

function hasReturned(outbox) {
  try {
    return sessionStorage.getItem(`${outbox}:returned`) !== null;
  } catch {
    return true; // where nothing can be noted, the page would send them away each time
  }
}

function noteReturn(outbox) {
  try {
    sessionStorage.setItem(`${outbox}:returned`, "1");
  } catch {
    // see above
  }
}

const way = globalThis.document?.getElementById("return");
if (way) {
  const { outbox } = JSON.parse(document.getElementById("page_state").textContent);
  returnBySelf(outbox, () => (way.tagName === "FORM" ? way.requestSubmit() : location.assign(way.href)));
}
