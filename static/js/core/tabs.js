// One tab at a time: the newest works, the older ones are told.

/**
 * Tell other tabs with this `name` that the work is here now; `lost` runs in a tab that another one takes it from.
 * Returns what takes it back.
 */
export function workHere(name, lost) {
  const channel = new BroadcastChannel(name);
  const claim = () => channel.postMessage("here");
  channel.addEventListener("message", lost);
  claim();
  return claim;
}
