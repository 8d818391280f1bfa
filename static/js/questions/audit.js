// The audit of a question set: up and down go from row to row, Enter opens one (it is a link), N shows two others.

import { isTyping } from "../core/keys.js";

const STEPS = { ArrowUp: -1, ArrowDown: 1 };

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toUpperCase() === "N") document.querySelector("[data-others]")?.click();
  const rows = [...document.querySelectorAll(".row-open")];
  const step = STEPS[event.key];
  if (!step || !rows.length) return;
  event.preventDefault();
  const at = rows.indexOf(document.activeElement);
  const open = rows.findIndex((row) => row.ariaExpanded === "true");
  const next = (at < 0 ? Math.max(open, 0) : at + step + rows.length) % rows.length;
  rows[next].focus();
});
