// What a person has begun with a pair and not sent: the words in the panel, the grade that waits for its reason. It is
// kept in this tab, so that neither a reload nor another language loses it.

export class HalfDone {
  #name;

  constructor(name) {
    this.#name = name;
  }

  /** What was kept of a pair, or null. */
  of(assignment) {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key(assignment)));
    } catch {
      return null;
    }
  }

  keep(assignment, begun) {
    try {
      sessionStorage.setItem(this.#key(assignment), JSON.stringify(begun));
    } catch {
      // without storage it lives as long as the page
    }
  }

  forget(assignment) {
    try {
      sessionStorage.removeItem(this.#key(assignment));
    } catch {
      // see above
    }
  }

  #key(assignment) {
    return `${this.#name}/${assignment}`;
  }
}
