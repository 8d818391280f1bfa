// What a person has begun with a pair and not sent: the words in the panel, the grade that waits for its reason. It is
// kept in this tab, so that neither a reload nor another language loses it.

export class HalfDone {
  #name;

  constructor(name) {
    this.#name = name;
  }

  /** What was kept of a pair, or null. */
  of(seat) {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key(seat)));
    } catch {
      return null;
    }
  }

  keep(seat, begun) {
    try {
      sessionStorage.setItem(this.#key(seat), JSON.stringify(begun));
    } catch {
      // without storage it lives as long as the page
    }
  }

  forget(seat) {
    try {
      sessionStorage.removeItem(this.#key(seat));
    } catch {
      // see above
    }
  }

  #key(seat) {
    return `${this.#name}/${seat}`;
  }
}
