// The view of a rewrite: the dialogue with its cut, the four editors with marks, meters and remarks.

import { counted, hide } from "../core/notices.js";
import { fold, marked, overlap, tokens, wordsOf } from "./overlap.js";
import { remarks } from "./remarks.js";

const SHORTEST_SCALE = 16; // words at the full length of a bar, or more if a text is longer

const LONGEST = 1000; // characters of a candidate, as in annotation/domain/rewriting/rewriting.py
const LABEL = /^[^:：]{1,60}[:：]/; // perhaps the name of who speaks

const form = document.getElementById("writing");

/** The item on the page. `page_state`: speakers by cut, words. */
export class Card {
  cut;
  #pageState;
  #open = -1;
  #turns = [...form.querySelectorAll("#turns .turn")];
  #cuts = [...form.querySelectorAll("[data-cut]")];
  #said = [...form.querySelectorAll("#turns [data-said]")];
  #texts = this.#said.map((line) => line.textContent);
  #editors = [...form.querySelectorAll("[data-editor]")];
  #wrongWords = wordsOf(choices("li:not(.is-key)"));
  #tellingWords = [...wordsOf(choices("li.is-key"))].filter((word) => !this.#wrongWords.has(word));
  fields = this.#editors.map((editor) => editor.querySelector("textarea"));

  constructor(pageState) {
    this.#pageState = pageState;
    this.cut = pageState.cut;
    document.getElementById("within-reach").addEventListener("toggle", () => this.#showWithinReach());
    for (const [number, editor] of this.#editors.entries()) editor.addEventListener("focusin", () => this.open(number));
  }

  get lastCut() {
    return this.#cuts.length;
  }

  /** The draft now on the page. */
  get content() {
    return { cut: this.cut, candidates: this.fields.map((field) => field.value) };
  }

  get hasText() {
    return this.fields.some((field) => field.value.trim());
  }

  /** Whether the server has nothing to say against a submission, as far as this page can tell. In doubt it is asked. */
  get isWhole() {
    const { candidates } = this.content;
    const { cut, candidates: before, revision } = this.#pageState;
    const folded = candidates.map(letters);
    const isChanged = revision > 0 || cut !== this.cut || candidates.some((text, number) => text !== before[number]);
    return (
      isChanged &&
      this.cut in this.#texts &&
      this.cut > 0 &&
      folded.every((text, number) => text && folded.indexOf(text) === number) &&
      !folded.includes(letters(this.#texts[this.cut])) &&
      candidates.every((text) => text.length <= LONGEST && !LABEL.test(text))
    );
  }

  /** Show a draft. */
  fill({ cut, candidates }) {
    candidates.forEach((text, number) => {
      this.fields[number].value = text;
    });
    this.moveCut(cut);
  }

  /** Move the cut so that `cut` turns are the context. */
  moveCut(cut) {
    this.cut = cut;
    form.querySelector("input[name=cut]").value = cut;
    for (const [index, turn] of this.#turns.entries()) turn.classList.toggle("turn-after", index >= cut);
    for (const line of this.#cuts) this.#showCut(line);
    const speaker = this.#pageState.speakers[cut];
    form.querySelectorAll("[data-speaker]").forEach((name) => {
      name.textContent = speaker;
    });
    form.querySelector("[data-heading]").textContent = this.#pageState.words.heading.replace("{speaker}", speaker);
    this.refresh();
  }

  #showCut(line) {
    const isHere = Number(line.dataset.cut) === this.cut;
    const { words, speakers } = this.#pageState;
    line.setAttribute("aria-pressed", isHere);
    line.querySelector("span").textContent = isHere
      ? counted(words.cut, this.cut).replace("{speaker}", speakers[this.cut])
      : words.cutHere;
  }

  /** The candidate that the marks in the dialogue belong to. */
  open(number) {
    this.#open = number;
    for (const [index, editor] of this.#editors.entries()) editor.classList.toggle("is-open", index === number);
    this.#markDialogue();
  }

  /** Focus the candidate that was written last. */
  focus() {
    this.fields[Math.max(this.#open, 0)].focus({ preventScroll: true });
  }

  /** Update everything that depends on the texts and the cut. Returns the number of remarks. */
  refresh() {
    const known = wordsOf(this.#texts.slice(0, this.cut));
    const { candidates } = this.content;
    const overlaps = candidates.map((text) => overlap(text, known));
    const scale = Math.max(SHORTEST_SCALE, ...overlaps.map(({ words }) => words));
    const told = remarks(candidates, overlaps, new Set(this.#tellingWords.filter((word) => !known.has(word))));
    this.#editors.forEach((editor, number) => {
      this.#mark(editor, candidates[number], known);
      this.#measure(editor, overlaps[number], scale);
      this.#remark(editor, told[number]);
    });
    this.#markDialogue();
    const count = told.filter(Boolean).length;
    form.querySelector("#remarks").textContent = count ? counted(this.#pageState.words.remarks, count) : "";
  }

  #mark(editor, text, known) {
    // An empty last line has no height.
    editor.querySelector("[data-marks]").replaceChildren(...marked(text, known), "\u200b");
  }

  #measure(editor, { shared, words, share }, scale) {
    const { words: told } = this.#pageState;
    editor.querySelector("[data-length-bar]").setAttribute("width", `${(100 * words) / scale}%`);
    editor.querySelector("[data-shared-bar]").setAttribute("width", `${100 * (share ?? 0)}%`);
    editor.querySelector("[data-length]").textContent = counted(told.length, words);
    const line = editor.querySelector("[data-shared]");
    if (share === null) return line.replaceChildren("–");
    const detail = document.createElement("span");
    detail.className = "muted";
    detail.textContent = told.sharedOf.replace("{shared}", shared).replace("{words}", words);
    return line.replaceChildren(`${told.shared.replace("{percent}", Math.round(100 * share))} `, detail);
  }

  #remark(editor, remark) {
    const line = editor.querySelector("[data-remark]");
    line.hidden = !remark;
    const letter = remark?.like === undefined ? "" : this.#pageState.letters[remark.like];
    if (remark)
      line.querySelector("span").textContent = this.#pageState.words.remark[remark.what]
        .replace("{letter}", letter)
        .replace("{word}", remark.word ?? "");
  }

  #markDialogue() {
    const own = new Set(this.#open < 0 ? [] : tokens(this.fields[this.#open].value).map(({ word }) => word));
    for (const [index, line] of this.#said.entries()) {
      line.replaceChildren(...marked(this.#texts[index], index < this.cut ? own : new Set()));
    }
    this.#showWithinReach();
  }

  /** Fill the fold that stays at the top of a phone: the question with its choices, and the context with its marks. */
  #showWithinReach() {
    const fold = document.getElementById("within-reach");
    if (!fold.open) return;
    const question = document.getElementById("question").parentElement.cloneNode(true);
    const turns = document.createElement("div");
    turns.className = "turns";
    turns.append(...this.#turns.slice(0, this.cut).map((turn) => turn.cloneNode(true)));
    const place = fold.querySelector("[data-within-reach]");
    place.replaceChildren(...question.children, turns);
    for (const part of place.querySelectorAll("[id]")) part.removeAttribute("id");
  }

  /** Show what prevents a submission: [{field, sentence}] with the cut or a candidate's number; empty to clear. */
  showFlaws(flaws) {
    this.#editors.forEach((editor, number) => {
      const own = flaws.filter(({ field }) => field === String(number)).map(({ sentence }) => sentence);
      const line = editor.querySelector("[data-flaw]");
      line.hidden = !own.length;
      line.querySelector("span").textContent = own.join(" ");
      if (own.length) this.fields[number].setAttribute("aria-invalid", "true");
      else this.fields[number].removeAttribute("aria-invalid");
    });
    form.querySelector("[data-flaws]").replaceChildren(...flaws.map((flaw) => this.#flawRow(flaw)));
    if (flaws.length) document.querySelector(this.#placeOf(flaws[0])).focus();
  }

  /** Remove the flaw of a field that is being revised; the next submission checks it again. A full field has one. */
  reviseFlaw(field) {
    const isFull = field.textLength >= field.maxLength;
    const line = field.closest("[data-editor]").querySelector("[data-flaw]");
    line.hidden = !isFull;
    if (isFull) line.querySelector("span").textContent = this.#pageState.words.full;
    else field.removeAttribute("aria-invalid");
    const rows = form.querySelectorAll(`[data-flaws] li:has([href="#${field.id}"])`);
    for (const row of rows) row.remove();
    if (rows.length && !form.querySelector("[data-flaws] li")) hide("refused");
  }

  #flawRow({ field, sentence }) {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = this.#placeOf({ field });
    link.textContent = field in this.#pageState.letters ? `${this.#pageState.letters[field]}: ${sentence}` : sentence;
    row.append(link);
    return row;
  }

  #placeOf({ field }) {
    return field in this.#pageState.letters ? `#candidate-${field}` : "#turns";
  }
}

function choices(kind) {
  return [...form.querySelectorAll(`.choice-list ${kind} > [data-choice]`)].map((choice) => choice.textContent);
}

/** Return what two texts that differ in case, width, space or punctuation have in common. */
function letters(text) {
  return fold(text.normalize("NFKC")).replace(/[^\p{L}\p{N}\p{S}\p{M}]/gu, "");
}
