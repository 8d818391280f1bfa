// The notices that stand in a page and are shown when their time comes: <div data-notice="name" hidden>.

const SHORT_MS = 4000;

export function show(name, text) {
  const notice = find(name);
  if (text !== undefined) notice.querySelector("[data-text]").textContent = text;
  notice.hidden = false;
}

/** One line more in a notice that keeps what it said before. Returns what takes the line back. */
export function add(name, text) {
  const line = document.createElement("p");
  line.textContent = text;
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

/** The sentence for one or for several, with the number in it. */
export function counted([one, several], count) {
  return (count === 1 ? one : several).replace("{count}", count);
}

function find(name) {
  return document.querySelector(`[data-notice="${name}"]`);
}
