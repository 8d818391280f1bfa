// What the scripts under test take from a browser, as plain objects: storage, the network, events, a page of elements.
// Tests set what a browser would say and read what the script did.

import { webcrypto } from "node:crypto";

// Node 18 has neither of them yet.
globalThis.crypto ??= webcrypto;
globalThis.CustomEvent ??= class CustomEvent extends Event {
  constructor(type, { detail = null } = {}) {
    super(type);
    this.detail = detail;
  }
};

/** The storage of a browser: keys are its own properties, as Object.keys sees them. `isFull` refuses further entries. */
export class FakeStorage {
  constructor(entries = {}) {
    Object.assign(this, entries);
    Object.defineProperty(this, "isFull", { value: false, writable: true, enumerable: false });
  }

  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, value) {
    if (this.isFull) throw new Error("QuotaExceededError");
    this[key] = String(value);
  }

  removeItem(key) {
    delete this[key];
  }
}

/** The server: each request waits for its answer from `answers`, oldest first, else for that of `always`. */
export class FakeServer {
  requests = []; // {url, method, headers, body, keepalive}
  #answers = [];

  answer(...answers) {
    this.#answers.push(...answers);
    return this;
  }

  fetch = async (url, { method = "GET", headers = {}, body, keepalive = false } = {}) => {
    this.requests.push({ url, method, headers, body: body === undefined ? undefined : JSON.parse(body), keepalive });
    const answer = await (this.#answers.shift() ?? unreachable());
    if (answer instanceof Error) throw answer;
    return answer;
  };

  get bodies() {
    return this.requests.map(({ body }) => body);
  }
}

/** An answer in JSON. */
export function json(body, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

/** What is not ours: a gateway's page, or none at all. */
export function page(status = 200) {
  return new Response("<p>Gateway</p>", { status, headers: { "Content-Type": "text/html" } });
}

export function unreachable() {
  return new TypeError("Failed to fetch");
}

/** The redirect to the sign-in page, which fetch does not follow. */
export function redirected() {
  return { type: "opaqueredirect", status: 0, ok: false, headers: new Headers() };
}

/** An answer that comes when the test says so: {promise, answer(response)}. */
export function later() {
  let answer;
  const promise = new Promise((resolve) => {
    answer = resolve;
  });
  return { promise, answer };
}

/** An element with what scripts read and write of one. */
export class FakeElement extends EventTarget {
  dataset = {};
  textContent = "";
  hidden = false;
  #parts = {};

  constructor(properties = {}) {
    super();
    const classes = new Set();
    this.classList = {
      contains: (name) => classes.has(name),
      toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)),
    };
    Object.assign(this, properties);
  }

  /** The part that a selector finds; made when it is first asked for. */
  querySelector(selector) {
    this.#parts[selector] ??= new FakeElement();
    return this.#parts[selector];
  }
}

/** Install a browser with this server. Returns {server, window, document, storage, restart}. */
export function browser({ server = new FakeServer(), elements = {}, cookie = "", person = "" } = {}) {
  const window = new EventTarget();
  const document = new EventTarget();
  Object.assign(document, {
    cookie,
    visibilityState: "visible",
    activeElement: null,
    documentElement: { dataset: person ? { person } : {}, lang: "en", toggleAttribute() {} },
    getElementById: (id) => elements[id] ?? null,
  });
  const storage = new FakeStorage();
  const assigned = [];
  install({
    document,
    fetch: server.fetch,
    localStorage: storage,
    sessionStorage: new FakeStorage(),
    addEventListener: window.addEventListener.bind(window),
    navigator: { onLine: true },
    location: { pathname: "/", search: "", assign: (url) => assigned.push(url) },
  });
  return { server, window, document, storage, elements, assigned };
}

function install(globals) {
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

const real = { setTimeout, clearTimeout, setInterval, clearInterval, Date };
let now = 0;
let due = []; // {id, at, act, every}
let lastId = 0;

/** Stop the clock: from here on timers run, and Date goes on, only while pass() lets time go by. */
export function fakeTime(start = real.Date.UTC(2026, 0, 5, 9)) {
  [now, due] = [start, []];
  const plan = (act, wait = 0, every = null) => {
    lastId += 1;
    due.push({ id: lastId, at: now + wait, act, every });
    return lastId;
  };
  const drop = (id) => {
    due = due.filter((each) => each.id !== id);
  };
  class FakeDate extends real.Date {
    constructor(...parts) {
      super(...(parts.length ? parts : [now]));
    }

    static now() {
      return now;
    }
  }
  install({
    Date: FakeDate,
    setTimeout: (act, wait) => plan(act, wait),
    setInterval: (act, every) => plan(act, every, every),
    clearTimeout: drop,
    clearInterval: drop,
  });
}

/** Let so much time pass, and everything happen that is due in it. */
export async function pass(milliseconds) {
  const end = now + milliseconds;
  await settle();
  for (let next = firstDue(end); next; next = firstDue(end)) {
    now = next.at;
    if (next.every === null) due = due.filter((each) => each !== next);
    else next.at += next.every;
    next.act();
    await settle();
  }
  now = end;
}

function firstDue(end) {
  return due.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
}

/** Let everything happen that waits for no clock. */
export async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resume) => setImmediate(resume));
}
