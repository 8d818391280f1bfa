// The line in the top bar that says when the last work was stored, or how much waits to be sent.

const SLOW_MS = 400;

/**
 * `words`: saved with {time}, saving, toSend with {count}, unkept. `saved` is the first text; `waiting` counts unsent
 * work; `signal` ends it.
 */
export function showSaved(outbox, words, { saved = "", waiting = () => outbox.entries.length, signal } = {}) {
  const line = document.getElementById("saved");
  const text = line.querySelector("span");
  let slow;

  function say(words, isWaiting) {
    line.classList.toggle("saved-waiting", isWaiting);
    line.classList.toggle("saved-stored", Boolean(words) && !isWaiting);
    if (text.textContent !== words) text.textContent = words;
  }

  function update() {
    const count = waiting();
    if (!count || outbox.trouble) {
      clearTimeout(slow);
      slow = undefined;
    }
    if (count && outbox.trouble)
      say(outbox.isKept === false ? words.unkept : words.toSend.replace("{count}", count), true);
    else if (!count) say(saved, false);
    else slow ??= setTimeout(() => say(words.saving, true), SLOW_MS);
  }

  const told = { signal };
  outbox.addEventListener(
    "stored",
    ({ detail }) => {
      saved = words.saved.replace("{time}", clockTime(new Date(detail.answer.saved_at)));
    },
    told,
  );
  outbox.addEventListener("change", update, told);
  signal?.addEventListener("abort", () => clearTimeout(slow));
  update();
}

/** Return the person's local time such as 14:02:11, the same in both languages. */
export function clockTime(date, withSeconds = true) {
  const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return date.toLocaleTimeString("en-GB", withSeconds ? { ...hours, second: "2-digit" } : hours);
}
