// Parts of a page that follow the server: <div id="…" data-poll="address" data-every="300"> asks that address again and
// again. The answer is {html} with the parts to replace, or {next}, the page to go to once there is nothing to follow.

const PATIENCE_MS = 20_000;
const LONGEST_PAUSE_MS = 30_000;

/** Ask for the element with this id until it leaves the page. After an error wait twice as long as before. */
export async function follow(id) {
  let pauseMs = 0;
  let isHeard = true;
  for (let part = find(id); part?.dataset.poll; part = find(id)) {
    pauseMs = isHeard ? Number(part.dataset.every) : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    await new Promise((resume) => setTimeout(resume, pauseMs));
    const answer = await ask(part.dataset.poll);
    isHeard = Boolean(answer);
    if (answer?.next) return location.assign(answer.next);
    if (answer) replaceParts(answer.html);
  }
}

/** Return the server's answer, or null if it is unusable. A person who is signed out is sent to the sign-in page. */
async function ask(url) {
  try {
    const headers = { Accept: "application/json" };
    // Not cached by the browser, because a page may have the same address.
    const response = await fetch(url, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status === 401) return { next: location.pathname + location.search };
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Replace each element that has the id of one marked data-part; everything else stays. */
export function replaceParts(html) {
  const { content } = parsed(html);
  for (const part of content.querySelectorAll("[data-part]")) replace(part);
}

export function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

/** Replace the element with this one's id. An element inside that has the focus keeps it, by its id. */
export function replace(part) {
  const old = find(part.id);
  if (!old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(part);
  if (focused) find(focused)?.focus({ preventScroll: true });
}

function find(id) {
  return document.getElementById(id);
}
