// Remarks on the candidates for their author. They do not prevent a submission.

import { tokens } from "./overlap.js";

const NEARLY = 0.8; // of the words of both are the same
const LONG = 1.6; // times the middle length of the others
const FEW_WORDS = 4; // a smaller difference means nothing
const LONG_WORD = 4; // letters; shorter words seldom give an answer away
const FAR_FEWER = 0.3; // of the share that the others have in common with the context

/**
 * Return a remark {what, like, word} or null for each candidate. `overlaps` are those of overlap.js, `telling` the
 * words of the right answer that neither the context nor a wrong answer has. `what` is equal, near, long, short, apart
 * or telling, `like` the number of an earlier candidate with the same words, `word` the one that gives the answer away.
 */
export function remarks(texts, overlaps, telling) {
  const bags = texts.map((text) => tokens(text).map(({ word }) => word));
  const remark = (number) =>
    likeAnother(bags, number) ?? lengthOf(bags, number) ?? apart(overlaps, number) ?? tells(bags, number, telling);
  return bags.map((bag, number) => (bag.length && remark(number)) || null);
}

function likeAnother(bags, number) {
  const like = bags.slice(0, number).findIndex((other) => other.length && inCommon(bags[number], other) >= NEARLY);
  if (like < 0) return undefined;
  return { what: bags[like].join(" ") === bags[number].join(" ") ? "equal" : "near", like };
}

/** Return the Dice coefficient of two bags of words. */
function inCommon(one, other) {
  const left = [...other];
  const common = one.filter((word) => left.includes(word) && left.splice(left.indexOf(word), 1));
  return (2 * common.length) / (one.length + other.length);
}

function lengthOf(bags, number) {
  const others = bags.filter((bag, index) => index !== number && bag.length).map((bag) => bag.length);
  if (!others.length) return undefined;
  const own = bags[number].length;
  const typical = median(others);
  if (own >= LONG * typical && own - typical >= FEW_WORDS) return { what: "long" };
  if (typical >= LONG * own && typical - own >= FEW_WORDS) return { what: "short" };
  return undefined;
}

function apart(overlaps, number) {
  const others = overlaps.filter((each, index) => index !== number && each.share !== null).map((each) => each.share);
  if (others.length < 2) return undefined;
  const typical = others.reduce((sum, share) => sum + share, 0) / others.length;
  return typical - overlaps[number].share >= FAR_FEWER ? { what: "apart" } : undefined;
}

/** Return the remark on the right candidate if it alone has a word of the right answer. */
function tells(bags, number, telling) {
  const [right, ...others] = bags;
  const word =
    number === 0 &&
    others.some((bag) => bag.length) &&
    right.find((each) => each.length >= LONG_WORD && telling.has(each) && !others.flat().includes(each));
  return word ? { what: "telling", word } : undefined;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
