// Shared by the keyboard shortcuts of all pages.

/** True when a key press belongs to a text field or an input method, so that no shortcut may take it. */
export function isTyping(event) {
  const field = event.target.closest?.(
    "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]",
  );
  return Boolean(field) || event.isComposing || event.keyCode === 229;
}

const OFF = "single-keys-off";
const SINGLE = /^(?:[−-]?\d+|[\p{L}?/–])$/u;
// Without storage (a browser that forbids it) the switch holds as long as the page.
let isOffHere = false;
const switchHere = () => document.querySelector("[data-keys-off-here]");

/** Whether single keys are off: on the account, or on this device for people without one (WCAG 2.1.4). */
export function areSingleKeysOff() {
  const { isOff } = JSON.parse(document.documentElement.dataset.ownKeys ?? "{}");
  return Boolean(isOff || (switchHere() && isSwitchedOff()));
}

/** Let the switch of this page, if there is one, say what holds on this device, and change it. */
export function followTheSwitch() {
  const keys = switchHere();
  showWhetherOff();
  if (!keys) return;
  keys.checked = !isSwitchedOff();
  keys.addEventListener("change", () => {
    switchOff(!keys.checked);
    showWhetherOff();
  });
}

/** Let the page hide the keys on its buttons that do nothing, and its list of keys say so. */
function showWhetherOff() {
  document.documentElement.toggleAttribute("data-single-keys-off", areSingleKeysOff());
}

/** Whether what is printed as a key, such as "Q W" or "1 – 4", is of single keys alone. */
export function isSingle(printed) {
  return printed
    .trim()
    .split(/\s+/)
    .every((key) => SINGLE.test(key));
}

function isSwitchedOff() {
  try {
    return Boolean(localStorage.getItem(OFF));
  } catch {
    return isOffHere;
  }
}

function switchOff(isOff) {
  isOffHere = isOff;
  try {
    if (isOff) localStorage.setItem(OFF, "yes");
    else localStorage.removeItem(OFF);
  } catch {
    // see above
  }
}

/** Return the key in upper case; for a digit key the digit, also if it needs Shift (French keyboards). */
export function typed({ key, code, shiftKey }) {
  const digit = !shiftKey && key !== "-" && code.match(/^Digit([0-9])$/);
  return digit ? digit[1] : key.toUpperCase();
}
