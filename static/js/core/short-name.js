// A new project: the short name that its title would give stands in the empty field, as the server would make it.

const shortName = document.querySelector("[data-from]");
const title = document.getElementById(shortName.dataset.from);
const withoutTitle = shortName.placeholder;

/** What Django's slugify makes of a title; nothing of one without Latin letters. */
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
show(); // what was typed before this script came
