// Shared by the keyboard shortcuts of all pages.

/** True when a key press belongs to a text field or an input method, so that no shortcut may take it. */
export function isTyping(event) {
  const field = event.target.closest?.(
    "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]",
  );
  return Boolean(field) || event.isComposing || event.keyCode === 229;
}

/** Return the key in upper case; for a digit key the digit, also if it needs Shift (French keyboards). */
export function typed({ key, code, shiftKey }) {
  const digit = !shiftKey && key !== "-" && code.match(/^Digit([0-9])$/);
  return digit ? digit[1] : key.toUpperCase();
}
