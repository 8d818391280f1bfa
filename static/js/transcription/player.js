// The audio of an item: play, jump and slow down without leaving the field one writes in.

const SPEEDS = [0.5, 0.75, 1];

/** The page's player, or null where the item came without audio. `silent` runs where the browser cannot play it. */
export function player(silent) {
  const audio = document.getElementById("audio");
  if (!audio) return null;
  const buttons = [...document.querySelectorAll("[data-speed]")];

  // A pause that comes before the sound does is no trouble.
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

  /** One step slower; after the slowest at full speed again. */
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
