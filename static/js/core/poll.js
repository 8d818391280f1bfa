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

/** The server's answer, or null where there is none to use. Who is signed out by now is sent to sign in. */
async function ask(url) {
  try {
    const headers = { Accept: "application/json" };
    // Not kept by the browser: the same address may be that of a page.
    const response = await fetch(url, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status === 401) return { next: location.pathname + location.search };
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Put each element marked data-part into the place of the one with its id; everything else stays where it is. */
function replaceParts(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const part of template.content.querySelectorAll("[data-part]")) replace(part);
}

/** Put an element into the place of the one with its id. What has the focus in it keeps it, by its own id. */
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
