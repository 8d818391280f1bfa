"""Texts of the reasoning types: a name, what must be inferred, and an example written for this product."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.reasoning import UNSURE, Reasoning


class ReasoningWords(NamedTuple):
    name: str | Promise
    line: str | Promise
    example: str | Promise


TYPES: dict[str, ReasoningWords] = {
    Reasoning.ATTITUDE: ReasoningWords(
        _("Attitude"),
        _("What someone thinks or feels about something."),
        _("She calls the soup “brave” and asks for bread. So she does not like it."),
    ),
    Reasoning.ALGEBRAIC: ReasoningWords(
        _("Algebraic"),
        _("A number has to be worked out: a price, a time, an amount."),
        _("Two tickets at 12 and a third for half the price. So it is 30."),
    ),
    Reasoning.INTENTION: ReasoningWords(
        _("Intention prediction"),
        _("What someone is about to do next."),
        _("He asks whether the pharmacy is still open. So he will go there now."),
    ),
    Reasoning.SITUATION: ReasoningWords(
        _("Situation"),
        _("Where they are, what is going on, or who they are to each other, though no one says so."),
        _("“Left side up, please, and breathe out.” So he is having an X-ray."),
    ),
    Reasoning.MULTI_FACT: ReasoningWords(
        _("Multi-fact"),
        _("Several things that were said have to be put together; no single one is enough."),
        _("The bus leaves at six, his shift ends at seven, and she has no car. So they take a taxi."),
    ),
    Reasoning.OTHER: ReasoningWords(
        _("Other"),
        _("Other world knowledge."),
        _("The lake is frozen. So no one is out rowing."),
    ),
}
NAMES: dict[str, str | Promise] = {key: words.name for key, words in TYPES.items()} | {UNSURE: _("Unsure")}
