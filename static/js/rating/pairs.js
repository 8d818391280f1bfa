// The held pairs and the given grades, as this page knows them: the server's last answer with unsent work applied.

const CHANGEABLE = 5;

export class PageState {
  /** Held and not graded; the first is next to grade. */
  pairs = [];
  /** Graded, newest first: {…pair, grade, reason}. */
  past = [];
  #returnedLater = null; // the assignment of the one of `past` that is being changed
  #stored = 0;
  #left;
  #base;
  #outbox;

  constructor({ base, changing, left, ...answer }, outbox) {
    this.#base = base;
    this.#outbox = outbox;
    this.#left = left - this.#unsent("grade").length - this.#unsent("skip").length;
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
    const graded = { ...this.current, grade, reason };
    if (this.changing) return this.#change(graded);
    this.#takeFirst();
    this.past = [graded, ...this.past].slice(0, CHANGEABLE);
    return this.#send("grade", graded, { grade, reason, milliseconds });
  }

  #change(graded) {
    const { grade, reason } = this.changing;
    this.leave();
    if (graded.grade === grade && graded.reason === reason) return;
    this.past = this.past.map((pair) => (pair.assignment === graded.assignment ? graded : pair));
    this.#send("change", graded, { grade: graded.grade, reason: graded.reason });
  }

  skip(reason) {
    this.#send("skip", this.#takeFirst(), { reason });
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

  /** Go one step further back in the last grades. */
  undo() {
    const now = this.past.findIndex(({ assignment }) => assignment === this.#returnedLater);
    if (now + 1 < this.past.length) this.#returnedLater = this.past[now + 1].assignment;
  }

  /** Go back to the pair to grade next. */
  leave() {
    this.#returnedLater = null;
  }

  /** Apply the server's answer. Returns false if the first pair to grade is no longer held. */
  absorb({ pairs, past = this.past, today }) {
    const gone = new Set([...this.#unsent("grade"), ...this.#unsent("skip")].map(({ assignment }) => assignment));
    const first = this.pairs[0];
    const inHand = pairs.filter((pair) => !gone.has(pair.assignment));
    const isInHand = inHand.some((pair) => pair.assignment === first?.assignment);
    this.pairs = isInHand ? [first, ...inHand.filter((pair) => pair.assignment !== first.assignment)] : inHand;
    this.past = this.#withUnsent(past);
    this.#stored = today;
    return !first || isInHand;
  }

  /** Apply the storing of a grade; the assignment may be a newer one on the same pair. */
  settle({ pair }, { assignment = pair.assignment }) {
    if (assignment === pair.assignment) return;
    this.past = this.past.map((graded) => (graded.assignment === pair.assignment ? { ...graded, assignment } : graded));
    if (this.#returnedLater === pair.assignment) this.#returnedLater = assignment;
  }

  /** Remove a grade that the server refused. */
  drop({ kind, pair }) {
    if (kind === "grade") this.past = this.past.filter(({ assignment }) => assignment !== pair.assignment);
  }

  #withUnsent(past) {
    const given = this.#unsent("grade").reverse();
    const changed = new Map(this.#unsent("change").map((pair) => [pair.assignment, pair]));
    const others = past.filter((pair) => !given.some(({ assignment }) => assignment === pair.assignment));
    return [...given, ...others].slice(0, CHANGEABLE).map((pair) => changed.get(pair.assignment) ?? pair);
  }

  #unsent(kind) {
    return this.#outbox.entries.filter(({ about }) => about.kind === kind).map(({ about }) => about.pair);
  }

  #send(kind, pair, body) {
    this.#outbox.add(`${this.#base}${pair.assignment}/${kind}/`, body, { kind, pair });
  }
}
