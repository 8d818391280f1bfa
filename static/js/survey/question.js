// A question of a study for its researchers: J and K go to the next and the previous one.

import { isTyping } from "../core/keys.js";

const links = { j: "next", k: "prev" };

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  document.querySelector(`nav a[rel="${links[event.key]}"]`)?.click();
});
