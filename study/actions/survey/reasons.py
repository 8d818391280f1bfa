"""Reasons of deviations. The public plan shows them for good, so that none may tell who a participant is."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from core.actions.events import must_say_why
from core.actions.refusals import Refused
from study.domain.survey.platforms import ACCOUNT
from study.models import Identity, Study
from study.selectors.survey.experts import experts_of

ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
SHORTEST = 3  # a shorter label tells no one apart from a word or a number


def check_reason(study: Study, why: str) -> None:
    """Refuse a reason that is empty, or that has an e-mail address or what the study knows a participant by.

    That is the id on a platform, a label of an imported file, and the name of an expert's account. Raises Refused.
    """
    must_say_why(why)
    said = why.casefold()
    if ADDRESS.search(said) or any(_is_said(name.casefold(), said) for name in _names(study)):
        text = _(
            "Not saved: the reason reveals who a participant is. The public plan shows it "
            "permanently: remove that part."
        )
        raise Refused("names_person", text)


def _names(study: Study) -> Iterator[str]:
    own = Identity.objects.filter(study=study).exclude(platform=ACCOUNT)
    for person, details in own.values_list("person", "details").iterator():
        yield person
        yield from map(str, details.values())
    yield from study.participants.exclude(label="").values_list("label", flat=True).iterator()
    for names in experts_of(study).values_list("username", "name"):
        yield from names


def _is_said(name: str, text: str) -> bool:
    """Return whether a text has a name as a whole word. Chinese has no blanks: a name in it is found anywhere."""
    if len(name) < (SHORTEST if name.isascii() else 2):
        return False
    return name in text and re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None
