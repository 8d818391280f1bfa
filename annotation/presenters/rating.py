"""Context of the rating page for its template and its script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.actions.flags import LONGEST
from annotation.actions.rating.ratings import SKIP_REASONS
from annotation.domain.rating.guideline import Guideline, ResponseType, complete
from annotation.domain.rating.rating import reasons_for
from annotation.models import GuidelineVersion, Project, Step
from annotation.presenters.ahead import words_ahead
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.projects.guideline_words import in_own_language
from annotation.selectors.rating.annotator_page import GradedPair, Pair, SkippedPair
from core.models import User
from core.templatetags.page import language_of

REASON_KEYS = "ASDHJKL"  # the home row without F (flag) and G (guideline)
MOST_NAMED = 7  # more grades leave no room for names under the numbers


@dataclass(frozen=True)
class ReasonChoice:
    key: str
    name: str
    shortcut: str


@dataclass(frozen=True)
class GradeChoice:
    """A grade to choose. `label` has a true minus sign."""

    grade: int
    label: str
    name: str
    reasons: list[ReasonChoice]


def context(
    project: Project,
    person: User,
    *,
    guideline: GuidelineVersion,
    pairs: list[Pair],
    done: Sequence[GradedPair | SkippedPair],
    changing: GradedPair | None,
    today: int,
    left: int,
    milliseconds: list[int],
) -> dict[str, Any]:
    """Return the context of annotation/rating.html; `page_state` is the initial state of the script."""
    scale = scale_of(guideline)
    choices, typing_saves = scale["choices"], scale["typing_saves"]
    current = changing or next(iter(pairs), None)
    per_day = project.rating.per_day
    return {
        "project": project,
        "changing": changing,
        **scale,
        "pair": current and json_of(current),
        "done": [{**json_of(pair), "reason_name": _reason_name(choices, pair)} for pair in done],
        "today": today,
        "per_day": per_day,
        "share": today / per_day,
        "skip_reasons": list(SKIP_REASONS.items()),
        "longest_comment": LONGEST,
        "page_keys": _page_keys(choices, typing_saves),
        "page_state": {
            "base": reverse("rate", args=[project.slug]),
            "outbox": outbox_of(Step.RATE, project, person),
            "guideline": guideline.number,
            "pairs": [json_of(pair) for pair in pairs],
            "past": [json_of(pair) for pair in done],
            "changing": changing and changing.assignment,
            "today": today,
            "left": left,
            "perDay": per_day,
            "milliseconds": milliseconds,
            "typingSaves": typing_saves,
            "words": _words(),
        },
    }


def wanted(done: Sequence[Pair], assignment: str | None) -> GradedPair | None:
    """Return the graded pair whose grade the person wants to change."""
    graded = (pair for pair in done if isinstance(pair, GradedPair))
    return next((pair for pair in graded if str(pair.assignment) == assignment), None)


def scale_of(guideline: GuidelineVersion) -> dict[str, Any]:
    """Return the grades and their reasons, for annotation/_grades.html and annotation/_guide.html."""
    content = complete(guideline.content)
    choices = _choices(content)
    return {
        "guideline": content,
        "choices": choices,
        "has_many_grades": len(choices) > MOST_NAMED,
        "typing_saves": _typing_saves(choices),
    }


def json_of(pair: Pair) -> dict[str, Any]:
    """Return the pair as JSON for the page; each text has a language of its own, independent of the interface."""
    own: dict[str, Any] = {}
    if isinstance(pair, GradedPair):
        own = {"grade": pair.grade, "reason": pair.reason}
    elif isinstance(pair, SkippedPair):
        own = {"skipped": pair.skipped}
    return {
        "assignment": pair.assignment,
        "prompt": {"text": pair.prompt, "lang": language_of(pair.prompt)},
        "response": {"text": pair.response, "lang": language_of(pair.response)},
        "about": pair.about,
        **own,
    }


def _choices(guideline: Guideline) -> list[GradeChoice]:
    return [
        GradeChoice(
            guide["grade"],
            str(guide["grade"]).replace("-", "−"),
            in_own_language(guide["name"]),
            _reasons(reasons_for(guideline, guide["grade"])),
        )
        for guide in guideline["grades"]
    ]


def _reasons(kinds: Iterable[ResponseType]) -> list[ReasonChoice]:
    return [
        ReasonChoice(kind["key"], in_own_language(kind["name"]), REASON_KEYS[index : index + 1])
        for index, kind in enumerate(kinds)
    ]


def _typing_saves(choices: list[GradeChoice]) -> bool:
    """Tell whether typing a grade can save it: no grade is the beginning of another, as 1 is of 10."""
    typed = [str(choice.grade) for choice in choices]
    return not any(longer != shorter and longer.startswith(shorter) for shorter in typed for longer in typed)


def _reason_name(choices: list[GradeChoice], pair: GradedPair | SkippedPair) -> str:
    if isinstance(pair, SkippedPair):
        return str(SKIP_REASONS.get(pair.skipped, ""))
    reasons = (reason for choice in choices if choice.grade == pair.grade for reason in choice.reasons)
    return next((reason.name for reason in reasons if reason.key == pair.reason), "")


def _page_keys(choices: list[GradeChoice], typing_saves: bool) -> list[tuple[str, str]]:
    typed = f"{choices[0].label} – {choices[-1].label}"
    reasons = max(len(choice.reasons) for choice in choices)
    keys = [
        (typed if typing_saves else f"{typed} Enter", _("grade")),
        ("← → Enter", _("grade, without number keys")),
        (" ".join(REASON_KEYS[:reasons]), _("reason: saves and continues")),
        ("Z", _("go back to your last grades and skips, one by one")),
        ("X", _("skip with a reason")),
        ("F", _("flag the pair for a researcher")),
        ("G", _("guideline")),
    ]
    return [(key, what) for key, what in keys if key]


def _words() -> dict[str, Any]:
    """Return the script's messages. Pairs are singular and plural; the script fills in {braces}."""
    return {
        **words_ahead(),
        "offlineNone": _("You can continue: what you grade is kept on this device and sent when you are back online."),
        "onTheWay": _("Loading the next pair …"),
        "refused": _(
            "Not saved: the server no longer has this pair. Your grade was {grade}. Go on with the next pair."
        ),
        "flagLost": _("Not saved: the server no longer has this pair. You wrote: {comment}"),
        "pace": _("{seconds} s a pair"),
        "done": _("done at about {time}"),
    }
