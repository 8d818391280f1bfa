// The keys of the rating page: grades, reasons, undo, flag, guideline; arrows and Enter for grades without a key.

import { isTyping, typed } from "../core/keys.js";
import { chosenGrade, grades, isPairShown, reasonsOf } from "./view.js";

const TOGETHER_MS = 1500; // keys that follow each other within this time spell one grade: -2, 10

/**
 * `act`: undo, leave, flag if a pair can be flagged, isAside, true while keys are off, and typingSaves, false if a
 * typed grade may be the beginning of another and needs Enter. Grades and reasons are chosen by clicking them.
 */
export function listen(act) {
  let typedSoFar = "";
  let typedUntil = 0;

  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || act.isAside()) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key.startsWith("Arrow") ? move(event) : !event.repeat && press(event)) event.preventDefault();
  });

  function press(event) {
    const key = typed(event);
    const grade = spelled(key);
    if (isPairShown() && (grade || key === "ENTER")) return grade ? take(grade) : confirm(event.target);
    return (isPairShown() && click(reasonWith(key))) || command(key, act);
  }

  /** The grade that the last keys spell. */
  function spelled(key) {
    const before = Date.now() < typedUntil ? typedSoFar : "";
    typedSoFar = [before + key, key].find(isBeginning) ?? "";
    typedUntil = Date.now() + TOGETHER_MS;
    return grades.find((radio) => radio.value === typedSoFar);
  }

  function take(grade) {
    if (act.typingSaves) grade.click();
    else mark(grade);
    return true;
  }
}

function isBeginning(keys) {
  return grades.some((radio) => radio.value.startsWith(keys));
}

function command(key, act) {
  if (key === "Z") act.undo();
  else if (key === "F" && isPairShown() && act.flag) act.flag();
  else if (key === "G") document.getElementById("guideline").scrollIntoView();
  else if (key === "ESCAPE") act.leave();
  else return false;
  return true;
}

/** Choose the marked grade or reason on Enter; on a button or a link the browser handles the key. */
function confirm(target) {
  if (target.closest("a, button, summary")) return false;
  const reasons = reasonsOf(chosenGrade());
  const marked = reasons.length ? reasons.find((radio) => radio.checked) : grades.find((radio) => radio.checked);
  if (marked) marked.click();
  else reasons[0]?.focus();
  return true;
}

/** Mark the next grade or reason on an arrow key; the browser would choose each one on the way. */
function move({ key, target }) {
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  const isRadio = target.matches("input[type=radio]");
  if (!isPairShown() || (!isAcross && !isRadio)) return false;
  const group = target.name === "reason" ? reasonsOf(chosenGrade()) : grades;
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  const from = isRadio ? group.indexOf(target) : group.findIndex((radio) => radio.checked);
  const next = from < 0 ? group.at(step < 0 ? -1 : 0) : group[from + step];
  if (next) mark(next);
  return true;
}

function mark(radio) {
  radio.checked = true;
  radio.focus();
  radio.dispatchEvent(new CustomEvent("mark", { bubbles: true }));
}

function reasonWith(key) {
  return reasonsOf(chosenGrade()).find((radio) => radio.dataset.key === key);
}

function click(element) {
  element?.click();
  return Boolean(element);
}
