// The held pairs (or instances) and those done last, as this page knows them: the server's last answer with unsent work
// applied.

const CHANGEABLE = 5;

export class PageState {
  /** Held and not graded; the first is next to grade. */
  pairs = [];
  /** Graded or skipped, newest first: {…pair, …what was given} or {…pair, skipped}. */
  past = [];
  #returnedLater = null; // the assignment of the one of `past` that is being changed
  #stored = 0;
  #left;
  #base;
  #addresses;
  #outbox;

  /** `addresses`: where a kind of entry is sent, after `base` and the assignment, if not at its own name. */
  constructor({ base, addresses = {}, changing, ...answer }, outbox) {
    this.#base = base;
    this.#addresses = addresses;
    this.#outbox = outbox;
    this.absorb(answer);
    this.openPast(changing);
  }

  /** The one of `past` that is being changed. */
  get changing() {
    return this.past.find(({ assignment }) => assignment === this.#returnedLater);
  }

  get current() {
    return this.changing ?? this.pairs[0];
  }

  /** Number graded today, unsent grades included. */
  get today() {
    return this.#stored + this.#unsent("grade").length;
  }

  /** Number left to grade, also those not yet in the page; approximate, because others grade too. */
  get left() {
    return this.pairs.length && Math.max(this.#left, this.pairs.length);
  }

  grade(grade, reason, milliseconds) {
    this.give({ grade, reason }, this.changing ? {} : { milliseconds });
  }

  /** Give the current pair its grade, or replace the one it has. `more` is sent with it and not kept. */
  give(given, more = {}) {
    const graded = { ...this.current, ...given };
    if (this.changing) return this.#change(graded, given, more);
    this.#takeFirst();
    this.past = [graded, ...this.past].slice(0, CHANGEABLE);
    return this.#send("grade", graded, { ...given, ...more });
  }

  #change(graded, given, more) {
    const before = this.changing;
    this.leave();
    if (Object.keys(given).every((name) => given[name] === before[name])) return;
    this.past = this.past.map((pair) => (pair.assignment === graded.assignment ? graded : pair));
    this.#send("change", graded, { ...given, ...more });
  }

  skip(reason) {
    const skipped = { ...this.#takeFirst(), skipped: reason };
    this.past = [skipped, ...this.past].slice(0, CHANGEABLE);
    this.#send("skip", skipped, { reason });
  }

  /** Take a skipped pair back, to grade it next. */
  undoSkip(assignment) {
    const { skipped, ...pair } = this.past.find((done) => done.assignment === assignment);
    this.leave();
    this.past = this.past.filter((done) => done.assignment !== assignment);
    this.pairs.unshift(pair);
    this.#left += 1;
    this.#send("undo-skip", pair, {});
  }

  /** Flag a pair with a comment, which does not change its position. */
  flag(pair, comment) {
    this.#send("flag", pair, { comment });
  }

  #takeFirst() {
    this.#left -= 1;
    return this.pairs.shift();
  }

  /** Show one of the last graded pairs, to change its grade. */
  openPast(assignment) {
    this.#returnedLater = assignment;
  }

  /** What undo() goes back to. */
  get before() {
    const now = this.past.findIndex(({ assignment }) => assignment === this.#returnedLater);
    return this.past[now + 1];
  }

  /** Go one step further back: open the grade before, or take back the skip. */
  undo() {
    const { before } = this;
    if (before?.skipped) this.undoSkip(before.assignment);
    else if (before) this.#returnedLater = before.assignment;
  }

  /** Go back to the pair to grade next. */
  leave() {
    this.#returnedLater = null;
  }

  /** Apply the server's answer. Returns false if the first pair to grade is no longer held. */
  absorb({ pairs, past = this.past, today, left }) {
    const first = this.pairs[0];
    const inHand = this.#heldAfterUnsent(pairs);
    const isInHand = inHand.some((pair) => pair.assignment === first?.assignment);
    this.pairs = isInHand ? [first, ...inHand.filter((pair) => pair.assignment !== first.assignment)] : inHand;
    this.past = this.#doneAfterUnsent(past);
    this.#stored = today;
    if (left !== undefined) this.#left = left - this.#countOff();
    return !first || isInHand;
  }

  /** Apply the storing of a grade; the assignment may be a newer one on the same pair. */
  settle({ pair }, { assignment = pair.assignment }) {
    if (assignment === pair.assignment) return;
    this.past = this.past.map((graded) => (graded.assignment === pair.assignment ? { ...graded, assignment } : graded));
    if (this.#returnedLater === pair.assignment) this.#returnedLater = assignment;
  }

  /** Remove a grade, a skip or the undoing of one that the server refused. */
  drop({ kind, pair }) {
    const isOther = ({ assignment }) => assignment !== pair.assignment;
    if (kind === "grade" || kind === "skip") this.past = this.past.filter(isOther);
    if (kind === "undo-skip") this.pairs = this.pairs.filter(isOther);
  }

  #heldAfterUnsent(pairs) {
    return this.#outbox.entries.reduce((held, { about: { kind, pair } }) => {
      const others = held.filter(({ assignment }) => assignment !== pair.assignment);
      if (kind === "undo-skip") return [pair, ...others];
      return kind === "grade" || kind === "skip" ? others : held;
    }, pairs);
  }

  #doneAfterUnsent(past) {
    const after = this.#outbox.entries.reduce((done, { about: { kind, pair } }) => {
      const others = done.filter(({ assignment }) => assignment !== pair.assignment);
      if (kind === "grade" || kind === "skip") return [pair, ...others];
      if (kind === "change") return done.map((each) => (each.assignment === pair.assignment ? pair : each));
      return kind === "undo-skip" ? others : done;
    }, past);
    return after.slice(0, CHANGEABLE);
  }

  /** Return how many of the server's count of pairs are done by what is unsent. */
  #countOff() {
    return this.#unsent("grade").length + this.#unsent("skip").length - this.#unsent("undo-skip").length;
  }

  #unsent(kind) {
    return this.#outbox.entries.filter(({ about }) => about.kind === kind).map(({ about }) => about.pair);
  }

  #send(kind, pair, body) {
    const address = this.#addresses[kind] ?? `${kind}/`;
    this.#outbox.add(`${this.#base}${pair.assignment}/${address}`, body, { kind, pair });
  }
}
