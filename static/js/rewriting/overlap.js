// Word overlap, as in annotation/domain/rewriting/overlap.py: the share of a candidate's words that its context has.
// The cases in tests/js/rewriting/overlap.json hold for both.

// A word token: in a script with spaces a word, with the apostrophes inside it; in any other script each character.
const UNSPACED = "[\\u3005\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{323af}]";
const LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{N}])`;
const WORD = new RegExp(`${UNSPACED}|${LETTER}+(?:['’]${LETTER}+)*`, "gu");

/** Return the word tokens in their order, each with its folded form and its position: {word, from, to}. */
export function tokens(text) {
  return [...text.matchAll(WORD)].map(({ 0: written, index }) => ({
    word: fold(written).replaceAll("’", "'"),
    from: index,
    to: index + written.length,
  }));
}

/** Fold case as Unicode defines it: ß is ss, a final sigma is a sigma, a dotless ı stays. */
export function fold(word) {
  const folded = word.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase());
  return folded.join("ı").replaceAll("ς", "σ");
}

export function wordsOf(texts) {
  return new Set(texts.flatMap((text) => tokens(text).map(({ word }) => word)));
}

/** Count how many of the `words` tokens are `shared` with `known`; the share is from 0 to 1, null without words. */
export function overlap(candidate, known) {
  const found = tokens(candidate);
  const shared = found.filter(({ word }) => known.has(word)).length;
  return { shared, words: found.length, share: found.length ? shared / found.length : null };
}

/** Return the text as nodes, with a <mark> around each word that is among the `known` ones. */
export function marked(text, known) {
  const nodes = [];
  let done = 0;
  for (const { word, from, to } of tokens(text)) {
    if (!known.has(word)) continue;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(from, to);
    nodes.push(text.slice(done, from), mark);
    done = to;
  }
  return [...nodes, text.slice(done)];
}
