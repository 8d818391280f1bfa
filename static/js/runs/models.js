// The table of models: two ticks fill the button that compares, keys N (new run), X (tick a row), C (compare).

import { isTyping } from "../core/keys.js";

const button = document.querySelector("[data-compare]");
const boxes = [...document.querySelectorAll("input[type=checkbox][name=run]")];
const empty = button?.textContent.trim();
let ticked = boxes.filter((box) => box.checked);

/** Keep the last two ticks, and name them on the button. */
function show() {
  for (const box of ticked.slice(0, -2)) box.checked = false;
  ticked = ticked.slice(-2);
  const [first, second] = ticked.map((box) => box.dataset.title);
  button.disabled = !second;
  button.textContent = second ? button.dataset.between.replace("{first}", first).replace("{second}", second) : empty;
}

for (const box of boxes) {
  box.addEventListener("change", () => {
    ticked = ticked.filter((each) => each !== box);
    if (box.checked) ticked.push(box);
    show();
  });
}
if (button) show();

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") document.querySelector("[data-new-run]")?.click();
  if (event.key === "c" && button && !button.disabled) button.click();
  if (event.key === "x") document.activeElement.closest?.("tr")?.querySelector("input[type=checkbox]")?.click();
});
