"""MuTual-plus: in every instance a safe reply replaces one candidate (Cui et al. 2020, 3.3)."""

from collections.abc import Sequence
from typing import cast

from annotation.domain.releases.instances import PlusInstance, RewrittenInstance
from annotation.domain.rewriting.rewriting import LONGEST_CANDIDATE, label_of
from core.domain.draws import uniforms
from core.domain.text import fold, one_line
from core.domain.wording import ChoiceError, gettext_noop
from core.domain.words import words_of

SAFE_REPLIES = (
    "Sorry, could you say that again?",
    "I'm afraid I missed that. Once more, please?",
    "Pardon? I couldn't hear you just now.",
    "I don't quite follow you. What do you mean?",
    "Could you speak a little more slowly, please?",
    "Excuse me, what was that?",
)
FEWEST, MOST = 5, 100  # four candidates can be equal to four replies at most: with five, one is always left


def checked_replies(lines: Sequence[str]) -> list[str]:
    """Return the safe replies as they are stored. Raises ChoiceError for replies that cannot be used."""
    replies = [reply for line in lines if (reply := one_line(line))]
    if not FEWEST <= len(replies) <= MOST:
        raise ChoiceError(
            gettext_noop("Between %(fewest)d and %(most)d safe replies are needed, one per line; there are %(count)d."),
            fewest=FEWEST,
            most=MOST,
            count=len(replies),
        )
    first: dict[str, str] = {}
    for reply in replies:
        if not words_of(reply):
            raise ChoiceError(gettext_noop("“%(reply)s” has no words: no one would say that."), reply=reply)
        if label := label_of(reply, ()):
            raise ChoiceError(
                gettext_noop("Leave out “%(label)s:” in “%(reply)s”: the speaker is added in front automatically."),
                label=label,
                reply=reply,
            )
        if len(reply) > LONGEST_CANDIDATE:
            raise ChoiceError(
                gettext_noop("A safe reply has at most %(limit)d characters; one has %(length)d."),
                limit=LONGEST_CANDIDATE,
                length=len(reply),
            )
        if first.setdefault(fold(reply), reply) != reply or replies.count(reply) > 1:
            raise ChoiceError(
                gettext_noop("“%(reply)s” appears twice, apart from differences in case, spaces or punctuation."),
                reply=reply,
            )
    return replies


def with_safe_reply(instance: RewrittenInstance, replies: Sequence[str], seed: int) -> PlusInstance:
    """Return the instance with one of its candidates, drawn by the seed, replaced by a reply unlike all the others.

    The number of the right candidate stays: if it was replaced, the safe reply is right. Every instance can therefore
    be solved, and neither a position nor a safe reply is right more often than chance.
    """
    which, reply, _, _ = uniforms(seed, "plus", instance["id"])
    candidates = list(instance["candidates"])
    replaced = int(which * len(candidates))
    others = {fold(text) for position, text in enumerate(candidates) if position != replaced}
    free = [each for each in replies if fold(each) not in others]
    candidates[replaced] = free[int(reply * len(free))]
    return cast(PlusInstance, {**instance, "candidates": candidates, "replaced": replaced})
