"""Settings of a survey; the defaults are the study's (NUC, 3)."""

from dataclasses import dataclass

from core.domain.settings import Settings
from core.domain.wording import ChoiceError, gettext_noop
from study.domain.results.ranks import ANSWERS

ASSIGN = ("forms", "all")
LINK, SIGNED_IN = TAKERS = ("link", "signed-in")


def group_as_typed(text: str) -> tuple[str, int | None]:
    """Parse NAME or NAME:QUOTA into name and quota, None for no limit. Raises ValueError for no whole number.

    >>> group_as_typed("crowd:136")
    ('crowd', 136)
    """
    name, colon, quota = (part.strip() for part in text.partition(":"))
    if colon and not (quota.isascii() and quota.isdigit()):
        raise ValueError(text)
    return name, int(quota) if colon else None


@dataclass(frozen=True)
class SurveySettings(Settings):
    """Settings of a survey: ``minutes`` in all (0: no limit), ``forms`` with ``per_form`` questions each.

    ``assign`` "forms" gives each participant one form, "all" every question. ``answer``, one of ANSWERS, is what is
    asked of each question. ``takers`` "link" lets all take it who come by a link, "signed-in" only the experts of the
    study: people with an account, whom it knows again. A person with fewer than ``minimum_answers`` answers has an
    outcome of their own and is left out of the figures. Raises ChoiceError, which names the allowed values.
    """

    LIMITS = {
        "minutes": range(601),
        "forms": range(1, 101),
        "per_form": range(1, 401),
        "minimum_answers": range(1, 401),
    }
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of a study. Known: %(known)s.")

    minutes: int = 40
    forms: int = 4
    per_form: int = 30
    assign: str = "forms"
    minimum_answers: int = 1
    answer: str = "first-second"
    takers: str = LINK

    @property
    def is_signed_in(self) -> bool:
        return self.takers == SIGNED_IN

    def dealt(self, questions: int, conditions: int = 1) -> tuple[int, int]:
        """Return how many forms a study with so many questions has, and how many questions are in each.

        Where each person gets all questions, there is a form for each of the conditions that a question is asked in.
        """
        return (conditions, questions) if self.assign == "all" else (self.forms, self.per_form)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.assign not in ASSIGN:
            raise ChoiceError(gettext_noop("assign is “forms” or “all”, not “%(value)s”."), value=self.assign)
        if self.answer not in ANSWERS:
            text = gettext_noop("answer is “first”, “first-second” or “ranking”, not “%(value)s”.")
            raise ChoiceError(text, value=self.answer)
        if self.takers not in TAKERS:
            raise ChoiceError(gettext_noop("takers is “link” or “signed-in”, not “%(value)s”."), value=self.takers)
