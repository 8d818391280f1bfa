// Guard against accidental presses: after a key bounces or a finger taps twice, the second press meets new content.

const KEY_MS = 200;
const TAP_MS = 400; // a slow double tap

const SAME_PLACE_PX = 40; // a finger that taps twice moves less

let isAgain = false; // the press is a tap where the last one was
let last = { x: Infinity, y: Infinity };

addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y }) => {
    isAgain = Math.hypot(x - last.x, y - last.y) < SAME_PLACE_PX;
    last = { x, y };
  },
  true,
);
addEventListener(
  "keydown",
  () => {
    isAgain = false;
  },
  true,
);

/** Tell whether a press comes too soon after its target appeared, at `since` on the clock of performance.now(). */
export function isBounce(since) {
  return performance.now() - since < (isAgain ? TAP_MS : KEY_MS);
}

/** Tell whether a tap repeats the last one at its position too soon; quick taps elsewhere, and keys, are intended. */
export function isSecondTap(since) {
  return isAgain && isBounce(since);
}
