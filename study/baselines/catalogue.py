"""The models of the published tables by family, in one order, whether this installation has them or not.

The family and the order on the pages come from here; a model that is in the registry alone is among the others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.wording import gettext_noop


@dataclass(frozen=True)
class ModelFamily:
    """Models that belong together, their titles by key; `title` is for a table, `short` for a line of choices."""

    key: str
    title: str
    short: str
    models: Mapping[str, str]


UPLOADED = "uploaded"  # no model of ours: what another system predicted, under a label

FAMILIES = (
    ModelFamily("chance", gettext_noop("Chance"), gettext_noop("Chance"), {"random": gettext_noop("Random")}),
    ModelFamily("lexical", gettext_noop("Lexical"), gettext_noop("Lexical"), {"tfidf": "TF-IDF", "bm25": "BM25"}),
    ModelFamily(
        "ranking",
        gettext_noop("Learning to rank"),
        gettext_noop("Learning to rank"),
        {"svmrank": "SVMRank", "gbdt": "GBDT"},
    ),
    ModelFamily(
        "encoders",
        gettext_noop("Neural encoders"),
        gettext_noop("Neural encoders"),
        {"dual-rnn": "Dual RNN", "dual-lstm": "Dual LSTM", "bilstm": "BiLSTM", "cnn": "CNN"},
    ),
    ModelFamily(
        "matching", gettext_noop("Matching networks"), gettext_noop("Matching networks"), {"smn": "SMN", "dam": "DAM"}
    ),
    ModelFamily(
        "alone",
        gettext_noop("Pre-trained, each candidate scored alone"),
        gettext_noop("Pre-trained, alone"),
        {"bert": "BERT", "roberta": "RoBERTa"},
    ),
    ModelFamily(
        "together",
        gettext_noop("Pre-trained, all candidates at once"),
        gettext_noop("Pre-trained, together"),
        {"bert-mc": "BERT-MC", "roberta-mc": "RoBERTa-MC"},
    ),
    ModelFamily(
        "generative",
        gettext_noop("Generative, lowest perplexity wins"),
        gettext_noop("Generative"),
        {"gpt2": "GPT-2", "gpt2-ft": "GPT-2-FT"},
    ),
    ModelFamily(
        "outside",
        gettext_noop("Outside"),
        gettext_noop("Outside"),
        {"chat": gettext_noop("Chat server"), UPLOADED: gettext_noop("Uploaded predictions")},
    ),
)
OTHERS = gettext_noop("Other models")


def families_with(known: Mapping[str, Any]) -> Iterator[ModelFamily]:
    """Yield the families, and those models of a registry that are in none of them as a family of their own."""
    yield from FAMILIES
    listed = {key for family in FAMILIES for key in family.models}
    others = {key: model.title for key, model in known.items() if key not in listed}
    if others:
        yield ModelFamily("others", OTHERS, OTHERS, others)
