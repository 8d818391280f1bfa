// The questions of a survey. Each choice goes into the outbox as it is made. The page has one question; the others are
// loaded once, in the background, so that a participant can go on without a connection. Without this script the page is
// a plain form, one question at a time.

import { isSecondPress, isSecondTap } from "../core/bounce.js";
import { counted, hide, show, showShortly } from "../core/notices.js";
import { Outbox } from "../core/outbox.js";
import { clockTime, showSaved } from "../core/saved.js";
import { workHere } from "../core/tabs.js";
import { runClock } from "./clock.js";
import * as lines from "./lines.js";
import { gives, isThere, load } from "./others.js";
import { timesOf } from "./times.js";

const start = JSON.parse(document.getElementById("page_state").textContent);
const { base, count, words } = start;
const form = document.getElementById("survey");
const card = document.getElementById("card");
// Few studies ask for an order of all lines, so that its module is fetched by their pages alone.
const asked = card.querySelector(".rank-list") ? await import("./ranking.js") : lines;
const { choicesOf, isWhole, listen, mark, rankingOf } = asked;
const outbox = new Outbox(start.outbox);
const screen = lines.watchTheScreen(form);
const questions = new Map([[start.position, card.firstElementChild]]); // by position, with the choices made in them
const times = timesOf(start.outbox);
const heldUp = new Set(); // questions whose answers a lost connection keeps here

let takeNoted = () => undefined; // JSON leaves out what is undefined
if (start.notesBehaviour) {
  // Fetched last: no one should wait for it. Without a connection nothing is noted.
  addEventListener("load", () =>
    import("./behaviour.js").then(
      ({ watch }) => (takeNoted = watch()),
      () => {},
    ),
  );
}

let position = start.position;
let shownAt = performance.now();
let isAside = false; // the survey is in another tab, or over
let isOver = false;
let isLeaving = false;
let leaveFor = ""; // where to go when everything is sent
let leavesUnsent = false; // or at once
let { whose } = start; // query of this person's pages, where the browser keeps several people

const addressOf = (number) => `${base}questions/${number}/${whose}`;
const answerTo = (number) => `${base}questions/${number}/answer/`;
const reached = () => `${base}on/${whose}`; // the page that the participant has reached

// ---- the question shown ---------------------------------------------------------------------------------------------

/** Show a question, as soon as it has come; one that does not come to this page has a page of its own. */
async function showQuestion(number, { isNew = true } = {}) {
  const before = position;
  if (!questions.has(number)) await Promise.race([others, isThere(addressOf(number))]);
  if (position !== before) return; // a second press while it came
  const question = questions.get(number);
  if (!question) return leave(addressOf(number));
  keepTime();
  [position, shownAt] = [number, performance.now()];
  card.replaceChildren(question);
  mark(question, choicesOf(question));
  screen.look(card);
  ["missing", "refused", "resumed"].forEach(hideIfThere);
  const title = words.title.replace("{position}", number).replace("{count}", count);
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  document.getElementById("where").textContent = form.querySelector("h1").textContent = title;
  showProgress(number - 1);
  form.action = answerTo(number);
  if (isNew) history.pushState({ number }, "", addressOf(number));
  scrollTo(0, 0);
  document.getElementById("main").focus({ preventScroll: true });
}

function showProgress(answered) {
  const bar = document.querySelector(".participant-progress");
  bar.value = answered;
  bar.ariaLabel = words.answered.replace("{answered}", answered).replace("{count}", count);
}

function hideIfThere(notice) {
  if (document.querySelector(`[data-notice="${notice}"]`)) hide(notice);
}

/** Return the milliseconds for which the question has been on a page of this tab, those loaded before included. */
function timeSpent() {
  return Math.round(times.of(position) + performance.now() - shownAt);
}

function keepTime() {
  times.keep(position, timeSpent());
  shownAt = performance.now();
}

// ---- what a person does ---------------------------------------------------------------------------------------------

/** Send the choices. A second choice without a first is no answer yet, and withdraws the last one. */
function send() {
  const choices = choicesOf(card);
  outbox.add(
    answerTo(position),
    {
      ranking: rankingOf(choices),
      milliseconds: timeSpent(),
      seconds_left: clock.left(),
      person: start.person,
      noted: takeNoted(),
      unseen: start.notesScreen ? screen.unseen(card) : undefined,
    },
    { pair: { assignment: position }, choices, isWhole: isWhole(card) },
  );
}

function changed() {
  stay();
  const { first, second } = choicesOf(card);
  if (second && !first) show("missing");
  else if (isWhole(card)) hide("missing");
  send();
}

function goOn(isWithout) {
  if (!isWithout && !isWhole(card)) return show("missing");
  noteWhatIsEmpty();
  if (position < count) showQuestion(position + 1);
  else leave(`${base}finish/${whose}`);
}

/** Go to the question before: what is chosen here is stored already, be it not all that is asked for. */
function goBack() {
  if (position === 1) return;
  noteWhatIsEmpty();
  showQuestion(position - 1);
}

/** Record that the question was seen and left empty. */
function noteWhatIsEmpty() {
  if (!rankingOf(choicesOf(card)).length) send();
}

function leave(address, { isUnsentToo = false } = {}) {
  [leaveFor, leavesUnsent] = [address, isUnsentToo];
  leaveOnceSent();
}

/** Leave the page once everything is sent and the next one can be had: a browser's own page has no way back. */
async function leaveOnceSent() {
  if (mustWait()) return tellWhatWaits();
  if (isLeaving) return;
  isLeaving = true;
  if (!(await gives(leaveFor))) {
    show("on-the-way", words.pageWaits);
    await isThere(leaveFor);
  }
  isLeaving = false;
  if (leaveFor && !mustWait()) location.assign(leaveFor);
}

const mustWait = () => outbox.entries.length > 0 && !leavesUnsent;

/** Stay on the page, which was to be left once everything is sent: the person goes on answering. */
function stay() {
  if (isOver || !leaveFor) return;
  leaveFor = "";
  hide("on-the-way");
}

function tellWhatWaits() {
  if (leaveFor) show("on-the-way", timed(counted(isOver ? words.late : words.onTheWay, waiting())));
}

/** Fill in by when answers must arrive, by the clock of this browser: to count in full, and to be kept as late. */
function timed(text) {
  if (clock.left() === null) return text;
  const [by, until] = [0, start.lateSeconds].map((more) => new Date(Date.now() + (clock.left() + more) * 1000));
  const dayAndTime = { month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const untilDay = until.toLocaleString(document.documentElement.lang, dayAndTime);
  return text.replace("{by}", clockTime(by, false)).replace("{until}", spaced(untilDay));
}

/** Put a space between digits and Chinese characters, as all texts of pages have it. */
function spaced(text) {
  return text.replace(/(\d)(?=[㐀-鿿])|([㐀-鿿])(?=\d)/g, "$& ");
}

/** Return the number of questions with an unsent answer; each may have been changed several times. */
function waiting() {
  return new Set(outbox.entries.map(({ about }) => about.pair.assignment)).size;
}

function setAside() {
  isAside = card.inert = document.getElementById("next").inert = document.getElementById("back").inert = true;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isAside || isSecondTap(shownAt)) return;
  if (event.submitter?.name === "back") goBack();
  else goOn(event.submitter?.name === "without");
});
listen(form, { changed, enter: () => isSecondPress(shownAt) || goOn(false), previous: goBack, isAside: () => isAside });
for (const link of document.querySelectorAll("#overview, #rest, .withdraw")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // for a tab of its own
    event.preventDefault();
    leave(link.href, { isUnsentToo: link.matches(".withdraw") });
  });
}
addEventListener("pagehide", keepTime);
addEventListener("popstate", ({ state }) => showQuestion(state?.number ?? start.position, { isNew: false }));

// ---- what the server says -------------------------------------------------------------------------------------------

const clock = runClock(start.secondsLeft, words.timeLeft, {
  lastMinutes: () => showShortly("last-minutes", words.lastMinutes),
  over: () => {
    isOver = true;
    setAside(); // what is chosen from here on comes too late
    hide("offline");
    leave(reached());
  },
});

outbox.addEventListener("stored", ({ detail: { answer } }) => {
  clock.sync(answer.seconds_left);
  if (answer.whose) nameThePerson(answer.whose);
});
outbox.addEventListener("refused", ({ detail: { answer } }) => {
  if (["too_late", "ended", "withdrawn"].includes(answer.code)) leaveFor = reached();
  else show("refused", answer.message ?? words.refused);
});
outbox.addEventListener("change", () => {
  if (outbox.trouble) {
    for (const { about } of outbox.entries) heldUp.add(about.pair.assignment);
  }
  if (outbox.trouble === "unreachable" && !isOver)
    show("offline", timed(waiting() ? counted(words.offline, waiting()) : words.offlineNone));
  else hide("offline");
  if (outbox.trouble === "signed-out") show("signed-out");
  else hide("signed-out");
  if (leaveFor) leaveOnceSent();
});
outbox.addEventListener("arrived", () => {
  showShortly("arrived", counted(words.arrived, heldUp.size));
  heldUp.clear();
});

/** Keep the pages of this tab its person's, once another one has begun in this browser. */
function nameThePerson(query) {
  if (query === whose) return;
  whose = query;
  if (leaveFor) leaveFor = leaveFor.split("?")[0] + whose;
  history.replaceState(history.state, "", addressOf(position));
}

// ---- other tabs, and a page that was left open ----------------------------------------------------------------------

workHere(start.outbox, () => {
  setAside();
  show("elsewhere");
});

// A page that the browser restores, or that is older than the last answer, shows old answers.
addEventListener("pageshow", ({ persisted }) => (persisted || outbox.isAheadOfPage) && location.reload());

// ---- the beginning --------------------------------------------------------------------------------------------------

/** Mark the choices that were unsent when the page began. */
function restore() {
  for (const { pair, choices } of unsent) {
    if (questions.has(pair.assignment)) mark(questions.get(pair.assignment), choices);
  }
}

/** Go on after the last question with an unsent choice. */
function goOnAfterUnsent() {
  const last = unsent.at(-1);
  if (!last || last.pair.assignment < position) return;
  const number = Math.min(last.pair.assignment + (last.isWhole ? 1 : 0), count);
  if (number !== position) showQuestion(number);
}

/** Tell whether a choice was made before this script was loaded, so that it was not sent. */
function isTouched() {
  return [...card.querySelectorAll("input")].some((radio) => radio.checked !== radio.defaultChecked);
}

history.replaceState({ number: position }, "", addressOf(position));
showSaved(outbox, words, { waiting });
screen.look(card);
const unsent = outbox.entries.map(({ about }) => about);
const others = load(start.others).then((found) => {
  for (const [number, question] of found) questions.set(number, question);
  restore();
  form.dataset.questions = questions.size;
});
if (isTouched()) send();
restore();
goOnAfterUnsent();
outbox.send();
