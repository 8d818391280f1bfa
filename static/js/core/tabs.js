// Work in one tab at a time: the newest tab takes the work, and the older ones are told.

/**
 * Tell other tabs with this `name` that the work is here now; `lost` runs in a tab when another one takes the work.
 * Returns a function that takes it back. With the `signal` this tab is out of it.
 */
export function workHere(name, lost, signal) {
  const channel = new BroadcastChannel(name);
  const claim = () => channel.postMessage("here");
  channel.addEventListener("message", lost);
  signal?.addEventListener("abort", () => channel.close());
  claim();
  return claim;
}
