// The keys of a question: 1 to 9 as a tap on a row, Backspace for the last choice back, Enter to go on.

/** Listen to them, unless they are for the browser, an input method, or a link or button that has the focus. */
export function listenToKeys({ digit, back, enter, isAside }) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isAside()) return;
    if (/^[1-9]$/.test(event.key)) digit(Number(event.key));
    else if (event.key === "Backspace") back();
    else if (event.key === "Enter" && !event.target.closest("a, button:not(.rank-tap), input")) enter();
    else return;
    event.preventDefault();
  });
}
