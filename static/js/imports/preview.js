// Preview of an imported file: a choice of how to read it is shown at once, and applied by the form's button.

import { replace } from "../core/poll.js";

let underWay = new AbortController();

/** Return the page with these choices; null after an error, or if there is a later choice. */
async function pageWith(choices, address) {
  underWay.abort(); // the latest choice counts
  underWay = new AbortController();
  const { signal } = underWay;
  try {
    const headers = { Accept: "application/json, text/html;q=0.9" };
    const response = await fetch(`${address}?${choices}`, { headers, cache: "no-store", signal });
    if (response.status === 401) return location.reload(); // signed out: leads to the sign-in page
    const page = response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
    return signal.aborted ? null : page;
  } catch {
    return null;
  }
}

/** Return the choices of a form that are in this part of the page. */
function choicesIn(part, form) {
  const names = new Set([...form.elements].filter((field) => part.contains(field)).map((field) => field.name));
  names.delete("csrfmiddlewaretoken");
  return new URLSearchParams([...new FormData(form)].filter(([name]) => names.has(name)));
}

document.addEventListener("change", async ({ target }) => {
  const form = target.form;
  const part = form?.dataset.preview && document.getElementById(form.dataset.preview);
  if (!part?.contains(target)) return;
  const address = form.dataset.address ?? form.getAttribute("action");
  const fresh = (await pageWith(choicesIn(part, form), address))?.getElementById(form.dataset.preview);
  if (fresh) replace(fresh);
});
