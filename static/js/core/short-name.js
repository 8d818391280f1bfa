// New project: the empty field of the short name shows the name that the server would make from the title.

const shortName = document.querySelector("[data-from]");
const title = document.getElementById(shortName.dataset.from);
const withoutTitle = shortName.placeholder;

/** Return what Django's slugify makes of a title; empty for one without Latin letters. */
function slugified(text) {
  const latin = text
    .normalize("NFKD")
    .replace(/\P{ASCII}/gu, "")
    .toLowerCase();
  return latin
    .replace(/[^\w\s-]/g, "")
    .replace(/[-\s]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "");
}

function show() {
  shortName.placeholder = slugified(title.value) || withoutTitle;
}

title.addEventListener("input", show);
show(); // typed before this script was loaded
