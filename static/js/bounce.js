// A key that bounces, or a finger that taps twice, presses what came instead of what it meant.

const KEY_MS = 200;
const TAP_MS = 400; // a slow double tap

let byPointer = false;
addEventListener("pointerdown", () => { byPointer = true; }, true);
addEventListener("keydown", () => { byPointer = false; }, true);

/** Whether a press comes too soon after what it presses appeared, at `since` on the page's clock (performance.now()). */
export function isBounce(since) {
  return performance.now() - since < (byPointer ? TAP_MS : KEY_MS);
}

/** The same for what a first press has brought: two keys in a row are a skill, two taps at one place a slip. */
export function isSecondTap(since) {
  return byPointer && isBounce(since);
}
