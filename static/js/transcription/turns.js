// Turns to edit, one below the other, each with speaker and text.

const list = document.getElementById("turns");
const rowsOf = () => [...list.querySelectorAll("[data-turn]")];
const speakerOf = (row) => row.querySelector("[name=speaker]");
const textOf = (row) => row.querySelector("[name=text]");

/** `words`: names of the fields and buttons with {number}. Events: "change" after a turn came, went or was split. */
export class Turns extends EventTarget {
  #words;
  #gone = null; // the turn removed last: {row, before}

  constructor(words) {
    super();
    this.#words = words;
    for (const row of rowsOf()) this.#equip(row);
    this.#number();
    list.addEventListener("click", ({ target }) => this.#clicked(target));
  }

  get value() {
    return rowsOf().map((row) => ({ speaker: speakerOf(row).value, text: textOf(row).value }));
  }

  /** Show a draft. */
  fill(turns) {
    list.replaceChildren(...turns.map((turn) => this.#row(turn)));
    this.#number();
  }

  add() {
    const speakers = rowsOf().map((row) => speakerOf(row).value);
    const row = this.#row({ speaker: speakers.at(-2) ?? "", text: "" });
    list.append(row);
    this.#changed(row);
  }

  /** Split the focused turn at its cursor. */
  splitHere() {
    const row = document.activeElement.closest("[data-turn]");
    if (row) this.#split(row);
  }

  /** Focus the turn before or after the focused one. */
  step(by) {
    const rows = rowsOf();
    const next = rows[rows.indexOf(document.activeElement.closest("[data-turn]")) + by];
    if (next) textOf(next).focus();
  }

  /** Restore the turn that was removed last. */
  putBack() {
    const { row, before } = this.#gone;
    list.insertBefore(row, before?.isConnected ? before : null);
    this.#gone = null;
    this.#changed(row);
  }

  #clicked(target) {
    const row = target.closest("[data-turn]");
    if (target.closest("[data-split]")) this.#split(row);
    if (target.closest("[data-remove]")) this.#remove(row);
  }

  #split(row) {
    const field = textOf(row);
    const at = field.selectionStart;
    const next = this.#row({ speaker: "", text: field.value.slice(at).trimStart() });
    field.value = field.value.slice(0, at).trimEnd();
    row.after(next);
    this.#changed(next, speakerOf(next));
  }

  #remove(row) {
    const number = rowsOf().indexOf(row) + 1;
    const before = row.nextElementSibling;
    row.remove();
    this.#gone = { row, before };
    this.#number();
    const left = before ?? rowsOf().at(-1);
    if (left) textOf(left).focus();
    this.dispatchEvent(new CustomEvent("change", { detail: { removed: number } }));
  }

  #changed(row, focused = textOf(row)) {
    this.#number();
    focused.focus();
    this.dispatchEvent(new CustomEvent("change", { detail: {} }));
  }

  #row({ speaker, text }) {
    const row = document.getElementById("turn").content.firstElementChild.cloneNode(true);
    speakerOf(row).value = speaker;
    textOf(row).value = text;
    this.#equip(row);
    return row;
  }

  #equip(row) {
    row.append(document.getElementById("turn-acts").content.firstElementChild.cloneNode(true));
  }

  #number() {
    const { speaker, text, split, remove } = this.#words;
    rowsOf().forEach((row, index) => {
      const name = (part, words) => part.setAttribute("aria-label", words.replace("{number}", index + 1));
      row.id = `turn-${index}`;
      name(speakerOf(row), speaker);
      name(textOf(row), text);
      name(row.querySelector("[data-split]"), split);
      name(row.querySelector("[data-remove]"), remove);
    });
  }
}
