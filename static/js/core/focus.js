// Where the focus goes when the page takes away what has it.

/** Focus a part of the page if what had the focus is gone or can no longer be used. */
export function takeFocus(part) {
  const { activeElement } = document;
  const isLost = activeElement === document.body || activeElement.closest("[hidden], [inert]");
  if (isLost) part.focus({ preventScroll: true });
}

/** Show or hide what a page says instead of its work. It takes the focus of the work, so that it is read aloud. */
export function showInstead(part, isShown) {
  const isNew = isShown && part.hidden;
  part.hidden = !isShown;
  if (isNew) takeFocus(part);
}
