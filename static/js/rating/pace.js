// The bar above the work: number graded today, time for one pair, time at which the day's number is reached.

import { clockTime } from "../core/saved.js";

const ENOUGH_TO_TELL = 5; // measured times before a pace is shown
const LAST = 20;

/** `page_state`: perDay, milliseconds (the newest first), words with pace {seconds} and done {time}. */
export function pace({ perDay, milliseconds, words }) {
  const line = document.getElementById("pace");
  const fill = line.querySelector("rect:not(.ground)");
  const times = [...milliseconds];

  return {
    add(duration) {
      times.unshift(duration);
      times.splice(LAST);
    },
    /** `left`: number of pairs left to grade. */
    show(today, left) {
      line.querySelector("[data-today]").textContent = today.toLocaleString(document.documentElement.lang);
      fill.setAttribute("width", `${Math.min(100, (100 * today) / perDay)}%`);
      if (times.length < ENOUGH_TO_TELL) return;
      const typical = median(times);
      line.querySelector("[data-pace]").textContent = words.pace.replace(
        "{seconds}",
        Math.max(1, Math.round(typical / 1000)),
      );
      const toGo = Math.min(perDay - today, left);
      const done = new Date(Date.now() + toGo * typical);
      const isToday = toGo > 0 && done.toDateString() === new Date().toDateString();
      line.querySelector("[data-done]").textContent = isToday
        ? ` · ${words.done.replace("{time}", clockTime(done, false))}`
        : "";
    },
  };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}
