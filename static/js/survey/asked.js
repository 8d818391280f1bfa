// What a study asks of each question: one or two choices, or all lines in order.

import * as lines from "./lines.js";
import * as ranking from "./ranking.js";

/** Return the module that reads, marks and hears the answer to the question in an element. */
export function askedIn(element) {
  return element.querySelector(".rank-list") ? ranking : lines;
}
