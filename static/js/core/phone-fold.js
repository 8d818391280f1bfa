// Sections that are open on a wide screen and closed on a phone, where the page would be many screens long. One stays
// open that the address leads to, or with something to put right.

const isPhone = matchMedia("(max-width: 39.99rem)").matches;
const target = document.getElementById(location.hash.slice(1));

for (const fold of document.querySelectorAll("details.phone-fold")) {
  fold.open = !isPhone || fold.contains(target) || fold.querySelector("[aria-invalid]") !== null;
}
