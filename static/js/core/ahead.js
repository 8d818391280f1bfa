// A page that has its next items in it. What is given for an item goes into the outbox, and the next item is shown at
// once; responses of the server bring further items. The page shows the item itself; here is what all such pages share:
// going back, skips, notices, other tabs.

import { isBounce } from "./bounce.js";
import { showInstead } from "./focus.js";
import { add, counted, hide, show, showShortly, showTrouble } from "./notices.js";
import { Outbox, post } from "./outbox.js";
import { PageState } from "./pairs.js";
import { clockTime, showSaved } from "./saved.js";
import { closeMenu } from "./skip-menu.js";
import { workHere } from "./tabs.js";

/**
 * `start`: what the page was sent. `showItem` shows the current item of a PageState when it is another one, `showRest`
 * what is around it, whenever something changes. The page has the elements #undo, #back, #skipped, #skip, #nothing and
 * #on-the-way. Returns what a person does there.
 */
export function workAhead(form, start, { showItem, showRest }) {
  const { words } = start;
  const outbox = new Outbox(start.outbox);
  const pageState = new PageState(start, outbox);
  let isAside = false; // the work is in another tab
  let shown;
  let shownAt = 0;
  let replacedAt = Number.NEGATIVE_INFINITY; // nothing was under the finger before the first one

  // ---- what is shown ------------------------------------------------------------------------------------------------

  function render() {
    const { current, changing } = pageState;
    const now = current && `${current.assignment} ${Boolean(changing)}`;
    if (now !== shown) {
      closeMenu();
      showItem(current, changing);
      shownAt = performance.now();
      if (shown) replacedAt = shownAt;
    }
    shown = now;
    for (const menu of form.querySelectorAll("#skip, #may-skip")) menu.hidden = !current || Boolean(changing);
    showInstead(at("nothing"), !current && !outbox.entries.length);
    at("on-the-way").hidden = Boolean(current) || !outbox.entries.length;
    at("on-the-way").textContent = words.continueWhen[outbox.trouble] ?? words.onTheWay;
    showWaysBack();
    showRest(pageState, outbox);
    for (const part of form.querySelectorAll("[data-work]")) part.inert = isClosed();
  }

  function showWaysBack() {
    const { before, changing, past } = pageState;
    const skipped = past.find((each) => each.skipped);
    at("back").hidden = !changing;
    at("undo").hidden = !past.some((each) => !each.skipped && each !== changing);
    at("skipped").hidden = !skipped;
    if (skipped) at("skipped").querySelector("[data-text]").textContent = skippedAt(skipped);
    for (const [element, hasKey] of [
      [at("undo"), before && !before.skipped],
      [at("skipped").querySelector("button"), before?.skipped],
    ]) {
      if (hasKey) element.setAttribute("aria-keyshortcuts", "Z");
      else element.removeAttribute("aria-keyshortcuts");
      element.querySelector("kbd").hidden = !hasKey;
    }
  }

  function skippedAt({ at = Date.now() }) {
    return words.skipped.replace("{time}", clockTime(new Date(at), false));
  }

  /** Whether nothing can be done here: the work is in another tab, or the person was removed from the project. */
  function isClosed() {
    return isAside || outbox.trouble === "role-ended";
  }

  // ---- what a person does -------------------------------------------------------------------------------------------

  function act(change) {
    if (isClosed()) return;
    for (const message of form.querySelectorAll(".page-message")) message.remove(); // about what was before
    change();
    render();
  }

  const work = {
    get milliseconds() {
      return Math.round(performance.now() - shownAt);
    },
    get current() {
      return pageState.current;
    },
    isClosed,
    /** Give the current item what was chosen; `more` is sent with it. A press meant for the last item is ignored. */
    give(given, more) {
      if (pageState.current && !isBounce(replacedAt)) act(() => pageState.give(given, more));
    },
    undo: () => act(() => pageState.undo()),
    leave: () => act(() => pageState.leave()),
  };

  function skip(reason) {
    if (pageState.pairs.length) act(() => pageState.skip(reason));
  }

  function undoSkip() {
    const skipped = pageState.past.find((each) => each.skipped);
    if (skipped) act(() => pageState.undoSkip(skipped.assignment));
  }

  /** Go back to the newest of the last items, or from it to the one before; skips have a button of their own. */
  function goBack() {
    const { past, changing } = pageState;
    const older = past.slice(past.indexOf(changing) + 1).find((each) => !each.skipped);
    if (older) act(() => pageState.openPast(older.assignment));
  }

  const clicks = [
    ["#undo", goBack],
    ["#back", work.leave],
    ["#skipped button", undoSkip],
    ["#skip .skip-reasons button", (button) => skip(button.value)],
  ];

  document.addEventListener("click", (event) => {
    const [clicked, then] =
      clicks.map(([selector, act]) => [event.target.closest(selector), act]).find(([found]) => found) ?? [];
    if (!clicked) return;
    event.preventDefault();
    then(clicked);
  });

  // ---- what the server says -----------------------------------------------------------------------------------------

  function absorb(answer) {
    pageState.absorb(answer);
    render();
  }

  /** Ask the server for the held items: after a refusal, or when the page was left open. */
  async function refresh() {
    const { outcome, answer } = await post(`${start.base}next/`, {});
    if (outcome === "stored") absorb(answer);
  }

  outbox.addEventListener("stored", ({ detail: { entry, answer } }) => {
    pageState.settle(entry.about, answer);
    absorb(answer);
  });
  outbox.addEventListener("refused", ({ detail: { entry, answer } }) => {
    add("refused", answer.message ?? words.refused);
    pageState.drop(entry.about);
    refresh();
  });
  outbox.addEventListener("change", () => {
    showTrouble(outbox, words, Boolean(pageState.current));
    render();
  });
  outbox.addEventListener("arrived", ({ detail: { count } }) => showShortly("arrived", counted(words.arrived, count)));

  // ---- other tabs, and the beginning --------------------------------------------------------------------------------

  const claim = workHere(start.outbox, () => {
    isAside = true;
    show("elsewhere", words.elsewhere.replace("{time}", clockTime(new Date(), false)));
    render();
  });
  at("take-over").addEventListener("click", () => {
    isAside = false;
    hide("elsewhere");
    claim();
    refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !pageState.current) refresh(); // perhaps there is one now
  });
  addEventListener("pageshow", ({ persisted }) => (persisted || outbox.isAheadOfPage) && refresh());
  form.addEventListener("submit", (event) => event.preventDefault());
  showSaved(outbox, words);
  render();
  outbox.send();
  return work;
}

function at(id) {
  return document.getElementById(id);
}
