"""Published figures of other studies, and figures that researchers quote: shown beside ours; their questions differ."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from study.domain.results.feasibility import Feasibility, feasibility

NUC, MUTUAL, GRADED = "Lowe et al. 2016", "Cui et al. 2020", "Wang et al. 2018"
PLUS = "mutual-plus"
TITLES = {"mutual": "MuTual", PLUS: "MuTual-plus"}  # of corpora with several splits
METRICS_QUOTED = {"r1": "R@1", "r2": "R@2", "mrr": "MRR"}  # fields of a row


class Comparable(StrEnum):
    """With what our figures and those of another study may be compared: their questions differ always."""

    IN_LEVEL = "in_level"  # as many candidates: chance is the same
    OTHER_CANDIDATES = "other_candidates"
    UNKNOWN_CANDIDATES = "unknown_candidates"


@dataclass(frozen=True)
class Published:
    """R@1, R@2 and MRR as printed, as shares; `half_widths` of the first two where the study gives them.

    A figure that the source does not print is "". `n` counts the people asked, or the instances a model was asked, and
    `instances` those that the people were asked. `candidates` is None where the source does not say. `split` is the
    part of the corpus that they are of ("" where the study has one alone); `model` the key of the model that this
    product has for the row.
    """

    source: str
    corpus: str
    who: str
    candidates: int | None
    r1: str
    r2: str
    mrr: str = ""
    half_widths: tuple[str, str] | None = None
    is_model: bool = False
    split: str = ""
    model: str = ""
    table: str = ""
    n: int | None = None
    instances: int | None = None

    @property
    def check(self) -> Feasibility:
        """Result of checking that the figures are compatible, as far as they are printed."""
        return feasibility(self.r1, self.r2, self.mrr, self.candidates)

    @property
    def corpus_title(self) -> str:
        """What the study calls the corpus."""
        return TITLES.get(self.corpus, self.corpus)

    @property
    def printed(self) -> dict[str, float]:
        """The figures by the names of our own metrics."""
        figures = ((metric, getattr(self, field)) for field, metric in METRICS_QUOTED.items())
        return {metric: float(text) for metric, text in figures if text}

    def comparable(self, candidates: int | None) -> Comparable:
        """Return with what figures over questions of so many candidates (None: it varies) may be compared."""
        if self.candidates is None or candidates is None:
            return Comparable.UNKNOWN_CANDIDATES
        return Comparable.IN_LEVEL if candidates == self.candidates else Comparable.OTHER_CANDIDATES


PEOPLE_ASKED = {"Crowd": 135, "Crowd experts": 10, "Lab experts": 8}  # of Lowe et al. 2016, by `who`
INSTANCES = 886  # in MuTual's test set, and in its dev set
EXPERTS = 3  # who answered the test set


def _nuc(corpus: str, who: str, r1: str, r2: str, widths: tuple[str, str] | None = None) -> Published:
    n = PEOPLE_ASKED.get(who)
    return Published(NUC, corpus, who, 5, r1, r2, half_widths=widths, is_model=widths is None, table="2", n=n)


def _mutual(
    who: str, model: str, dev: str, test: str, corpus: str = "mutual", *, is_model: bool = True
) -> Iterator[Published]:
    """Yield the rows of one line of MuTual's tables: R@1, R@2 and MRR on dev ("" where there are none), and on test."""
    for split, line in (("test", test), ("dev", dev)):
        if line:
            r1, r2, mrr = line.split()
            table = "4" if corpus == PLUS else "3"
            yield Published(
                MUTUAL,
                corpus,
                who,
                4,
                r1,
                r2,
                mrr,
                is_model=is_model,
                split=split,
                model=model,
                table=table,
                n=INSTANCES if is_model else EXPERTS,
                instances=None if is_model else INSTANCES,
            )


PUBLISHED = (
    _nuc("movie", "Crowd", ".659", ".798", (".024", ".021")),
    _nuc("movie", "Lab experts", ".697", ".940", (".10", ".052")),
    _nuc("movie", "Dual encoder", ".506", ".749"),
    _nuc("twitter", "Crowd", ".741", ".823", (".023", ".020")),
    _nuc("twitter", "Lab experts", ".884", ".984", (".070", ".027")),
    _nuc("twitter", "Dual encoder", ".669", ".896"),
    _nuc("ubuntu", "Crowd", ".529", ".694", (".027", ".025")),
    _nuc("ubuntu", "Crowd experts", ".520", ".630", (".098", ".095")),
    _nuc("ubuntu", "Lab experts", ".838", ".878", (".081", ".072")),
    _nuc("ubuntu", "Dual encoder", ".662", ".837"),
    *_mutual("Human", "", "", ".938 .971 .964", is_model=False),
    *_mutual("RoBERTa", "roberta", ".695 .878 .824", ".713 .892 .836"),
    *_mutual("RoBERTa-MC", "roberta-mc", ".693 .887 .825", ".686 .887 .822"),
    *_mutual("BERT-MC", "bert-mc", ".661 .871 .806", ".667 .878 .810"),
    *_mutual("BERT", "bert", ".657 .867 .803", ".648 .847 .795"),
    *_mutual("GPT-2-FT", "gpt2-ft", ".398 .646 .628", ".392 .670 .629"),
    *_mutual("GPT-2", "gpt2", ".335 .595 .586", ".332 .602 .584"),
    *_mutual("SMN", "smn", ".274 .524 .575", ".299 .585 .595"),
    *_mutual("TF-IDF", "tfidf", ".276 .541 .541", ".279 .536 .542"),
    *_mutual("Dual LSTM", "dual-lstm", ".266 .528 .538", ".260 .491 .743"),
    *_mutual("Random", "random", ".250 .500 .604", ".250 .500 .604"),
    *_mutual("DAM", "dam", ".239 .463 .575", ".241 .465 .518"),
    *_mutual("Human", "", "", ".930 .972 .961", PLUS, is_model=False),
    *_mutual("RoBERTa-MC", "roberta-mc", ".621 .830 .778", ".643 .845 .792", PLUS),
    *_mutual("RoBERTa", "roberta", ".622 .853 .782", ".626 .866 .787", PLUS),
    *_mutual("BERT-MC", "bert-mc", ".586 .791 .751", ".580 .792 .749", PLUS),
    *_mutual("BERT", "bert", ".514 .787 .715", ".514 .787 .715", PLUS),
    *_mutual("RoBERTa, trained on MuTual", "", ".559 .827 .746", ".558 .827 .746", PLUS),
    *_mutual("RoBERTa-MC, trained on MuTual", "", ".384 .815 .656", ".402 .845 .673", PLUS),
    *_mutual("GPT-2", "gpt2", ".305 .565 .562", ".316 .574 .568", PLUS),
    *_mutual("GPT-2-FT", "gpt2-ft", ".226 .577 .528", ".226 .611 .535", PLUS),
    *_mutual("TF-IDF", "tfidf", ".283 .530 .763", ".278 .529 .764", PLUS),
    *_mutual("DAM", "dam", ".261 .520 .645", ".272 .523 .695", PLUS),
    *_mutual("SMN", "smn", ".264 .524 .578", ".265 .516 .627", PLUS),
    *_mutual("Random", "random", ".250 .500 .604", ".250 .500 .604", PLUS),
)

# P@1, MAP and MRR at Cut@3, Cut@4 and Cut@5, in per cent as printed, by the key of the model.
PUBLISHED_CUTS: dict[str, dict[str, dict[str, float]]] = {
    model: {
        cut: dict(zip(("P@1", "MAP", "MRR"), (float(figure) / 100 for figure in at_cut.split("/")), strict=True))
        for cut, at_cut in zip("345", line.split(), strict=True)
    }
    for model, line in {
        "tfidf": "84.8/91.1/91.8 67.5/81.3/82.0 40.0/64.9/65.1",
        "bm25": "86.1/91.4/92.4 70.6/82.7/83.7 53.8/72.3/73.4",
        "svmrank": "86.2/91.1/92.2 73.0/84.0/85.0 64.3/78.6/79.8",
        "gbdt": "85.9/91.0/92.0 71.4/82.9/83.8 55.7/74.4/74.5",
        "bilstm": "85.4/90.7/91.8 73.8/84.0/85.3 68.1/81.0/82.2",
        "cnn": "85.5/90.6/91.8 72.5/83.4/84.6 70.5/81.2/83.0",
    }.items()
}
ALSO = {"film": "movie", "movies": "movie", "tweets": "twitter"}


def published_for(corpus: str) -> list[Published]:
    """Return what was published on a corpus of this name, of its test split; empty when no study has it."""
    return [row for row in PUBLISHED if row.corpus == _corpus_named(corpus) and row.split != "dev"]


def published_on(name: str) -> list[Published]:
    """Return what was published on the split that a name ends in (NAME:split); without one, on test."""
    split = "dev" if name.endswith(":dev") else "test"
    return [row for row in PUBLISHED if row.corpus == _corpus_named(name) and row.split in ("", split)]


def _corpus_named(name: str) -> str:
    words = [ALSO.get(word, word) for word in re.findall("[a-z]+", name.casefold())]
    key = next((word for word in words if word in {row.corpus for row in PUBLISHED}), "")
    return PLUS if key == "mutual" and "plus" in words else key
