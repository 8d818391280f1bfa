"""Refusals to build a question set, with the numbers in their sentences."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused

REFUSALS = {
    "name_wrong": _("“%(name)s” is not a valid name: use letters, digits, - and _, at most 60 in all."),
    "questions_exist": _(
        "There is already a question set “%(name)s”. Sets never change: create one under another name."
    ),
    "condition_wrong": _("“%(condition)s” is not a condition: write first:N with N from 1 to 99, all or shuffle."),
    "condition_twice": _("“%(condition)s” is named twice. Name each condition once."),
    "condition_empty": _("No question has a context that is long enough for “%(condition)s”. Remove this condition."),
    "no_source": _("Name at least one corpus or release to draw from."),
    "no_such_source": _("There is no corpus or release “%(source)s”, or you do not have access to it."),
    "holds_pairs": _("“%(source)s” contains rated pairs. Questions are drawn from dialogues or from instances."),
    "sources_overlap": _("“%(source)s” and “%(other)s” share dialogues. Name each part once."),
    "too_few": _("“%(source)s” is enough for %(there)s of the %(wanted)s questions asked for. Ask for fewer."),
    "too_few_questions": _(
        "%(wanted)s questions cannot be split among %(sources)s sources. Ask for at least one from each."
    ),
}
OF_SOURCES = {"no_source", "no_such_source", "holds_pairs", "sources_overlap", "too_few", "too_few_questions"}
LEFT_OUT = {
    "short": _("fewer than 3 turns"),
    "flagged": _("flagged for its words"),
    "no_answer": _("the right candidate is not known"),
    "equal_candidates": _("two candidates are the same"),
    "no_distractors": _("too few other responses in its split"),
    "not_drawn": _("not needed"),
}


class NotBuilt(Refused):
    """Refusal to build questions; `params` are the values in the sentence of its code."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, sentence(code, params))
        self.params = params


def sentence(code: str, params: Mapping[str, Any]) -> str:
    """Return a refusal's sentence in the active language.

    `left_out`, if present, counts dialogues by reason; `known` are similar names.
    """
    said = str(REFUSALS[code] % params)
    if known := params.get("known"):
        said += gettext(" Known: %(known)s.") % {"known": ", ".join(known)}
    left_out = ", ".join(f"{LEFT_OUT[reason]} {number:,}" for reason, number in params.get("left_out", {}).items())
    return said + gettext(" Left out: %(left_out)s.") % {"left_out": left_out} if left_out else said
