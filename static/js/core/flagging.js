// The panel in which a person says what a researcher should look at. What stands in it belongs to the pair or item on
// the stage: whoever goes on to another one has said it of the one before.

const panel = document.getElementById("flag");
const comment = panel.querySelector("textarea");
const button = panel.querySelector("button");

/**
 * `send` takes the words, which may be none; `changed` is called when others stand there, or the panel shuts; `goBack`
 * puts the focus where the work is.
 */
export function flagging(send, changed, goBack) {
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
    if (event.isComposing || event.keyCode === 229) return; // an input method's own
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
    /** Another pair or item comes on the stage: what stands in the open panel is sent, and not lost. */
    leave() {
      const isOpen = panel.open;
      const words = take();
      if (isOpen && words) send(words);
    },
  };
}

function take() {
  const words = comment.value.trim();
  comment.value = "";
  panel.open = false;
  return words;
}

/** The work stays in sight: a phone would scroll to where the bar at the bottom ends. */
function writeIn() {
  comment.focus({ preventScroll: true });
}
