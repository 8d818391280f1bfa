// A list whose rows can be chosen: a tick for all on the page, a range with Shift, and how many are chosen.

const form = document.getElementById("acts");
const rows = [...document.querySelectorAll("input[name=row]")];
const everything = form?.elements.namedItem("all");
const head = document.querySelector("[data-choose-all]");
const said = form?.querySelector("[data-chosen]");
let last = null;

function count() {
  const chosen = rows.filter((row) => row.checked).length;
  const tick = head.querySelector("input");
  tick.checked = chosen === rows.length;
  tick.indeterminate = chosen > 0 && chosen < rows.length;
  const any = chosen > 0 || Boolean(everything?.checked);
  said.textContent = said.dataset.chosen.replace("{n}", chosen);
  said.hidden = Boolean(everything?.checked);
  form.classList.toggle("has-chosen", any);
  for (const button of form.querySelectorAll("button")) button.disabled = !any;
}

function choose(event) {
  const row = event.target;
  if (event.shiftKey && last) {
    const ends = [rows.indexOf(last), rows.indexOf(row)].sort((a, b) => a - b);
    for (const between of rows.slice(ends[0], ends[1] + 1)) between.checked = row.checked;
  }
  last = row;
  count();
}

if (form && rows.length) {
  head.hidden = false;
  head.addEventListener("change", (event) => {
    for (const row of rows) row.checked = event.target.checked;
    count();
  });
  for (const row of rows) row.addEventListener("click", choose);
  everything?.addEventListener("change", count);
  addEventListener("pageshow", count); // a browser that comes back keeps the ticks
  count();
}
