// The questions of a survey besides the one on the page: loaded once, however long a lost connection takes to come back.

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;
const PATIENCE_MS = 60000;
const PAGE_AFTER_MS = 2000;

/** Return the elements of the questions at an address, by position; none when the server gives this page no more. */
export async function load(address) {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
      if (response.ok) return questionsIn(await response.text());
      if (response.status < 500) return new Map();
    } catch {
      // unreachable: again after a pause, or when the connection is back
    }
    await after(pause);
  }
}

/** Return once the server has given the page at an address: asked after a while, again and again. */
export async function isThere(address) {
  do await after(PAGE_AFTER_MS);
  while (!(await gives(address)));
}

/** Tell whether the server gives a page at an address, be it one that refuses. */
export async function gives(address) {
  try {
    const how = { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) };
    return (await fetch(address, how)).status < 500; // 0 of a redirect
  } catch {
    return false; // unreachable
  }
}

/** Return after a pause, or when the connection is back. */
function after(pause) {
  return new Promise((resolve) => {
    setTimeout(resolve, pause);
    addEventListener("online", resolve, { once: true });
  });
}

function questionsIn(html) {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  const questions = [...content.querySelectorAll(".one-question")];
  return new Map(questions.map((question) => [Number(question.dataset.position), question]));
}
