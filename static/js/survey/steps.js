// The pages before and after the questions: what a form says is sent once the server can be reached, so that no page of
// the browser's own takes the place of ours, and with it all that was filled in. Later it goes on by itself.

import { hide, show } from "../core/notices.js";
import { gives, isThere } from "./others.js";

const SLOW_MS = 5000;
const { asks } = document.querySelector('[data-notice="waits"]').dataset; // an address that any person may ask for

/** Return once the server can be reached; until then the notice says that it is waited for. */
async function reachable() {
  const slow = setTimeout(show, SLOW_MS, "waits");
  if (!(await gives(asks))) {
    show("waits");
    await isThere(asks);
  }
  clearTimeout(slow);
  hide("waits");
}

let proceed = null; // what was pressed last, done once the server can be reached
let hasGone = false;

/** Go on once the server can be reached, by what was pressed last; never twice, however often it is pressed. */
async function goOn(pressed) {
  const isWaiting = proceed !== null;
  if (!hasGone) proceed = pressed;
  if (isWaiting) return;
  await reachable();
  hasGone = true;
  proceed();
}

addEventListener("pageshow", ({ persisted }) => {
  if (persisted) [proceed, hasGone] = [null, false]; // the browser's Back brings the page as it was left
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || new URL(form.getAttribute("action") ?? "", location).origin !== location.origin) return;
  event.preventDefault();
  goOn(() => {
    const pressed = submitter?.name ? form.appendChild(hidden(submitter)) : null;
    HTMLFormElement.prototype.submit.call(form); // does not come here again; a field may be called "submit"
    pressed?.remove();
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || link.hash || isElsewhere(event)) return;
  event.preventDefault();
  goOn(() => location.assign(link.href));
});

/** Return a field that says which button was pressed. */
function hidden({ name, value }) {
  return Object.assign(document.createElement("input"), { type: "hidden", name, value });
}

/** Tell whether a click opens a tab of its own. */
const isElsewhere = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
