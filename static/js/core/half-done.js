// Unsent work on a pair: the text in the panel, the grade that waits for its reason. This tab keeps it, so that neither
// a reload, nor a switch of language, nor a skip that is undone loses it.

export class HalfDone {
  #name;

  constructor(name) {
    this.#name = name;
  }

  /** Return what was kept for a pair, or null. */
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
      // without storage it is kept only as long as the page
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
