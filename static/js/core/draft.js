// A draft on its way to the server. It is kept in this browser from the first letter until the server has said that it
// is stored, goes out a moment after the typing stops, and carries the revision it was made from: an older page never
// writes over a newer one.

import { post } from "./outbox.js";

const REST_MS = 1200; // after the last letter
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;

/**
 * Events: "change" whenever `entries` or `trouble` change; "stored" with the answer; "arrived" once what a lost
 * connection held up is stored; "stale" with the answer when another page has saved since; "refused" with the answer.
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

  /** `read` gives what stands on the page now, as the server takes it, without the revision. */
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

  /** What waits to be stored, for the line that says so. */
  get entries() {
    return this.#isSending || (this.#isDirty && this.trouble) ? [this.#name] : [];
  }

  get isDirty() {
    return this.#isDirty;
  }

  /** What this browser kept and the server has not stored: {revision, at, body}, or null. */
  get kept() {
    try {
      return JSON.parse(localStorage.getItem(this.#name));
    } catch {
      return null;
    }
  }

  /** Something was written. */
  changed() {
    if (this.#isStopped) return;
    this.#isDirty = true;
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), REST_MS);
  }

  /** What stands on the page goes over whatever was saved meanwhile. */
  takeOver(revision = this.revision) {
    this.revision = revision;
    this.#insists = true;
    this.#isStopped = false;
    this.#isDirty = true;
    return this.save();
  }

  /** No further save until somebody takes over: the work is elsewhere, or the server does not take it. */
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

  /** Save what is not saved yet, at once. Over when the server has answered. */
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
      this.changed(); // typed while it was on its way
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

  /** The page goes out of sight, perhaps for good: the browser sends what is not sent yet, and keeps it besides. */
  #leave() {
    if (!this.trouble) this.save({ keepalive: true });
  }

  /** Send what stands on the page to another address, once, with nothing saved in between. */
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
      // without storage the draft lives as long as the page
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
