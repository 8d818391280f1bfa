// A draft that is saved on the server. This browser keeps it from the first letter until the server confirms that it is
// stored. It is sent a moment after typing stops, with the revision it was made from, so that an older page never
// overwrites a newer one.

import { post } from "./outbox.js";

const REST_MS = 1200; // after the last letter
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;

/**
 * Events: "change" whenever `entries` or `trouble` change; "stored" with the answer; "arrived" once changes delayed by
 * a lost connection are stored; "stale" with the answer when another page has saved since; "refused" with the answer.
 */
export class Draft extends EventTarget {
  trouble = ""; // "", "unreachable" or "signed-out"
  revision;
  #url;
  #name;
  #read;
  #isDirty = false;
  #isSending = false;
  #isStopped = false;
  #insists = false;
  #pauseMs = FIRST_PAUSE_MS;
  #timer;

  /** `read` returns the draft now on the page, in the server's format, without the revision. */
  constructor({ url, name, revision, read }) {
    super();
    this.#url = url;
    this.#name = name;
    this.#read = read;
    this.revision = revision;
    addEventListener("online", () => this.trouble && this.save());
    addEventListener("offline", () => this.#isDirty && this.#wait("unreachable"));
    addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#leave());
  }

  /** Unsaved work, for the line that shows it. */
  get entries() {
    return this.#isSending || (this.#isDirty && this.trouble) ? [this.#name] : [];
  }

  get isDirty() {
    return this.#isDirty;
  }

  /** The draft that this browser kept and the server has not stored: {revision, at, body}, or null. */
  get kept() {
    try {
      return JSON.parse(localStorage.getItem(this.#name));
    } catch {
      return null;
    }
  }

  /** Note a change of the draft, and save it soon. */
  changed() {
    if (this.#isStopped) return;
    this.#isDirty = true;
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), REST_MS);
  }

  /** Save the draft of this page over anything saved by another page. */
  takeOver(revision = this.revision) {
    this.revision = revision;
    this.#insists = true;
    this.#isStopped = false;
    this.#isDirty = true;
    return this.save();
  }

  /** Stop saving until takeOver(): the work is in another tab, or the server refuses it. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async save(options) {
    if (!this.#isDirty || this.#isSending || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    this.#isDirty = false;
    this.#tell("change");
    const body = { ...this.#read(), revision: this.revision };
    const { outcome, answer } = await post(this.#url, body, options);
    this.#isSending = false;
    this.#settle(outcome, answer ?? {});
    this.#tell("change");
  }

  /** Save at once what is not saved yet. Resolves when the server has answered. */
  async saveNow() {
    await this.#rest();
    return this.save();
  }

  async #rest() {
    while (this.#isSending)
      await new Promise((resume) => {
        setTimeout(resume, 50);
      });
  }

  #settle(outcome, answer) {
    if (outcome === "stored") return this.#stored(answer);
    this.#isDirty = true;
    if (outcome !== "refused") return this.#wait(outcome);
    if (answer.code === "stale" && this.#insists) {
      this.#insists = false;
      this.revision = answer.revision;
      return this.save();
    }
    this.stop();
    return this.#tell(answer.code === "stale" ? "stale" : "refused", answer);
  }

  #stored(answer) {
    const wasHeldUp = Boolean(this.trouble);
    this.revision = answer.revision;
    this.trouble = "";
    this.#insists = false;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#isDirty)
      this.changed(); // typed while it was being sent
    else this.forget();
    this.#tell("stored", { answer });
    if (wasHeldUp) this.#tell("arrived");
  }

  #wait(trouble) {
    this.trouble = trouble;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#tell("change");
  }

  /** Save when the page is hidden, perhaps for good; the browser still keeps the draft as well. */
  #leave() {
    if (!this.trouble) this.save({ keepalive: true });
  }

  /** Send the draft of the page to another address, once, with no save in between. */
  async deliver(url, more = {}) {
    clearTimeout(this.#timer);
    await this.#rest();
    this.#isSending = true;
    this.#tell("change");
    const sent = await post(url, { ...this.#read(), ...more, revision: this.revision });
    this.#isSending = false;
    if (sent.answer?.kept)
      this.#stored(sent.answer); // as a draft
    else if (sent.outcome === "stored") this.forget();
    else if (this.#isDirty && !this.#isStopped) this.changed();
    this.#tell("change");
    return sent;
  }

  #keep() {
    try {
      localStorage.setItem(this.#name, JSON.stringify({ revision: this.revision, at: Date.now(), body: this.#read() }));
    } catch {
      // without storage the draft is kept only as long as the page
    }
  }

  forget() {
    this.#isDirty = false;
    try {
      localStorage.removeItem(this.#name);
    } catch {
      // see above
    }
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
