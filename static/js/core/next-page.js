// The page of the next item: asked for while a person works on this one, and shown without loading it. What was given
// for an item is in an outbox then.

const PLACE = ".crumbs [aria-current=page]";

/** `id` is of the form with the work, `parts` of what of it is replaced. */
export class NextPage {
  #id;
  #parts;
  #outbox;
  #url = "";
  #page = null;
  #isAsking = false;

  constructor(id, parts, outbox) {
    this.#id = id;
    this.#parts = parts;
    this.#outbox = outbox;
    outbox.addEventListener("change", () => this.#ask());
  }

  /** The state for the script of the page that is here; null as long as none is. */
  get state() {
    return this.#page && stateOf(this.#page);
  }

  /** Ask for the page at the address, or for none; not before all that was given is stored: until then it is still held. */
  expect(url) {
    this.#url = url;
    this.#page = null;
    return this.#ask();
  }

  async #ask() {
    const url = this.#url;
    if (!url || this.#page || this.#isAsking || this.#outbox.entries.length) return;
    this.#isAsking = true;
    const page = await load(url, this.#id);
    this.#isAsking = false;
    if (url === this.#url) this.#page = page;
    else await this.#ask();
  }

  /** Show the page that is here, or `page` instead. */
  show(page = this.#page) {
    this.expect("");
    document.getElementById(this.#id).setAttribute("action", page.getElementById(this.#id).getAttribute("action"));
    for (const part of this.#parts) document.getElementById(part).replaceWith(page.getElementById(part));
    document.getElementById("keys").replaceChildren(...page.getElementById("keys").childNodes);
    document.getElementById("page_state").textContent = page.getElementById("page_state").textContent;
    document.querySelector(PLACE).replaceWith(page.querySelector(PLACE));
    scrollTo(0, 0);
    tell();
  }
}

/** Say to screen readers which item is there now. */
function tell() {
  const line = document.querySelector("[data-next-item]");
  line.textContent = line.dataset.nextItem.replace("{place}", document.querySelector(PLACE).textContent.trim());
}

/** Return the document at the address, if it has the element `id`; null without a connection. */
export async function load(url, id) {
  try {
    const response = await fetch(url, { cache: "no-store" });
    const page = response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
    return page?.getElementById(id) ? page : null;
  } catch {
    return null;
  }
}

/** Return what the server sent to the script of a page. */
export function stateOf(page) {
  return JSON.parse(page.getElementById("page_state").textContent);
}
