// The milliseconds for which questions were on a page. The tab keeps them: a page that is loaded again goes on counting.

/** Return `of` and `keep`, of the time at a question by its position, for the person whose outbox has this name. */
export function timesOf(outbox) {
  const kept = new Map(); // where the browser has no storage for this page
  const name = (position) => `${outbox}:time/${position}`;

  return {
    of(position) {
      try {
        return Number(sessionStorage.getItem(name(position)));
      } catch {
        return kept.get(position) ?? 0;
      }
    },
    keep(position, milliseconds) {
      try {
        sessionStorage.setItem(name(position), milliseconds);
      } catch {
        kept.set(position, milliseconds);
      }
    },
  };
}
