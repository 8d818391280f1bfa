// Guard against accidental presses: after a key bounces or a finger taps twice, the second press meets new content.

const KEY_MS = 200;
const TAP_MS = 400; // a slow double tap, or the same key pressed twice

const SAME_PLACE_PX = 40; // a finger that taps twice moves less

let isAgain = false; // the press is a tap where the last one was
let last = { x: Infinity, y: Infinity };
let isSameKey = false; // the press is of the key that was pressed last
let lastKey;

addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y }) => {
    isAgain = Math.hypot(x - last.x, y - last.y) < SAME_PLACE_PX;
    last = { x, y };
    lastKey = undefined;
  },
  true,
);
addEventListener(
  "keydown",
  ({ key }) => {
    isAgain = false;
    isSameKey = key === lastKey;
    lastKey = key;
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

/** Tell whether a key is pressed a second time too soon, where keys that follow quickly are intended. */
export function isSecondPress(since) {
  return isSameKey && performance.now() - since < TAP_MS;
}
