// A draft that is saved on the server. This browser keeps it from the first letter until the server confirms that it is
// stored. It is sent a moment after typing stops, with the revision it was made from, so that an older page never
// overwrites a newer one.

import { isDelay, post, uuid } from "./outbox.js";

const REST_MS = 1200; // after the last letter
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;

/**
 * Events: "change" whenever `entries` or `trouble` change; "stored" with the answer; "arrived" once changes delayed by
 * a lost connection are stored; "stale" with the answer each time another page has saved since. In such a conflict the
 * draft is only kept here until takeOver(), unless it becomes the stored text; "refused" with the answer.
 */
export class Draft extends EventTarget {
  trouble = ""; // "", "unreachable", "signed-out", "role-ended", "stale" or "refused"
  revision;
  isKept = false; // in this browser
  #url;
  #name;
  #read;
  #keys = []; // of the saves whose answer this browser has not heard: one of them may be what the server has stored
  #newest; // the revision of another page that a conflict is about; undefined without a conflict
  #isDirty = false;
  #isSending = false;
  #isStopped = false;
  #isElsewhere = false; // in another tab, whose kept draft this one leaves alone
  #takesOver = false;
  #pauseMs = FIRST_PAUSE_MS;
  #timer;

  /** `read` returns the draft now on the page, in the server's format, without the revision; `signal` ends the listening. */
  constructor({ url, name, revision, read, signal }) {
    super();
    this.#url = url;
    this.#name = name;
    this.#read = read;
    this.revision = revision;
    const end = { signal };
    addEventListener("online", () => this.#isDelayed && this.save(), end);
    addEventListener("offline", () => this.#isDirty && !this.#isStopped && this.#wait("unreachable"), end);
    addEventListener("pagehide", () => this.#leave(), end);
    addEventListener("beforeunload", (event) => this.isUnsaved && event.preventDefault(), end);
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#leave(), end);
  }

  /** Unsaved work, for the line that shows it. */
  get entries() {
    return this.#isSending || (this.#isDirty && this.trouble) ? [this.#name] : [];
  }

  /** Whether leaving the page may lose what the server has not stored. */
  get isUnsaved() {
    return (this.#isDirty || this.#isSending) && !(this.#isElsewhere && this.isKept);
  }

  /** The draft that this browser kept and the server has not confirmed: {revision, keys, at, body}, or null. */
  get kept() {
    try {
      return JSON.parse(localStorage.getItem(this.#name));
    } catch {
      return null;
    }
  }

  /** Go on with a kept draft, which is on the page again. The server says whether it has newer text. */
  resume({ revision, keys = [] }) {
    this.revision = revision;
    this.#keys = keys;
    this.#isDirty = this.isKept = true;
    return this.save();
  }

  /** Note a change of the draft, keep it, and save it soon; in a conflict the server takes only the text it has. */
  changed() {
    this.#isDirty = true;
    this.#keep();
    if (!this.#isStopped) this.#saveSoon();
    if (this.trouble) this.#tell("change");
  }

  /** Save the draft of this page over the one of another page that "stale" told about. */
  async takeOver() {
    await this.#rest();
    if (this.#newest === undefined) return; // the save on its way has ended the conflict
    this.revision = this.#newest;
    this.#newest = undefined;
    this.#takesOver = true;
    this.trouble = "";
    this.#isDirty = true;
    return this.save();
  }

  /** Give the work to another tab, which goes on with what this browser keeps. To take it back, load the page again. */
  giveUp() {
    this.#isElsewhere = true;
    if (this.#newest === undefined) this.save();
    this.#stop();
  }

  /**
   * Give the draft of the page to another sender, which knows by the `keys` what of it the server may have stored. This
   * browser keeps it until forgetDraft().
   */
  handOver() {
    const key = uuid();
    this.#keys.push(key);
    this.#keep();
    this.#isElsewhere = true;
    this.#stop();
    return { keys: this.#keys, body: { ...this.#read(), revision: this.revision, save_key: key } };
  }

  #stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async save(options) {
    if (!this.#isDirty || this.#isSending || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#isDirty = false;
    const { outcome, answer } = await this.#send(this.#url, this.#takesOver ? { takes_over: true } : {}, options);
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

  /** Send the draft of the page. What the server stored of this very page is no conflict, if its answer was lost. */
  async #send(url, more, options) {
    this.#isSending = true;
    this.#tell("change");
    const key = uuid();
    this.#keys.push(key);
    if (this.kept) this.#keep(); // with the key
    const sent = await post(url, { ...this.#read(), ...more, revision: this.revision, save_key: key }, options);
    this.#isSending = false;
    if (!isStale(sent) || !this.#keys.includes(sent.answer.save_key)) return sent;
    this.revision = sent.answer.revision;
    return this.#send(url, more, options);
  }

  #settle(outcome, answer) {
    if (outcome === "stored") return this.#stored(answer);
    this.#isDirty = true;
    if (outcome !== "refused") return this.#wait(outcome);
    if (answer.code === "stale") return this.#conflict(answer);
    this.trouble = "refused";
    return this.#tell("refused", answer);
  }

  #stored(answer) {
    const wasDelayed = this.#isDelayed;
    this.revision = answer.revision;
    this.#keys = [];
    this.#newest = undefined;
    this.trouble = "";
    this.#takesOver = false;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#isDirty)
      this.changed(); // typed while it was being sent
    else this.forget();
    this.#tell("stored", { answer });
    if (wasDelayed) this.#tell("arrived");
  }

  /** Another page has saved since: keep what is typed until the person decides, and tell of each such save once. */
  #conflict(answer) {
    clearTimeout(this.#timer);
    const isNew = answer.revision !== this.#newest;
    this.#newest = answer.revision;
    this.trouble = "stale";
    this.#isDirty = true;
    this.#keep();
    if (isNew) this.#tell("stale", answer);
  }

  get #isDelayed() {
    return isDelay(this.trouble);
  }

  #saveSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), REST_MS);
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
    const wasDirty = this.#isDirty;
    this.#isDirty = false;
    const sent = await this.#send(url, more);
    if (!sent.answer?.kept) this.#isDirty ||= wasDirty;
    if (isStale(sent)) this.#conflict(sent.answer);
    else if (sent.answer?.kept)
      this.#stored(sent.answer); // as a draft
    else if (sent.outcome === "stored") this.forget();
    else if (this.#isDirty && !this.#isStopped) this.changed();
    this.#tell("change");
    return sent;
  }

  #keep() {
    if (this.#isElsewhere) return;
    const kept = { revision: this.revision, keys: this.#keys, at: Date.now(), body: this.#read() };
    try {
      localStorage.setItem(this.#name, JSON.stringify(kept));
      this.isKept = true;
    } catch {
      this.isKept = false; // it is kept only as long as the page
    }
  }

  forget() {
    this.#isDirty = false;
    if (!this.#isElsewhere) forgetDraft(this.#name);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Remove from this browser what it keeps of a draft. */
export function forgetDraft(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // without storage there is nothing to remove
  }
}

function isStale({ outcome, answer }) {
  return outcome === "refused" && answer.code === "stale";
}
