// The panel in which a person flags a pair or item for a researcher. Its text belongs to the pair or item now shown,
// and is sent for that one when the page goes on to the next.

/**
 * `send` gets the text, which may be empty; `changed` runs when the text changes, or the panel opens or closes;
 * `goBack` returns the focus to the work.
 */
export function flagging(send, changed, goBack) {
  const panel = document.getElementById("flag");
  const comment = panel.querySelector("textarea");
  const button = panel.querySelector("button");

  function take() {
    const words = comment.value.trim();
    comment.value = "";
    panel.open = false;
    return words;
  }

  /** Focus the text field without scrolling: a phone would scroll the work out of view. */
  function writeIn() {
    comment.focus({ preventScroll: true });
  }

  button.type = "button";
  button.addEventListener("click", () => {
    send(take());
    goBack();
  });
  panel.addEventListener("toggle", () => {
    if (panel.open) writeIn();
    changed();
  });
  comment.addEventListener("input", changed);
  panel.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return; // the key belongs to an input method
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) button.click();
    else if (event.key === "Escape") panel.open = false;
    else return;
    event.preventDefault();
    goBack();
  });
  return {
    open() {
      panel.open = true;
      writeIn(); // at once: the next key must not become a grade
    },
    get state() {
      return { words: comment.value, isOpen: panel.open };
    },
    restore({ words, isOpen }) {
      comment.value = words;
      panel.open = isOpen;
    },
    /** Send the text of the open panel before another pair or item is shown, so that it is not lost. */
    leave() {
      const isOpen = panel.open;
      const words = take();
      if (isOpen && words) send(words);
    },
  };
}
