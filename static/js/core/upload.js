// Upload of a file: the field shows its name and size once it is chosen, and the button shows that it is being sent.

const form = document.querySelector("[data-upload]");
const field = form.querySelector("input[type=file]");
const told = form.querySelector("[data-file-name]");
const button = form.querySelector("[data-uploading]");
const withoutFile = told.textContent;
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** Format a size in the page's language: 41 MB. */
function readable(bytes) {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const number = new Intl.NumberFormat(document.documentElement.lang, {
    style: "unit",
    unit: sizes[power],
    maximumFractionDigits: power ? 1 : 0,
  });
  return number.format(bytes / 1000 ** power);
}

function tell() {
  const file = field.files[0];
  told.textContent = file ? `${file.name} · ${readable(file.size)}` : withoutFile;
}

field.addEventListener("change", tell);
form.addEventListener("submit", () => {
  button.textContent = button.dataset.uploading;
});
tell(); // the browser may restore the choice on a return to the page
