// Where something in the form was changed and not saved, the browser asks before the page is left.

const form = document.querySelector("form[data-unsaved]");
let isUnsaved = Boolean(form.querySelector("[aria-invalid=true]")); // it was sent, and refused

form.addEventListener("input", () => {
  isUnsaved = true;
});
form.addEventListener("submit", () => {
  isUnsaved = false;
});
addEventListener("beforeunload", (event) => isUnsaved && event.preventDefault());
