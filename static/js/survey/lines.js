// The lines of a question: a first and a second choice among them. A tap on a row gives it the next free rank, and one
// more takes it away; the two circles of a row give a certain rank. Keys: 1 to 9 as a tap, Backspace, Enter, Shift+Enter.

import { areSingleKeysOff, followTheSwitch } from "../core/keys.js";

const RANKS = ["first", "second"]; // of which a study may ask for the first alone
const ROWS = ".candidate, .rank-row";
const HALF = 0.5; // of a line is on the screen, or fills half of it: it can be read
const STEPS = [0, 0.1, 0.2, 0.3, 0.4, HALF];

/** Return the two choices of a question as tokens, null for none. */
export function choicesOf(question) {
  const [first, second] = RANKS.map((rank) => question.querySelector(`input[name=${rank}]:checked`)?.value ?? null);
  return { first, second };
}

/** Return choices as a ranking, best first; a second choice alone is no answer. */
export function rankingOf({ first, second }) {
  return first ? [first, second].filter(Boolean) : [];
}

/** Return whether all choices that are asked for are made. */
export function isWhole(question) {
  return rankingOf(choicesOf(question)).length === ranksIn(question).length;
}

/** Mark two choices, known by their tokens. */
export function mark(question, chosen) {
  for (const row of rowsOf(question)) {
    for (const rank of ranksIn(question)) {
      const radio = radioOf(row, rank);
      radio.checked = radio.value === chosen[rank];
      row.classList.toggle(`is-${rank}`, radio.checked);
    }
    row.dataset.chosen = ranksIn(question)
      .filter((rank) => radioOf(row, rank).checked)
      .join("");
  }
}

/** Listen to taps and keys within `form`: `changed` runs after each choice, `enter` and `previous` for keys that go on and back. */
export function listen(form, { changed, enter, previous, isAside }) {
  const question = () => form.querySelector(".one-question");

  /** Tell people who do not see the rows what is chosen now. */
  function told() {
    const said = question().querySelector("[data-said]");
    const names = ranksIn(question()).map((rank) => question().querySelector(`input[name=${rank}]:checked`)?.ariaLabel);
    const sentences = names.filter(Boolean).map((name) => (/\p{P}$/u.test(name) ? name : `${name}.`));
    said.textContent = sentences.join(" ") || said.dataset.said;
    changed();
  }

  function choose(rank, row) {
    const token = radioOf(row, rank).value;
    const before = current(question());
    const isTaken = before[rank] === token;
    const others = Object.fromEntries(RANKS.map((each) => [each, before[each] === token ? null : before[each]]));
    mark(question(), { ...others, [rank]: isTaken ? null : token });
    told();
  }

  function tap(row) {
    if (!row) return;
    const before = current(question());
    const ranks = ranksIn(question());
    const rank = row.dataset.chosen || ranks.find((each) => !before[each]) || ranks.at(-1);
    choose(rank, row);
  }

  function clearLast() {
    const before = current(question());
    const last = before.second ? "second" : "first";
    if (!before[last]) return;
    mark(question(), { ...before, [last]: null });
    told();
  }

  form.addEventListener("click", (event) => {
    const row = event.target.closest(".candidate");
    if (!row) return;
    if (event.target.matches("input")) return choose(event.target.name, row);
    event.preventDefault(); // a label would always set the first choice
    tap(row);
  });

  const rowOf = (key) => /^[1-9]$/.test(key) && rowsOf(question())[key - 1];
  listenToKeys({ rowOf, tap, undo: clearLast, enter, previous, isAside });

  mark(question(), choicesOf(question()));
}

/**
 * Watch which lines of the questions in `form` come on the screen; a button says how many are below it, and goes there.
 * Returns `look`, for each question that is shown, and `unseen`, the tokens of its lines that were on no screen yet.
 */
export function watchTheScreen(form) {
  const [bar, button] = [form.querySelector(".actionbar"), form.querySelector("#below")];
  const seen = new WeakSet();
  const below = new Set();
  let observer;

  function note(entries) {
    for (const { target, intersectionRatio, intersectionRect, boundingClientRect, rootBounds } of entries) {
      const isOnScreen = intersectionRatio >= HALF || intersectionRect.height >= HALF * rootBounds.height;
      if (isOnScreen) seen.add(target);
      if (!isOnScreen && boundingClientRect.bottom > rootBounds.bottom) below.add(target);
      else below.delete(target);
    }
    button.hidden = !below.size;
    const { one, several } = button.dataset;
    button.firstElementChild.textContent = (below.size === 1 ? one : several).replace("{count}", below.size);
  }

  button.addEventListener("click", () => [...below][0]?.scrollIntoView({ block: "end" }));
  return {
    look: (question) => {
      observer?.disconnect();
      below.clear();
      button.hidden = true;
      const covered = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
      observer = new IntersectionObserver(note, { rootMargin: `0px 0px -${covered}px 0px`, threshold: STEPS });
      for (const row of question.querySelectorAll(ROWS)) observer.observe(row);
    },
    unseen: (question) => {
      note(observer.takeRecords());
      const rows = [...question.querySelectorAll(ROWS)].filter((row) => !seen.has(row));
      return rows.map((row) => row.querySelector("[value]").value);
    },
  };
}

/** Return the choices before the browser changed a radio button. */
function current(question) {
  const of = (rank) => rowsOf(question).find((row) => row.dataset.chosen === rank);
  return Object.fromEntries(RANKS.map((rank) => [rank, of(rank) ? radioOf(of(rank), rank).value : null]));
}

function ranksIn(question) {
  const [row] = rowsOf(question);
  return RANKS.filter((rank) => row && radioOf(row, rank));
}

function rowsOf(question) {
  return [...question.querySelectorAll(".candidate")];
}

function radioOf(row, rank) {
  return row.querySelector(`input[name=${rank}]`);
}

/**
 * Listen to the keys, unless they are for the browser, an input method, or a link or button that has the focus. Letters and
 * digits can be switched off.
 */
export function listenToKeys({ rowOf, tap, undo, enter, previous, isAside }) {
  followTheSwitch();
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isAside()) return;
    if (event.key.length === 1 && areSingleKeysOff()) return;
    const row = rowOf(event.key);
    if (row) tap(row);
    else if (event.key === "Backspace") undo();
    else if (event.key === "Enter" && event.target.closest("a, button:not(.rank-tap)")) return;
    else if (event.key === "Enter") event.shiftKey ? previous() : enter();
    else if (event.key.toLowerCase() === "r")
      document.getElementById("rest")?.click(); // where experts work
    else return;
    event.preventDefault();
  });
}
