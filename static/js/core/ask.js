// A question that is in the page from the beginning: <dialog id> with a form whose button for yes has the value "yes".

/** Ask it. Resolves to whether the person said yes. */
export function ask(id) {
  const dialog = document.getElementById(id);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
