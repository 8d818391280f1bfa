// What the consent says is noted beside the answers: how often and how long the page was left, copying and pasting, and
// whether a program drives the browser. Counts and times alone; they go with the next answer.

/** Begin to count. Returns `take`, which gives the counts since the last time, undefined when there are none. */
export function watch() {
  let counts = navigator.webdriver ? { webdriver: 1 } : {};
  let leftAt = null;

  const count = (name, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  addEventListener("blur", () => {
    leftAt ??= performance.now();
    count("blur");
  });
  addEventListener("focus", () => {
    count("focus");
    if (leftAt !== null) count("away_ms", Math.round(performance.now() - leftAt));
    leftAt = null;
  });
  for (const name of ["copy", "paste"]) document.addEventListener(name, () => count(name));

  return () => {
    const taken = counts;
    counts = {};
    return Object.keys(taken).length ? taken : undefined;
  };
}
