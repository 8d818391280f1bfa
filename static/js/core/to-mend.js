// After a refusal the first field to mend is in view and can be typed into, also one in a fold that another script opens.
// Where the page has a field with autofocus, the browser goes there.

addEventListener("DOMContentLoaded", () => {
  const field = document.querySelector("body:not(:has([autofocus])) main [aria-invalid=true]");
  field?.focus();
  if (field && location.hash) comeBackTo(field);
});

// An address that names a part of its page moves the focus and the view there once, when the browser finds the time.
function comeBackTo(field) {
  const acted = new AbortController();
  const { signal } = acted;
  const comeBack = () => {
    if (![document.body, field].includes(document.activeElement) || signal.aborted) return;
    field.focus();
    field.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("blur", () => setTimeout(comeBack), { once: true, signal });
  addEventListener("load", () => requestAnimationFrame(comeBack), { once: true, signal });
  for (const act of ["pointerdown", "keydown", "wheel"])
    addEventListener(act, () => acted.abort(), { once: true, capture: true, passive: true });
}
