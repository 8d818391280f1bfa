// The last page of a survey: what this browser still keeps of it is sent now, and the page told anew.

import { counted, show } from "../core/notices.js";
import { Outbox } from "../core/outbox.js";

const start = JSON.parse(document.getElementById("page_state").textContent);
const outbox = new Outbox(start.outbox);

if (outbox.entries.length) {
  show("on-the-way", counted(start.onTheWay, new Set(outbox.entries.map(({ about }) => about.pair.assignment)).size));
  outbox.addEventListener("change", () => outbox.entries.length || location.reload());
  outbox.send();
}
