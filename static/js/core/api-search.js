// The API's reference: a search that leaves the addresses whose words all occur, and links to one address, which open it.

const form = document.getElementById("api-search");
const field = document.getElementById("api-find");
const found = document.getElementById("api-found");
const operations = [...document.querySelectorAll(".api-operation")];

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const operation of operations) {
    const text = operation.textContent.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
  }
  for (const resource of document.querySelectorAll(".api-resource")) {
    resource.hidden = !resource.querySelector(".api-operation:not([hidden])");
    if (words.length) resource.open = true;
  }
  const left = operations.filter((operation) => !operation.hidden).length;
  found.textContent = !words.length ? "" : left ? `${left} / ${operations.length}` : found.dataset.none;
}

/** Open the address that the link names, and what it is in, also where a search has hidden it. */
function follow() {
  const target = document.getElementById(location.hash.slice(1));
  const operation = target?.closest(".api-operation");
  if (!operation) return;
  if (operation.hidden) {
    field.value = "";
    filter();
  }
  operation.closest(".api-resource").open = true;
  operation.open = true;
  operation.scrollIntoView();
}

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", filter);
addEventListener("hashchange", follow);
filter(); // a browser that comes back keeps what was typed
follow();
