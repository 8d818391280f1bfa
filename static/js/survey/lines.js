// The lines of a question: a first and a second choice among them. A tap on a row gives it the next free rank, and one
// more takes it away; the two circles of a row give a certain rank. Keys: 1 to 9 as a tap, Backspace, Enter.

const RANKS = ["first", "second"]; // of which a study may ask for the first alone

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

/** Listen to taps and keys within `form`; `changed` runs after each choice, `enter` for the key that goes on. */
export function listen(form, { changed, enter, isAside }) {
  const question = () => form.querySelector(".one-question");

  function choose(rank, row) {
    const token = radioOf(row, rank).value;
    const before = current(question());
    const isTaken = before[rank] === token;
    const others = Object.fromEntries(RANKS.map((each) => [each, before[each] === token ? null : before[each]]));
    mark(question(), { ...others, [rank]: isTaken ? null : token });
    changed();
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
    changed();
  }

  form.addEventListener("click", (event) => {
    const row = event.target.closest(".candidate");
    if (!row) return;
    if (event.target.matches("input")) return choose(event.target.name, row);
    event.preventDefault(); // a label would always set the first choice
    tap(row);
  });

  listenToKeys({ digit: (number) => tap(rowsOf(question())[number - 1]), back: clearLast, enter, isAside });

  mark(question(), choicesOf(question()));
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

/** Listen to the keys, unless they are for the browser, an input method, or a link or button that has the focus. */
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
