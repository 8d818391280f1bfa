"""Context of the inspection page. Before the blind answer nothing here depends on which candidate is right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.actions.inspection.inspections import SKIP_REASONS, called
from annotation.domain.corpora.dialogue import next_speaker
from annotation.domain.rewriting.rewriting import (
    CONTEXT,
    CUT,
    LETTERS,
    WHOLE,
    CandidateRole,
    InspectionVerdict,
    may_be_returned,
)
from annotation.domain.rewriting.versions import Piece, difference
from annotation.forms.inspection import FIELDS, shown_field, stored_name
from annotation.models import Assignment, Inspection, Project, Rewrite, Step
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.projects.guideline_words import for_readers
from annotation.presenters.skips import last_skip
from annotation.selectors.rewriting.author_page import Comment, comments_for
from annotation.selectors.rewriting.rewrites import text_before
from core.actions.refusals import Refused


@dataclass(frozen=True)
class CommentField:
    """Field of a comment: name, label, text, and earlier comments on the same part.

    `open` is on the button that opens it, `short` in the sentence that lists the comments; `is_wrong` marks the one
    that a refusal is about.
    """

    name: str
    label: str
    open: str
    short: str
    text: str
    earlier: Iterable[Comment]
    is_wrong: bool


@dataclass(frozen=True)
class Candidate:
    """Candidate at its shown position, after the blind answer is stored.

    `revised` is the difference from the text returned for revision; empty if nothing changed, and in the first round.
    """

    letter: str
    text: str
    is_key: bool
    is_own: bool
    revised: Sequence[Piece]
    field: CommentField


@dataclass(frozen=True)
class BlindCandidate:
    text: str


def context(
    inspection: Inspection, *, left: int, given: Mapping[str, Any], refused: Refused | None = None
) -> dict[str, Any]:
    """Return the context of annotation/inspection.html. `given` is what the person chose and wrote in a refused
    request.
    """
    wrong = shown_field(refused.field, inspection.order) if refused else ""
    assignment = inspection.assignment
    project, rewrite = assignment.slot.queue.project, inspection.rewrite
    turns = assignment.slot.item.content["turns"]
    answered = inspection.answered_at is not None
    page = {
        "project": project,
        "readers": for_readers(project, "inspectors"),
        "assignment": assignment,
        "answered": answered,
        "page_name": _("Inspection, 1 of %(left)d") % {"left": max(left, 1)},
        "is_practice": assignment.slot.item.is_practice,
        "turns": turns[: rewrite.cut],
        "speaker": next_speaker(turns, rewrite.cut),
        "refusal": str(refused or ""),
        "wrong": wrong,
        "skip_reasons": list(SKIP_REASONS.items()),
        "skipped": last_skip(project, Step.INSPECT, assignment.person),
        "page_keys": _page_keys(answered, assignment.slot.item.is_practice),
        "page_state": {
            "assignment": assignment.pk,
            "answeredAt": inspection.answered_at,
            "next": _next(project, assignment) if answered else None,
            "outbox": outbox_of(Step.INSPECT, project, assignment.person),
            "letters": list(LETTERS),
            "words": _words(),
        },
    }
    if not answered:
        candidates = [BlindCandidate(rewrite.candidates[number]) for number in inspection.order]
        return {**page, "candidates": candidates}
    written = given or {f"comment_{name}": text for name, text in _kept(inspection)}
    return {**page, **_with_key(inspection, written, wrong)}


def _next(project: Project, assignment: Assignment) -> str:
    """Return the address of the item after this one, for the script to ask for while this one is judged."""
    return reverse("inspect", args=[project.slug], query={"after": assignment.pk})


def _with_key(inspection: Inspection, given: Mapping[str, Any], wrong: str) -> dict[str, Any]:
    assignment, settings = inspection.assignment, inspection.assignment.slot.queue.project.rewriting
    fields = _fields(inspection, given, wrong)
    rewrite = inspection.rewrite
    earlier = text_before(rewrite)
    candidates = [
        Candidate(
            LETTERS[index],
            rewrite.candidates[number],
            number == CandidateRole.RIGHT,
            number == inspection.answer,
            _revised(earlier, rewrite, number),
            fields[str(index + 1)],
        )
        for index, number in enumerate(inspection.order)
    ]
    assert inspection.answered_at is not None
    return {
        "candidates": candidates,
        "own": next((candidate for candidate in candidates if candidate.is_own), None),
        "seconds": round((inspection.answered_at - inspection.opened_at).total_seconds()),
        "earlier": earlier,
        "cut": rewrite.cut,
        "context_fields": [fields[CONTEXT], fields[CUT]],
        "given": given,
        "round": assignment.slot.round,
        "rounds": settings.rounds,
        "inspectors": settings.inspectors,
        "may_return": may_be_returned(assignment.slot.round, settings),
    }


def _revised(earlier: Rewrite | None, now: Rewrite, number: int) -> Sequence[Piece]:
    if earlier is None or earlier.candidates[number] == now.candidates[number]:
        return ()
    return difference(earlier.candidates[number], now.candidates[number])


def _fields(inspection: Inspection, given: Mapping[str, Any], wrong: str) -> dict[str, CommentField]:
    earlier = comments_for(inspection.assignment)
    found = {}
    for name in FIELDS:
        stored = stored_name(name, inspection.order)
        label, open_ = _names(name)
        found[name] = CommentField(
            name=name,
            label=label,
            open=open_,
            short=called(stored, inspection.order),
            text=given.get(f"comment_{name}", ""),
            is_wrong=wrong == f"comment_{name}",
            earlier=[*(earlier.get(WHOLE, ()) if name == CONTEXT else ()), *earlier.get(stored, ())],
        )
    return found


def _names(name: str) -> tuple[str, str]:
    """Return the label of a comment, and the text of the button that opens it."""
    if name == CONTEXT:
        return _("Comment on the context (the author will see it)"), _("Comment on the context")
    if name == CUT:
        return _("Comment on the cut (the author will see it)"), _("Comment on the cut")
    letter = {"letter": LETTERS[int(name) - 1]}
    return _("Comment on %(letter)s (the author will see it)") % letter, _("Comment on %(letter)s") % letter


def _kept(inspection: Inspection) -> Iterable[tuple[str, str]]:
    """Return the comments of a verdict that was refused."""
    return ((name, inspection.comments.get(stored_name(name, inspection.order), "")) for name in FIELDS)


def verdict_message(decided: Inspection) -> str:
    """Return what the inspector is told whose verdict is stored."""
    if decided.assignment.slot.item.is_practice:
        said = {
            InspectionVerdict.ACCEPT: _("The practice draft is graded: accepted."),
            InspectionVerdict.DISCARD: _("The practice draft is graded: not accepted."),
        }
    else:
        said = {
            InspectionVerdict.ACCEPT: _("Your verdict is stored: accept."),
            InspectionVerdict.RETURN: _("Your verdict is stored: send back."),
            InspectionVerdict.DISCARD: _("Your verdict is stored: discard."),
        }
    return said[InspectionVerdict(decided.verdict)]


def _page_keys(answered: bool, is_practice: bool) -> list[tuple[str, str]]:
    skip_keys = [("X", _("skip with a reason")), ("Z", _("undo the last skip"))]
    if not answered:
        blind = [("1 – 4", _("choose")), ("0", _("cannot decide")), ("Enter", _("answer and see the key"))]
        return [*blind, *skip_keys]
    return [
        ("Q W", _("the key is right, or in doubt")),
        ("A S", _("it is the only right one, or in doubt")),
        *([] if is_practice else [("R D", _("send back, or discard"))]),
        ("C 1 – 4", _("comment on a candidate")),
        ("Ctrl Enter", _("submit the verdict")),
        *skip_keys,
    ]


def _words() -> dict[str, str]:
    return {
        "saved": _("Saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("{count} to send"),
        "withComments": _(", with your comment on {about}."),
        "withoutComments": _(". Say in a comment what must be changed: the author will read it."),
        "unreadable": _("Not sent: what this page sent cannot be read. Reload the page."),
    }
