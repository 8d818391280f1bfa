// A key that bounces, or a finger that taps twice, presses what came instead of what it meant.

const KEY_MS = 200;
const TAP_MS = 400; // a slow double tap

const SAME_PLACE_PX = 40; // a finger that taps twice moves less

let isAgain = false; // the press is a tap at the place of the one before
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

/** Whether a press comes too soon after what it presses appeared, at `since` on the page's clock (performance.now()). */
export function isBounce(since) {
  return performance.now() - since < (isAgain ? TAP_MS : KEY_MS);
}

/** The same for what a first press has brought: two keys or two taps in a row are a skill, two at one place a slip. */
export function isSecondTap(since) {
  return isAgain && isBounce(since);
}
