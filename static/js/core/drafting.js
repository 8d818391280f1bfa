// Shared by the pages on which a draft is written and submitted: saving and its responses, one tab at a time, keys, and
// restoring what this browser kept when it could not be sent.

import { ask } from "./ask.js";
import { Draft } from "./draft.js";
import { isTyping } from "./keys.js";
import { hide, show, showShortly } from "./notices.js";
import { clockTime, showSaved } from "./saved.js";
import { closeMenu } from "./skip-menu.js";
import { workHere } from "./tabs.js";

const OTHER_LOADED = "other-draft-loaded"; // the draft of which this tab is loading the other page's text

/** Events: "submit" before the draft is submitted; a page that submits it itself prevents the default. */
export class Drafting extends EventTarget {
  isAside = false; // the work is in another tab
  draft;
  #staleAt; // when the other page of a conflict saved last
  #pageState;
  #card;
  #end = new AbortController();

  /**
   * `card` is the page's own part: content in the server's format; hasText, whether a person wrote some of it;
   * fill(content); showFlaws(list), empty to clear.
   */
  constructor(form, pageState, card) {
    super();
    this.#pageState = pageState;
    this.#card = card;
    const read = () => card.content;
    this.draft = new Draft({
      url: `${pageState.base}save/`,
      name: pageState.draft,
      revision: pageState.revision,
      read,
      signal: this.ended,
    });
    this.#listen(this.draft, "stale", ({ detail }) => this.#stale(detail));
    this.#listen(this.draft, "stored", () => this.#agree());
    this.#listen(this.draft, "refused", ({ detail }) => this.refuse(detail));
    this.#listen(this.draft, "arrived", () => showShortly("arrived"));
    workHere(pageState.draft, () => this.#giveUp(), this.ended);
    this.#listen(form, "submit", (event) => !event.submitter?.matches("[data-undo-skip]") && event.preventDefault());
    this.#listen(window, "pointerdown", ({ target }) => {
      if (target.closest("a") && !this.draft.trouble) this.draft.save();
    });
    this.#listen(window, "pageshow", ({ persisted }) => persisted && location.reload()); // the browser restored an old page
  }

  #listen(where, type, act) {
    where.addEventListener(type, act, { signal: this.ended });
  }

  /** The signal that this draft is no longer worked on here. */
  get ended() {
    return this.#end.signal;
  }

  /** Stop listening, because the page goes on to another item. */
  end() {
    this.#end.abort();
  }

  // ---- what a person does -------------------------------------------------------------------------------------------

  /** Handle clicks on the page's own elements, in the form or beside it: pairs of a selector and a function of the clicked element. */
  onClick(own) {
    const clicks = [
      ["#submit", () => this.submit()],
      ["#skip button", (button) => this.#skip(button.value)],
      ["[data-take-over]", () => this.#takeOver()],
      ["[data-reload]", () => this.#reload()],
      ...own,
    ];
    this.#listen(document, "click", (event) => {
      const [clicked, act] =
        clicks.map(([selector, then]) => [event.target.closest(selector), then]).find(([found]) => found) ?? [];
      if (!clicked) return;
      event.preventDefault();
      act(clicked);
    });
  }

  /** Handle the page's own keys, by names like "alt ArrowUp" and "command shift F": command is Ctrl or ⌘. */
  onKey(own) {
    const keys = {
      "command Enter": (event) => !event.repeat && this.submit(),
      "alt Z": () => document.querySelector("[data-undo-skip]")?.click(),
      ...own,
    };
    this.#listen(document, "keydown", (event) => {
      if (
        event.defaultPrevented ||
        event.isComposing ||
        event.keyCode === 229 ||
        document.querySelector("dialog[open]")
      )
        return;
      const name = named(event);
      const act = keys[name];
      if (!act || this.isAside || (name.length === 1 && isTyping(event))) return;
      event.preventDefault();
      act(event);
    });
  }

  submit() {
    if (this.isAside) return;
    hide("refused");
    this.#card.showFlaws([]);
    if (this.dispatchEvent(new Event("submit", { cancelable: true }))) this.go(`${this.#pageState.base}submit/`);
  }

  /** Send the draft to an address that leads on to another page. */
  async go(url, more) {
    const { outcome, answer } = await this.send(url, more);
    if (outcome === "stored") location.assign(answer.next);
  }

  /** Send the draft to an address, and show what prevents it. */
  async send(url, more) {
    const sent = await this.draft.deliver(url, more);
    if (sent.outcome === "refused") this.refuse(sent.answer);
    else if (sent.outcome !== "stored") show(sent.outcome === "unreachable" ? "offline" : sent.outcome);
    return sent;
  }

  /** Skip the item; a text on it is saved before, since it comes back with the item, and that is asked first. */
  async #skip(reason) {
    if (this.#card.hasText && !(await ask("ask-skip"))) return closeMenu();
    await this.draft.saveNow();
    if (!this.draft.isUnsaved) this.go(`${this.#pageState.base}skip/`, { reason });
  }

  #takeOver() {
    if (this.isAside) return location.reload(); // the page then begins with what this browser keeps
    hide("stale");
    return this.draft.takeOver();
  }

  async #reload() {
    if (!(await ask("ask-reload"))) return;
    this.draft.forget();
    sessionStorage.setItem(OTHER_LOADED, this.#pageState.draft);
    location.reload();
  }

  // ---- what the server says, and other tabs -------------------------------------------------------------------------

  /** Show why the server refused what was sent. */
  refuse(answer) {
    if (answer.code === "stale") return this.#stale(answer);
    show("refused", answer.message ?? this.#pageState.words.unreadable);
    return this.#card.showFlaws(answer.flaws ?? []);
  }

  #stale({ saved_at: at }) {
    const { stale, staleAgain } = this.#pageState.words;
    const isAgain = this.#staleAt && this.#staleAt !== at;
    this.#staleAt = at;
    show("stale", (isAgain ? staleAgain : stale).replace("{time}", clockTime(new Date(at))));
  }

  #agree() {
    this.#staleAt = undefined;
    hide("stale");
  }

  #giveUp() {
    hide("stale");
    this.draft.giveUp();
    this.#setAside();
    show("elsewhere", atTime(this.#pageState.words.elsewhere, Date.now()));
  }

  #setAside() {
    this.isAside = true;
    for (const part of document.querySelectorAll("#work, .writing-acts")) part.inert = true;
  }

  // ---- the beginning ------------------------------------------------------------------------------------------------

  /** Start once the page is ready. Returns whether this browser had kept an unsaved draft. */
  begin() {
    const { kept } = this.draft;
    if (kept) this.#card.fill(kept.body);
    showSaved(this.draft, this.#pageState.words, { saved: this.#begunWith(kept), signal: this.ended });
    if (kept) this.draft.resume(kept);
    return Boolean(kept);
  }

  /** Return which draft the page begins with; nothing of an empty one. */
  #begunWith(kept) {
    const { draft, savedAt, words } = this.#pageState;
    const isOther = sessionStorage.getItem(OTHER_LOADED) === draft;
    sessionStorage.removeItem(OTHER_LOADED);
    const at = kept?.at ?? savedAt;
    if (!at || !this.#card.hasText) return "";
    return isOther ? words.otherLoaded : atTime(words.back, at);
  }
}

/** Show the notices "offline", "signed-out" and "role-ended" as long as one of the senders has that trouble. */
export function showTroubleOf(senders, signal) {
  const update = () => {
    for (const [notice, trouble] of [
      ["offline", "unreachable"],
      ["signed-out", "signed-out"],
      ["role-ended", "role-ended"],
    ]) {
      (senders.some((sender) => sender.trouble === trouble) ? show : hide)(notice);
    }
  };
  for (const sender of senders) sender.addEventListener("change", update, { signal });
  update();
}

function named({ ctrlKey, metaKey, altKey, shiftKey, key }) {
  const held = [(ctrlKey || metaKey) && "command", altKey && "alt", shiftKey && "shift"];
  return [...held, key.length === 1 ? key.toUpperCase() : key].filter(Boolean).join(" ");
}

function atTime(words, at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday
    ? ""
    : `${date.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short" })} `;
  return words.replace("{time}", day + clockTime(date, false));
}
