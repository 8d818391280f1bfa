"""Context of the page on which an adjudicator decides."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.adjudication.adjudication import REMOVAL_REASONS, SKIP_REASONS
from annotation.models import Assignment, Project, Step
from annotation.models.work import CHANGEABLE
from annotation.presenters.ahead import ONE_AND_SEVERAL, words_ahead
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.rating import json_of, scale_of
from annotation.presenters.skips import last_skip, ways_back
from annotation.selectors.adjudication import Decided, last_decided, waiting_in
from annotation.selectors.rating.annotator_page import pairs_on
from annotation.selectors.skips import last_skips
from core.models import User


def context(project: Project, person: User, held: Sequence[Assignment], *, change: str | None) -> dict[str, Any]:
    """Return the context of annotation/adjudication/adjudication.html; `change` is the assignment of the decision to
    change.
    """
    last = last_decided(project, person)
    changing = next((each for each in last if str(each.pair.assignment) == change), None)
    state = state_of(project, person, held)
    return {
        "project": project,
        "pair": json_of(changing.pair) if changing else next(iter(state["pairs"]), None),
        "left": state["left"],
        "last": last,
        **ways_back(last, changing, last_skip(project, Step.ADJUDICATE, person), lambda decided: decided.ended_at),
        **scale_of(project.guidelines.all()[:1].get()),
        "removal_reasons": list(REMOVAL_REASONS.items()),
        "skip_reasons": list(SKIP_REASONS.items()),
        "removed_for": REMOVAL_REASONS,
        "page_keys": _page_keys(),
        "page_state": {
            "base": reverse("adjudicate", args=[project.slug]),
            "addresses": {"grade": "decide/", "change": "decide/?anew"},
            "outbox": outbox_of(Step.ADJUDICATE, project, person),
            **state,
            "changing": changing and changing.pair.assignment,
            "words": _words(),
        },
    }


def state_of(project: Project, person: User, held: Sequence[Assignment]) -> dict[str, Any]:
    """Return what the script shows: held pairs, the last ones, and the number left."""
    skips = last_skips(project, Step.ADJUDICATE, person)
    past = [_done(decided) for decided in last_decided(project, person)]
    past += [
        {**json_of(pair), "skipped": skip.reason, "at": skip.ended_at}
        for skip, pair in zip(skips, pairs_on(project, skips), strict=True)
    ]
    return {
        "pairs": [json_of(pair) for pair in pairs_on(project, held)],
        "past": sorted(past, key=lambda each: (each["at"], each["assignment"]), reverse=True)[:CHANGEABLE],
        "left": waiting_in(project, person),
    }


def _done(decided: Decided) -> dict[str, Any]:
    is_removed = decided.grade is None
    return {
        **json_of(decided.pair),
        "grade": "" if is_removed else str(decided.grade),
        "reason": "" if is_removed else decided.reason,
        "remove": decided.reason if is_removed else "",
        "at": decided.ended_at,
    }


def _words() -> dict[str, Any]:
    return {
        **words_ahead(),
        "left": [
            ngettext("One is waiting.", "%(counter)s are waiting.", count) % {"counter": "{count}"}
            for count in ONE_AND_SEVERAL
        ],
        "changing": _("You are changing an earlier decision."),
        "changingRemoved": _("You are changing an earlier decision: removed, {reason}."),
        "removals": {key: str(name) for key, name in REMOVAL_REASONS.items()},
    }


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 9", _("grade")),
        ("A S D", _("reason: saves and continues")),
        ("R", _("remove with a reason")),
        ("Z", _("go back to your last decisions and skips, one by one")),
        ("X", _("skip with a reason")),
        ("G", _("guideline")),
    ]
