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

document.addEventListener("change", async ({ target }) => {
  const form = target.closest("form[data-preview]");
  if (!form) return;
  const choices = new URLSearchParams(new FormData(form));
  choices.delete("csrfmiddlewaretoken");
  const part = (await pageWith(choices, form.getAttribute("action")))?.getElementById(form.dataset.preview);
  if (part) replace(part);
});
