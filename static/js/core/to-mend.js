// After a refusal the first field to mend is in view and can be typed into, also one in a fold that another script opens.
// Where the page has a field with autofocus, the browser goes there. An address that names a part of its page takes the
// focus away once more when all has loaded.

const toMend = () => document.querySelector("body:not(:has([autofocus])) main [aria-invalid=true]");

addEventListener("DOMContentLoaded", () => toMend()?.focus());
addEventListener("load", () => {
  if (!location.hash || document.activeElement !== document.body) return;
  requestAnimationFrame(() => toMend()?.focus());
});
