// The lines of a question in order: a tap on a row gives it the next place, and one more takes it away. The arrows of a
// row swap it with its neighbour. Where one line is left its place, the last, fills itself. Keys as in lines.js, with letters
// for the lines, since places are numbers.

import { listenToKeys } from "./lines.js";

const A = "a".charCodeAt(0);

/** Return the ranking, as tokens, after a tap on the row of a token; `tokens` are those of all rows. */
export function tapped(ranking, token, tokens) {
  const own = withoutTheFilled(ranking, tokens);
  if (own.includes(token)) return own.filter((each) => each !== token);
  if (ranking.includes(token)) return ranking; // the last place, which filled itself
  const after = [...own, token];
  const left = tokens.filter((each) => !after.includes(each));
  return left.length === 1 ? [...after, ...left] : after;
}

/** Return the ranking without the place that was given last. */
export function takenBack(ranking, tokens) {
  return withoutTheFilled(ranking, tokens).slice(0, -1);
}

/** Return the ranking with a token moved up (-1) or down (1); beyond an end it stays. */
export function moved(ranking, token, by) {
  const from = ranking.indexOf(token);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ranking.length) return ranking;
  const after = [...ranking];
  [after[from], after[to]] = [after[to], after[from]];
  return after;
}

const withoutTheFilled = (ranking, tokens) => (ranking.length === tokens.length ? ranking.slice(0, -1) : ranking);

/** Return the ranking of a question as tokens, best first. */
export function choicesOf(question) {
  const placed = rowsOf(question).filter((row) => selectOf(row).value);
  return placed.sort((one, other) => selectOf(one).value - selectOf(other).value).map(tokenOf);
}

export const rankingOf = (choices) => choices;

/** Return whether every line has a place. */
export function isWhole(question) {
  return choicesOf(question).length === rowsOf(question).length;
}

/** Mark a ranking of tokens. */
export function mark(question, ranking) {
  for (const row of rowsOf(question)) {
    const place = ranking.indexOf(tokenOf(row)) + 1 || "";
    selectOf(row).value = String(place);
    row.classList.toggle("is-placed", Boolean(place));
    row.querySelector(".place").textContent = place;
    row.querySelector(".rank-tap").ariaPressed = String(Boolean(place));
    row.dataset.chosen = place;
  }
  question.querySelector("[data-placed]").textContent = ranking.length;
  const letters = new Map(rowsOf(question).map((row) => [tokenOf(row), row.querySelector("kbd").textContent]));
  for (const [place, slot] of question.querySelectorAll(".rank-slots b").entries())
    slot.textContent = letters.get(ranking[place]) ?? "–";
}

/** Listen to taps and keys within `form`: `changed` runs after each change, `enter` and `previous` for keys that go on and back. */
export function listen(form, { changed, enter, previous, isAside }) {
  const question = () => form.querySelector(".one-question");

  function change(next) {
    const [before, tokens] = [choicesOf(question()), rowsOf(question()).map(tokenOf)];
    const after = next(before, tokens);
    if (after.join() === before.join()) return;
    mark(question(), after);
    changed();
  }

  const tap = (row) => row && change((ranking, tokens) => tapped(ranking, tokenOf(row), tokens));
  const undo = () => change(takenBack);
  const rowOf = (key) => /^[a-z]$/i.test(key) && rowsOf(question())[key.toLowerCase().charCodeAt(0) - A];

  form.addEventListener("click", ({ target }) => {
    if (target.closest("[data-back]")) return undo();
    const [row, arrow] = [target.closest(".rank-row"), target.closest("[data-move]")];
    if (arrow) change((ranking) => moved(ranking, tokenOf(row), Number(arrow.dataset.move)));
    else if (target.closest(".rank-tap")) tap(row);
  });

  listenToKeys({ rowOf, tap, undo, enter, previous, isAside });
  mark(question(), choicesOf(question()));
}

function rowsOf(question) {
  return [...question.querySelectorAll(".rank-row")];
}

const tokenOf = (row) => row.querySelector(".rank-tap").value;
const selectOf = (row) => row.querySelector("select");
