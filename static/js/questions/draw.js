// The page that draws questions: each change asks the server what it would draw, and replaces the form by the answer.
// 1 2 3 choose how the false ones are picked, N shows another example, Ctrl Enter draws.

import { isTyping, typed } from "../core/keys.js";
import { replace } from "../core/poll.js";

const TEXT = "input:not([type=radio]):not([type=checkbox]):not([type=hidden])";
let asked = 0;

/** Show what the form would draw; of several answers only that to the last change. What is typed since stays. */
async function look() {
  const form = document.getElementById("draw");
  const body = new FormData(form);
  body.set("look", "1");
  asked += 1;
  const own = asked;
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers });
    if (!response.ok || own !== asked) return;
    const template = document.createElement("template");
    template.innerHTML = (await response.json()).html;
    const fresh = template.content.getElementById("draw");
    for (const field of form.querySelectorAll(TEXT)) fresh.elements[field.name].value = field.value;
    replace(fresh);
    ready();
  } catch {
    // Without a connection the page stays as it is; its buttons work again with one.
  }
}

function another() {
  const { example } = document.getElementById("draw").elements;
  example.value = Number(example.value) + 1;
  look();
}

function ready() {
  document.querySelector("[data-look]").hidden = true;
}

if (document.getElementById("draw")) {
  ready();
  document.addEventListener("change", (event) => {
    if (event.target.closest("#draw")) look();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#another") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    another();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter" && !event.isComposing) document.querySelector("[data-draw]").click();
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = typed(event);
    const picks = document.querySelectorAll("[name=pick]");
    if (key === "N" && document.getElementById("another")) another();
    else picks[Number(key) - 1]?.click();
  });
}
