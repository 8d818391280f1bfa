// What a study asks of each question: one or two choices, or all lines in order.

import * as lines from "./lines.js";

/** Return the module that reads, marks and hears the answer to the question in an element. Few studies ask for an order,
 * so that its module is fetched by their pages alone.
 */
export async function askedIn(element) {
  return element.querySelector(".rank-list") ? import("./ranking.js") : lines;
}
