// The page that starts runs: each change asks the server for the page as it would be, and replaces the form by it.
// Ctrl Enter starts.

import { replace } from "../core/poll.js";

let asked = 0;

/** Send the form to be checked; of several answers only that to the last change is shown. */
async function check() {
  const form = document.getElementById("start");
  const body = new FormData(form);
  body.set("check", "1");
  asked += 1;
  const own = asked;
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers });
    if (!response.ok || own !== asked) return;
    const template = document.createElement("template");
    template.innerHTML = (await response.json()).html;
    replace(template.content.getElementById("start"));
    ready();
  } catch {
    // Without a connection the page stays as it is; its buttons work again with one.
  }
}

/** Keep the key of this visit: the page to which Back leads, or that is loaded again, sends what was sent before. */
function keepKey() {
  const { key } = document.getElementById("start").elements;
  key.value = history.state?.key ?? key.value;
  history.replaceState({ ...history.state, key: key.value }, "");
}

/** Show what needs this script, and hide what stands in for it. */
function ready() {
  const form = document.getElementById("start");
  form.querySelector("[data-check]").hidden = true;
  for (const button of form.querySelectorAll("[data-default]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      document.getElementById(button.dataset.for).value = button.dataset.default;
      check();
    });
  }
}

if (document.getElementById("start")) {
  keepKey();
  ready();
  document.addEventListener("change", (event) => {
    if (event.target.closest("#start")) check();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter" && !event.isComposing) document.querySelector("[data-start]").click();
  });
}
