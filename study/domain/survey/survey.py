"""Settings of a survey and the rest of its plan; the defaults are the study's (NUC, 3)."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from core.domain.settings import Settings
from core.domain.text import normalise, one_line
from core.domain.wording import ChoiceError, gettext_noop
from study.domain.results.ranks import ANSWERS
from study.domain.survey.mix import Mix, mix_as_typed, mix_as_written

ASSIGN = ("forms", "all")
LINK, SIGNED_IN = TAKERS = ("link", "signed-in")
CONTRASTED = ("R@1", "R@2", "MRR", "MRR@2")
MOST_PAY = Decimal(1_000_000)


def following_takers(takers: str, *, before: str = LINK) -> dict[str, object]:
    """Return the settings that follow from who takes a study, and who took it before.

    Experts answer all questions without a limit. Of a study of theirs that is opened to others, each has a form again.

    >>> following_takers("signed-in"), following_takers("link", before="signed-in"), following_takers("link")
    ({'assign': 'all', 'minutes': 0}, {'assign': 'forms'}, {})
    """
    if takers == SIGNED_IN:
        return {"assign": "all", "minutes": 0}
    return {"assign": "forms"} if before == SIGNED_IN else {}


def group_as_typed(text: str) -> tuple[str, int | None]:
    """Parse NAME or NAME:QUOTA into name and quota, None for no limit. Raises ValueError for no whole number.

    >>> group_as_typed("crowd:136")
    ('crowd', 136)
    """
    name, colon, quota = (part.strip() for part in text.partition(":"))
    if colon and not (quota.isascii() and quota.isdigit()):
        raise ValueError(text)
    return name, int(quota) if colon else None


class DerivedGroup(NamedTuple):
    """People of a group who gave one of some answers to a question about them, on some corpora only."""

    name: str
    group: str
    question: str
    answers: tuple[str, ...]
    corpora: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}={self.group}:{self.question}={'|'.join(self.answers)}@{'|'.join(self.corpora)}"


DERIVED = re.compile(r"\s*([^=;]+?)\s*=\s*([^=:;]+?)\s*:\s*([^=;]+?)\s*=\s*([^@;]+?)\s*@\s*([^;]+?)\s*")


def derived_as_typed(text: str) -> tuple[DerivedGroup, ...]:
    """Parse NAME=GROUP:QUESTION=ANSWER|ANSWER@CORPUS|CORPUS, several with semicolons. Raises ChoiceError.

    >>> [group.answers for group in derived_as_typed("crowd experts=crowd:ubuntu=expert@ubuntu")]
    [('expert',)]
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        parsed = DERIVED.fullmatch(part)
        if parsed is None:
            raise ChoiceError(
                gettext_noop("“%(value)s” is not a derived group: write NAME=GROUP:QUESTION=ANSWER|ANSWER@CORPUS."),
                value=part,
            )
        answers, corpora = (tuple(each.strip() for each in parsed[place].split("|")) for place in (4, 5))
        found.append(DerivedGroup(parsed[1], parsed[2], parsed[3], answers, corpora))
    return tuple(found)


@dataclass(frozen=True)
class SurveySettings(Settings):
    """Settings of a survey: ``minutes`` in all (0: no limit), ``forms`` with ``per_form`` questions each.

    ``assign`` "forms" gives each participant one form, "all" every question. ``answer``, one of ANSWERS, is what is
    asked of each question. ``takers`` "link" lets all take it who come by a link, "signed-in" only the experts of the
    study: people with an account, whom it knows again. A person with fewer than ``minimum_answers`` answers has an
    outcome of their own and is left out of the figures. ``mix`` is the share of each corpus in a group's forms,
    ``derived`` the groups that an answer makes. The settings named like a rule of exclusion are its thresholds, 0 or
    False for a rule that is off; ``too_fast`` is in seconds. ``margin`` is in points, 0 for none. An
    interval by the normal approximation has a star with fewer right or wrong answers than ``star_below``; 0: no star.
    Raises ChoiceError, which names the allowed values.
    """

    LIMITS = {
        "minutes": range(601),
        "forms": range(1, 101),
        "per_form": range(1, 401),
        "minimum_answers": range(1, 401),
        "practice": range(1, 21),
        "checks": range(21),
        "failed_checks": range(21),
        "too_fast": range(601),
        "straight_lines": range(401),
        "star_below": range(101),
    }
    CHOICES = {"assign": ASSIGN, "primary_metric": CONTRASTED, "answer": ANSWERS, "takers": TAKERS}
    TEXTS = {"currency": 10, "pay_text": 500, "primary_group": 60, "primary_against": 200, "primary_corpus": 60}
    TEXTS |= {"analysis": 5_000}
    UNKNOWN = gettext_noop("“%(setting)s” is not a setting of a study. Known: %(known)s.")

    minutes: int = 40
    forms: int = 4
    per_form: int = 30
    assign: str = "forms"
    minimum_answers: int = 1
    practice: int = 1
    checks: int = 1
    mix: str = ""
    derived: str = ""
    failed_checks: int = 1
    unanswered_check: bool = True
    too_fast: int = 0
    straight_lines: int = 0
    late_answers: bool = True
    duplicates: bool = False
    pay: str = ""
    currency: str = ""
    pay_text: str = ""
    primary_group: str = ""
    primary_against: str = ""
    primary_metric: str = "R@1"
    primary_corpus: str = ""
    margin: str = ""
    star_below: int = 5
    analysis: str = ""
    pilot: bool = False
    answer: str = "first-second"
    takers: str = LINK

    @property
    def is_signed_in(self) -> bool:
        return self.takers == SIGNED_IN

    @property
    def checks_asked(self) -> int:
        """How many attention checks a person gets. Experts get none: they answer what is in the sets, nothing else."""
        return 0 if self.is_signed_in else self.checks

    def dealt(self, questions: int, conditions: int = 1) -> tuple[int, int]:
        """Return how many forms a study with so many questions has, and how many questions are in each.

        Where each person gets all questions, there is a form for each of the conditions that a question is asked in.
        """
        return (conditions, questions) if self.assign == "all" else (self.forms, self.per_form)

    @property
    def mixes(self) -> dict[str, Mix]:
        """The shares of corpora, in percent, of each group that has its own; the others have even ones."""
        return mix_as_typed(self.mix)

    @property
    def pay_in_words(self) -> str:
        """What participants are told of their pay; "" where nothing is set."""
        amount = f"{self.currency} {self.pay}".strip() if self.pay else ""
        return ", ".join(filter(None, [amount, self.pay_text]))

    @property
    def derived_groups(self) -> tuple[DerivedGroup, ...]:
        return derived_as_typed(self.derived)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, longest in self.TEXTS.items():
            if not isinstance(value := getattr(self, name), str) or len(value) > longest:
                raise ChoiceError(
                    gettext_noop("%(setting)s may have at most %(longest)s characters."), setting=name, longest=longest
                )
        for name, most in (("pay", MOST_PAY), ("margin", Decimal(100))):
            self._check_amount(name, most)
        self._check_groups()

    def _check_amount(self, name: str, most: Decimal) -> None:
        if not (value := getattr(self, name)):
            return
        try:
            is_amount = re.fullmatch(r"[0-9.]+", value) is not None and 0 < Decimal(value) <= most
        except InvalidOperation:
            is_amount = False
        if not is_amount:
            raise ChoiceError(
                gettext_noop("%(setting)s must be a number up to %(most)s, such as 6.50, or empty; not “%(value)s”."),
                setting=name,
                most=most,
                value=value,
            )

    def _check_groups(self) -> None:
        if self.assign == "all" and self.mixes:
            raise ChoiceError(gettext_noop("With assign “all” each person answers every question: omit the mix."))
        names = [each.name for each in self.derived_groups]
        if len(set(names)) < len(names) or any(len(name) > 60 for name in names):
            raise ChoiceError(gettext_noop("Each derived group needs its own name, of at most 60 letters."))
        if self.failed_checks > max(self.checks, 1):
            raise ChoiceError(
                gettext_noop(
                    "Failing %(failed)s checks is impossible: the study has only %(checks)s attention checks."
                ),
                failed=self.failed_checks,
                checks=self.checks,
            )

    @classmethod
    def spelled(cls, setting: str, value: object) -> Any:
        if isinstance(value, str):
            match setting:
                case "mix":
                    return mix_as_written(mix_as_typed(value))
                case "derived":
                    return "; ".join(map(str, derived_as_typed(value)))
                case "analysis":
                    return normalise(value).strip()
                case "pay" | "margin":
                    return value.strip()
                case _ if setting in cls.TEXTS:
                    return one_line(value)
        return super().spelled(setting, value)
