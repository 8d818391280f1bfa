"""Published figures of other studies, shown beside ours; their questions differ."""

import re
from dataclasses import dataclass

from study.domain.results.feasibility import Feasibility, feasibility

NUC, MUTUAL = "Lowe et al. 2016", "Cui et al. 2020"


@dataclass(frozen=True)
class Published:
    """R@1, R@2 and MRR as printed, as shares; `half_widths` of the first two where the study gives them."""

    source: str
    corpus: str
    who: str
    candidates: int
    r1: str
    r2: str
    mrr: str = ""
    half_widths: tuple[str, str] | None = None
    is_model: bool = False

    @property
    def check(self) -> Feasibility | None:
        """Result of checking that the three figures are compatible; None where MRR is not printed."""
        return feasibility(self.r1, self.r2, self.mrr, self.candidates) if self.mrr else None


def _nuc(corpus: str, who: str, r1: str, r2: str, widths: tuple[str, str] | None = None) -> Published:
    return Published(NUC, corpus, who, 5, r1, r2, half_widths=widths, is_model=widths is None)


def _mutual(who: str, r1: str, r2: str, mrr: str, corpus: str = "mutual") -> Published:
    return Published(MUTUAL, corpus, who, 4, r1, r2, mrr, is_model=who != "Human")


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
    _mutual("Human", ".938", ".971", ".964"),
    _mutual("RoBERTa", ".713", ".892", ".836"),
    _mutual("BERT-MC", ".667", ".878", ".810"),
    _mutual("GPT-2", ".332", ".602", ".584"),
    _mutual("SMN", ".299", ".585", ".595"),
    _mutual("TF-IDF", ".279", ".536", ".542"),
    _mutual("Dual LSTM", ".260", ".491", ".743"),
    _mutual("Human", ".930", ".972", ".961", "mutual-plus"),
    _mutual("RoBERTa-MC", ".643", ".845", ".792", "mutual-plus"),
    _mutual("SMN", ".265", ".516", ".627", "mutual-plus"),
    _mutual("TF-IDF", ".278", ".529", ".764", "mutual-plus"),
)
ALSO = {"film": "movie", "movies": "movie", "tweets": "twitter"}


def published_for(corpus: str) -> list[Published]:
    """Return what was published on a corpus of this name, for any split; empty when no study has it."""
    words = [ALSO.get(word, word) for word in re.findall("[a-z]+", corpus.casefold())]
    key = next((word for word in words if word in {row.corpus for row in PUBLISHED}), "")
    if key == "mutual" and "plus" in words:
        key = "mutual-plus"
    return [row for row in PUBLISHED if row.corpus == key]
