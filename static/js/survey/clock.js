// The minutes left, from the server's last answer; seconds in the last minute.

const LAST_SECONDS = 300;
const IN_SECONDS = 60;
const LOOK_MS = 1000;
const SETTLE_MS = 1000; // the server's clock may be a moment behind

/**
 * `words`: of minutes and of seconds, singular and plural. `lastMinutes` runs once when the last five begin, `over` once at the end.
 * Returns `sync`, which applies a later answer of the server, and `left`, the seconds left now. Without a limit (null)
 * nothing happens.
 */
export function runClock(seconds, words, { lastMinutes, over }) {
  const badge = document.getElementById("clock");
  if (seconds === null) return { sync: () => {}, left: () => null };
  let [left, at, isShort, isOver] = [seconds, Date.now(), seconds <= LAST_SECONDS, false];

  const current = () => left - (Date.now() - at) / 1000;

  function look() {
    const now = current();
    const [unit, length] = now > IN_SECONDS ? [words.minutes, 60] : [words.seconds, 1];
    const count = Math.max(0, Math.ceil(now / length));
    const text = (count === 1 ? unit[0] : unit[1]).replace("{count}", count);
    const said = badge.querySelector("span");
    if (said.textContent !== text) said.textContent = text;
    badge.classList.toggle("time-short", now <= LAST_SECONDS);
    if (now <= LAST_SECONDS && !isShort) lastMinutes();
    isShort = now <= LAST_SECONDS;
    if (now <= 0 && !isOver) setTimeout(over, SETTLE_MS);
    isOver ||= now <= 0;
  }

  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  return {
    sync: (word) => {
      [left, at] = [word ?? left, word === null ? at : Date.now()];
    },
    left: () => Math.floor(current()),
  };
}
