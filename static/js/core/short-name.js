// New project or study: the empty field of the short name shows the name that the server would make from the title.

const shortName = document.querySelector("[data-from]");
const title = document.getElementById(shortName.dataset.from);

/** Return what Django's slugify makes of a title; empty where the server asks, as it alone spells Chinese characters. */
function slugified(text) {
  if (/\p{Script=Han}/u.test(text) || !/[a-z]/i.test(text)) return "";
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
  shortName.placeholder = slugified(title.value);
}

title.addEventListener("input", show);
show(); // typed before this script was loaded
