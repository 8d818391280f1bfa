"""Context of the page on which people name reasoning types, and what its script is sent."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.reasoning import SKIP_REASONS
from annotation.models import Assignment, Project, Queue, Step, TypeChoice
from annotation.presenters.ahead import ONE_AND_SEVERAL, words_ahead
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.reasoning.reasoning_words import NAMES, TYPES
from annotation.presenters.skips import last_skip, ways_back
from annotation.selectors.reasoning import last_named, named_by, shown_on, waiting_in
from annotation.selectors.skips import last_skips, newest_first
from core.models import User


def context(project: Project, person: User, held: Sequence[Assignment], *, change: str | None) -> dict[str, Any]:
    """Return the context of annotation/reasoning/types.html; `change` is the assignment of the choice to change."""
    last = last_named(project, person)
    changing = next((each for each in last if str(each.assignment_id) == change), None)
    state = state_of(project, person, held)
    instances = state["past"] if changing else state["pairs"]
    shown = next((each for each in instances if not changing or each["assignment"] == changing.assignment_id), None)
    left = state["left"]
    return {
        "project": project,
        "shown": shown,
        **ways_back(last, changing, last_skip(project, Step.TYPE, person), lambda choice: choice.assignment.ended_at),
        "done": state["today"],
        "types": TYPES,
        "names": NAMES,
        "skip_reasons": list(SKIP_REASONS.items()),
        "page_keys": _page_keys(),
        "page_name": _("Reasoning types, 1 of %(left)d") % {"left": left} if left else _("Reasoning types"),
        "page_state": {
            "base": reverse("types", args=[project.slug]),
            "addresses": {"grade": "name/", "change": "name/?anew"},
            "outbox": outbox_of(Step.TYPE, project, person),
            **state,
            "changing": changing and changing.assignment_id,
            "words": _words(),
        },
    }


def state_of(project: Project, person: User, held: Sequence[Assignment]) -> dict[str, Any]:
    """Return what the script shows: held instances, the last ones, the number named, and the number left."""
    choices = {choice.assignment: choice for choice in last_named(project, person)}
    ended = newest_first([*choices, *last_skips(project, Step.TYPE, person)])
    html = {
        shown.assignment: render_to_string("annotation/reasoning/_instance.html", {"shown": shown})
        for shown in shown_on(project, [*held, *ended])
    }
    queue = Queue.objects.filter(project=project, step=Step.TYPE).first()
    return {
        "pairs": [{"assignment": each.pk, "html": html[each.pk]} for each in held if each.pk in html],
        "past": [
            {"assignment": each.pk, "html": html[each.pk], **_done(each, choices.get(each))}
            for each in ended
            if each.pk in html
        ],
        "today": named_by(project, person),
        "left": waiting_in(queue, person) if queue else 0,
    }


def _done(assignment: Assignment, choice: TypeChoice | None) -> dict[str, Any]:
    if choice is None:
        return {"skipped": assignment.reason, "at": assignment.ended_at}
    return {"answer": choice.answer, "at": choice.created_at}


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 6", _("choose a type: saves and continues")),
        ("?", _("unsure: saves and continues")),
        ("Z", _("go back to your last choices and skips, one by one")),
        ("X", _("skip with a reason")),
    ]


def _words() -> dict[str, Any]:
    return {
        **words_ahead(),
        "title": _("Reasoning types"),
        "place": _("Reasoning types, 1 of {left}"),
        "chosen": _("Your last choice: {type}"),
        "stored": _("{type}, saved at {time}"),
        "done": [ngettext("{count} labelled by you", "{count} labelled by you", count) for count in ONE_AND_SEVERAL],
        "changing": _("You are changing an earlier choice: {type}."),
        "types": {key: str(name) for key, name in NAMES.items()},
    }
