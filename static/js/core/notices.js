// Notices that are in a page from the beginning and are shown when needed: <div data-notice="name" hidden>.

const SHORT_MS = 4000;

export function show(name, text) {
  const notice = find(name);
  if (text !== undefined) notice.querySelector("[data-text]").textContent = text;
  notice.hidden = false;
}

/** Add a line to a notice: a text, or an element. Returns a function that removes the line. */
export function add(name, said) {
  const line = typeof said === "string" ? document.createElement("p") : said;
  if (line !== said) line.textContent = said;
  const list = find(name).querySelector("[data-list]");
  list.append(line);
  show(name);
  return () => {
    line.remove();
    if (!list.children.length) hide(name);
  };
}

export function hide(name) {
  const notice = find(name);
  notice.hidden = true;
  notice.querySelector("[data-list]")?.replaceChildren();
}

export function showShortly(name, text) {
  show(name, text);
  setTimeout(() => hide(name), SHORT_MS);
}

/** Return the singular or plural sentence with the number filled in. */
export function counted([one, several], count) {
  return (count === 1 ? one : several).replace("{count}", count);
}

function find(name) {
  return document.querySelector(`[data-notice="${name}"]`);
}

/**
 * Show "offline", "signed-out" or "role-ended" while that is an outbox's trouble, with how many of its entries wait.
 * `isWorkLeft`: whether a person can go on in the page meanwhile.
 */
export function showTrouble({ trouble, entries: { length } }, words, isWorkLeft = true) {
  const { offline, offlineFull, offlineNone, roleEnded } = words;
  const kept = isWorkLeft ? offline : offlineFull;
  if (trouble === "unreachable" && (length || isWorkLeft))
    show("offline", length ? counted(kept, length) : offlineNone);
  else hide("offline");
  if (trouble === "signed-out") show("signed-out");
  else hide("signed-out");
  if (trouble === "role-ended") show("role-ended", counted(roleEnded, length));
  else hide("role-ended");
}
