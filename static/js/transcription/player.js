// The audio of an item: play, jump and slow down while the focus stays in the text field.

const SPEEDS = [0.5, 0.75, 1];

/** Return the page's player, or null if the item has no audio. `silent` runs if the browser cannot play it. */
export function player(silent) {
  const audio = document.getElementById("audio");
  if (!audio) return null;
  const buttons = [...document.querySelectorAll("[data-speed]")];

  // A pause before the sound has started rejects the promise; that is no error.
  const play = () =>
    audio.paused ? audio.play().catch(({ name }) => name === "NotSupportedError" && silent()) : audio.pause();

  function jump(seconds) {
    const end = Number.isFinite(audio.duration) ? audio.duration : Infinity;
    audio.currentTime = Math.min(Math.max(audio.currentTime + seconds, 0), end);
  }

  function slow(speed) {
    audio.preservesPitch = true;
    audio.playbackRate = speed;
    for (const button of buttons) button.setAttribute("aria-pressed", Number(button.dataset.speed) === speed);
  }

  /** Go one step slower; after the slowest step back to full speed. */
  const slower = () => slow(SPEEDS.at(SPEEDS.indexOf(audio.playbackRate) - 1));

  audio.addEventListener("error", silent);
  if (audio.error) silent();
  for (const button of buttons) button.addEventListener("click", () => slow(Number(button.dataset.speed)));
  document.querySelector("[data-play]").addEventListener("click", play);
  for (const button of document.querySelectorAll("[data-jump]")) {
    button.addEventListener("click", () => jump(Number(button.dataset.jump)));
  }
  return { F2: play, F3: () => jump(-3), F4: () => jump(3), F8: slower };
}
