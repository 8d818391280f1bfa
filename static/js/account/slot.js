// The slots of a person's own keys: what a press means in one, and which shortcuts of a page have the same key.

/** The field of one shortcut. It is a text field, so it also hears keyboards that send no presses, and listens when asked. */
export class Slot {
  isListening = false;
  isRefused = false; // what was pressed last is no letter

  constructor(input, stored) {
    this.input = input;
    this.usual = input.dataset.usual;
    this.key = input.value.toUpperCase();
    this.before = this.key === stored ? this.usual : stored; // the key that another shortcut gets in a swap
    this.none = input.placeholder;
  }

  get isChanged() {
    return this.key !== this.usual;
  }

  listen(prompt) {
    this.isListening = true;
    this.input.value = "";
    this.input.placeholder = prompt;
  }

  /** End listening, with the key that the shortcut has. */
  keep() {
    this.isListening = false;
    this.isRefused = false;
    this.input.value = this.key;
    this.input.placeholder = this.none;
  }

  /** Take another key; an empty one is none. */
  take(key) {
    if (key !== this.key) this.before = this.key;
    this.key = key;
    this.keep();
  }

  /** Take what was typed into the field, where the server would. */
  takeTyped() {
    if (this.isListening && !this.input.value) return; // an input method has given up what it composed
    this.isRefused = this.input.validity.patternMismatch;
    if (!this.isRefused) this.take(this.input.value.toUpperCase());
    else this.input.value = this.isListening ? "" : this.key;
  }
}

/** Return what a press asks of a slot: to listen, to keep its key, to have none, to say no; "" leaves it to the field. */
export function meant({ key, ctrlKey, metaKey, altKey, isComposing, keyCode }, isListening) {
  if (isComposing || keyCode === 229) return "";
  if (key === "Enter") return isListening ? "keep" : "listen";
  if (key === "Delete" || key === "Backspace") return "none";
  if (!isListening) return "";
  if (key === "Escape") return "keep";
  const isOfBrowser = /^F\d+$/.test(key) || (key.length === 1 && (ctrlKey || metaKey || altKey));
  return isOfBrowser ? "refuse" : "";
}

/** Return by each changed slot the other one that has its key. core/domain/keys.py has the rule that is kept. */
export function clashes(slots) {
  const found = slots
    .filter(({ key, isChanged }) => key && isChanged)
    .map((slot) => [slot, slots.find((other) => other !== slot && other.key === slot.key)]);
  return new Map(found.filter(([, other]) => other));
}

/** Return how many fields of a form show another value than what is stored. */
export function countUnsaved(stored, shown) {
  return Object.keys(stored).filter((name) => (shown.get(name) ?? "") !== stored[name]).length;
}
