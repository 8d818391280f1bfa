// Work that the server has not stored yet. This browser keeps each entry until the server confirms that it is stored.
// Entries are sent in the order in which they were made, each with a key of its own, so that an entry sent twice is
// stored once.

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;
const PATIENCE_MS = 20000;
const DELAYS = ["unreachable", "signed-out", "role-ended"]; // outcomes after which work is kept and sent again
const ASKED_AGAIN = [408, 425, 429]; // a gateway's "too slow", "too early" and "too many"

/**
 * Send JSON to the server. The outcome is "stored" with the answer, "refused" with code and message, "signed-out", or
 * "unreachable", to be sent again; an error of the server or of a gateway also counts as "unreachable". "signed-out"
 * also means that another person has signed in, so that work is never stored under another name; "role-ended" means that
 * the person no longer has the role for it in the project. `options` are those of fetch.
 */
export async function post(url, body, options = {}) {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken"), ...owner() },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...options,
    });
    const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
    if (response.type === "opaqueredirect") return { outcome: "signed-out" };
    if (response.status === 403) return { outcome: forbidden(isJson ? await response.json() : {}) };
    if (response.ok && isJson) return { outcome: "stored", answer: await response.json() };
    if (response.status < 400 || response.status >= 500 || ASKED_AGAIN.includes(response.status))
      return { outcome: "unreachable" };
    return { outcome: "refused", answer: isJson ? await response.json() : {} };
  } catch {
    return { outcome: "unreachable" };
  }
}

function forbidden({ code }) {
  return code === "role_ended" ? "role-ended" : "signed-out";
}

/** Whether work with this outcome is kept and sent again. */
export function isDelay(outcome) {
  return DELAYS.includes(outcome);
}

/**
 * Events: "change" whenever `entries` or `trouble` change; "stored" and "refused" with the entry and the answer;
 * "arrived" with the count once everything that a lost connection delayed is stored.
 */
export class Outbox extends EventTarget {
  trouble = ""; // "" or one of DELAYS
  #name;
  #entries;
  #isSending = false;
  #heldUp = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #timer;
  /** Whether an earlier page got an answer after this page was requested, so that this page's data may be older. */
  isAheadOfPage;

  constructor(name) {
    super();
    this.#name = name;
    this.#entries = kept(name);
    // Asked before this page sends anything: its own answers do not make it old.
    const answered = answeredAt(name);
    this.isAheadOfPage = answered > 0 && answered >= performance.timeOrigin;
    if (this.isAheadOfPage) forgetAnswer(name); // or a clock that was set back would reload the page for minutes
    addEventListener("online", () => this.send());
    addEventListener("offline", () => this.#wait("unreachable"));
  }

  /** The entries not stored yet, oldest first: {id, url, body, at, about}. */
  get entries() {
    return [...this.#entries];
  }

  /** Keep `body` and send it in turn. `about` is not sent: it says what was done, with which pair. */
  add(url, body, about) {
    if (!about.pair?.assignment) return; // without an assignment the server cannot store it
    const key = uuid();
    const entry = { id: `${this.#name}/${sequence()}-${key}`, url, body: { ...body, key }, at: Date.now(), about };
    this.#entries.push(entry);
    keep(entry);
    this.send();
    this.#tell("change");
  }

  async send() {
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    let isReachable = navigator.onLine;
    while (this.#entries.length) {
      isReachable = await this.#sendFirst();
      if (!isReachable) break;
    }
    this.#isSending = false;
    if (isReachable) this.#allArrived();
  }

  /** Send the first entry. Resolves to false if it could not be sent and has to wait. */
  async #sendFirst() {
    const [entry] = this.#entries;
    const { outcome, answer } = await post(entry.url, entry.body);
    if (isDelay(outcome)) {
      this.#wait(outcome);
      return false;
    }
    this.#entries.shift();
    noteAnswer(this.#name);
    forget(entry);
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.trouble && outcome === "stored") this.#heldUp += 1;
    this.#tell(outcome, { entry, answer });
    this.#tell("change");
    return true;
  }

  #wait(trouble) {
    this.trouble = trouble;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#tell("change");
  }

  #allArrived() {
    const count = this.#heldUp;
    this.trouble = "";
    this.#heldUp = 0;
    this.#tell("change");
    if (count) this.#tell("arrived", { count });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Return the number of entries of an outbox kept in this browser. */
export function waiting(name) {
  return kept(name).length;
}

// Each entry has a storage item of its own, so that two tabs never overwrite each other's. Without storage (a full
// disk, a browser that forbids it) an entry is kept only as long as the page.
function kept(name) {
  try {
    const ids = Object.keys(localStorage)
      .filter((id) => id.startsWith(`${name}/`))
      .sort();
    return ids.map((id) => ({ id, ...JSON.parse(localStorage.getItem(id)) }));
  } catch {
    return [];
  }
}

function keep({ id, ...entry }) {
  try {
    localStorage.setItem(id, JSON.stringify(entry));
  } catch {
    // see above
  }
}

function forget({ id }) {
  try {
    localStorage.removeItem(id);
  } catch {
    // see above
  }
}

function noteAnswer(name) {
  try {
    sessionStorage.setItem(`${name}:answered`, String(Date.now()));
  } catch {
    // see above
  }
}

function answeredAt(name) {
  try {
    return Number(sessionStorage.getItem(`${name}:answered`));
  } catch {
    return 0;
  }
}

function forgetAnswer(name) {
  try {
    sessionStorage.removeItem(`${name}:answered`);
  } catch {
    // see above
  }
}

let count = 0;

/** Return a number that sorts by time, so that entries from an earlier visit are sent first. */
function sequence() {
  count += 1;
  return `${String(Date.now()).padStart(14, "0")}-${String(count).padStart(6, "0")}`;
}

/** Return a version 4 UUID. crypto.randomUUID exists only under HTTPS, which a laboratory's server may lack. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Return a header with the page's person; none on pages for participants, who have no account. */
function owner() {
  const { person } = document.documentElement.dataset;
  return person ? { "X-Person": person } : {};
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? found.slice(name.length + 1) : "";
}
