// Reading and keys: the sample follows the size that is chosen, slots listen for keys, a key that is taken is said at once,
// and so is how much is not saved. Nothing is stored before the form is sent.

import { clashes, countUnsaved, meant, Slot } from "./slot.js";

const { stored, words } = JSON.parse(document.getElementById("page_state").textContent);
const form = document.querySelector("form[data-unsaved]");
const inputs = [...form.querySelectorAll("[data-usual]")];
const slots = inputs.map((input) => new Slot(input, stored[input.name]));
const nameOf = ({ input }) => input.labels[0].textContent.trim();

function show() {
  const shown = new FormData(form);
  for (const { input, key } of slots) shown.set(input.name, key);
  document.documentElement.dataset.textSize = shown.get("text_size");
  const taken = clashes(slots);
  for (const slot of slots) showRow(slot, taken.get(slot));
  showUnsaved(
    countUnsaved(stored, shown),
    slots.find((slot) => taken.has(slot)),
  );
}

function showRow(slot, other) {
  const row = slot.input.closest("tr");
  const part = (name) => row.querySelector(`[data-${name}]`);
  row.classList.toggle("is-changed", slot.isChanged);
  slot.input.classList.toggle("is-open", slot.isListening);
  part("back").hidden = slot.isListening || !slot.isChanged;
  part("keep").hidden = !slot.isListening;
  part("kept").textContent = words.keep.replace("{key}", slot.key || slot.none);
  const taken = other && words.taken.replace("{key}", slot.key).replace("{what}", nameOf(other));
  sayOfRow(slot, part, slot.isRefused ? words.noLetter : taken);
  part("swap").hidden = slot.isRefused || !other;
}

function sayOfRow({ input }, part, trouble) {
  const note = part("note");
  note.hidden = !trouble;
  part("said").textContent = trouble ?? "";
  input.setAttribute("aria-invalid", Boolean(trouble));
  if (trouble) input.setAttribute("aria-describedby", note.id);
  else input.removeAttribute("aria-describedby");
}

function showUnsaved(count, toMend) {
  const line = document.getElementById("unsaved");
  const [one, several] = toMend ? [words.oneToMend, words.toMend] : [words.oneUnsaved, words.unsaved];
  const said = (count === 1 ? one : several).replace("{count}", count);
  line.hidden = !count;
  line.querySelector("span").textContent = toMend ? said.replace("{what}", nameOf(toMend)) : said;
}

/** Let the page follow a change that no field has told by itself. */
function change() {
  form.dispatchEvent(new Event("input"));
}

function press(slot, event) {
  const act = meant(event, slot.isListening);
  if (!act) return;
  if (act !== "refuse") event.preventDefault(); // the browser keeps its own keys
  if (act === "refuse") slot.isRefused = true;
  if (act === "listen") slot.listen(words.press);
  if (act === "keep") slot.keep();
  if (act === "none") slot.take("");
  if (!slot.isListening) slot.input.select();
  if (act === "none") change();
  else show();
}

/** Take what the field has got, and let the next letter replace it. */
function takeTyped(slot) {
  slot.takeTyped();
  if (!slot.isListening) slot.input.select();
}

/** Give one of two shortcuts with the same key the one that the other had before. */
function swap(slot) {
  clashes(slots).get(slot).take(slot.before);
}

function follow(slot) {
  const { input } = slot;
  const row = input.closest("tr");
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => {
    slot.listen(words.press);
    show();
  });
  input.addEventListener("blur", () => {
    slot.keep();
    show();
  });
  input.addEventListener("keydown", (event) => press(slot, event));
  input.addEventListener("input", ({ isComposing }) => isComposing || takeTyped(slot));
  input.addEventListener("compositionend", () => {
    takeTyped(slot);
    change();
  });
  for (const [name, act] of [
    ["back", () => slot.take(slot.usual)],
    ["swap", () => swap(slot)],
  ])
    row.querySelector(`[data-${name}]`).addEventListener("click", ({ detail }) => {
      act();
      change();
      if (!detail) input.focus(); // by keyboard: what was pressed is gone
    });
}

slots.forEach(follow);
form.addEventListener("input", show);
addEventListener("pageshow", show); // with what the browser has kept in the fields

const defaults = document.getElementById("defaults");
defaults.hidden = false;
defaults.addEventListener("click", () => {
  for (const slot of slots) slot.take(slot.usual);
  change();
});
show();
