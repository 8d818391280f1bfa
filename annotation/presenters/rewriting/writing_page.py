"""Context of the writing page for its template and its script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.flags import LONGEST
from annotation.actions.rewriting.rewrites import LONGEST_DRAFT, SKIP_REASONS
from annotation.domain.corpora.dialogue import Turn, next_speaker
from annotation.domain.rewriting.rewriting import CONTEXT, CUT, LETTERS, WHOLE, CandidateRole, Flaw
from annotation.models import Item, Project, Rewrite
from annotation.presenters.rewriting import writing_versions
from annotation.selectors.rewriting.author_page import Comment, Means, comments_for, latest_means

ONE_AND_SEVERAL = (1, 2)


@dataclass(frozen=True)
class SourceChoice:
    """An answer option of the source item, with its letter there."""

    letter: str
    text: str
    is_key: bool


@dataclass(frozen=True)
class DialogueLine:
    """A turn of the dialogue. ``cut`` is the position of the cut after it, None after the last turn."""

    speaker: str
    text: str
    cut: int | None
    is_after: bool


@dataclass(frozen=True)
class Editor:
    """One of the four texts to write: its source, its present text, and the comments on it."""

    number: int
    choice: SourceChoice
    text: str
    comments: Sequence[Comment]
    flaw: str
    tick: str

    @property
    def letter(self) -> str:
        return LETTERS[self.number]

    @property
    def is_right(self) -> bool:
        return self.number == CandidateRole.RIGHT

    @property
    def is_negated(self) -> bool:
        return self.number == CandidateRole.NEGATED


def context(
    rewrite: Rewrite, *, cut: int, candidates: Sequence[str], flaws: Sequence[Flaw] = (), refusal: str = ""
) -> dict[str, Any]:
    """Return the context of annotation/rewriting/rewriting.html: the rewrite with the cut and texts now on the page."""
    assignment = rewrite.assignment
    item, project = assignment.slot.item, assignment.slot.queue.project
    turns, choices = item.content["turns"], choices_of(item)
    means, comments, told = latest_means(project), comments_for(assignment), sentences(flaws)
    return {
        "project": project,
        "assignment": assignment,
        "rewrite": rewrite,
        "item": item,
        "cut": cut,
        "means": means,
        "turns": _lines(turns, cut),
        "choices": choices,
        "speaker": next_speaker(turns, cut),
        "longest": LONGEST_DRAFT,
        "comments": [comment for field in (WHOLE, CONTEXT, CUT) for comment in comments.get(field, [])],
        "editors": [
            Editor(
                part,
                choice,
                candidates[part],
                comments.get(str(int(part)), ()),
                " ".join(flaw["sentence"] for flaw in told if flaw["field"] == str(int(part))),
                _tick(part, means),
            )
            for part, choice in zip(CandidateRole, sources_of(choices), strict=True)
        ],
        "flaws": [_listed(flaw) for flaw in told],
        "refusal": refusal,
        "skip_reasons": list(SKIP_REASONS.items()),
        "page_keys": _page_keys(),
        "longest_comment": LONGEST,
        "flag_key": uuid4(),
        "is_practice": item.is_practice,
        "versions": writing_versions.listed(rewrite, cut=cut, candidates=candidates),
        "page_state": _page_state(rewrite, cut, candidates, turns, project),
    }


def _page_state(
    rewrite: Rewrite, cut: int, candidates: Sequence[str], turns: Sequence[Turn], project: Project
) -> dict[str, Any]:
    """Return the initial state of the writing script (rendered as JSON)."""
    assignment = rewrite.assignment
    return {
        "base": f"{reverse('write', args=[project.slug])}{assignment.pk}/",
        "here": address(rewrite),
        "draft": f"write/{assignment.person_id}/{assignment.slot_id}",
        "assignment": assignment.pk,
        "outbox": f"flag/{assignment.person_id}/{project.slug}",
        "revision": rewrite.revision,
        "cut": cut,
        "candidates": list(candidates),
        "savedAt": rewrite.saved_at if rewrite.revision else None,
        "speakers": [next_speaker(turns, index) for index in range(len(turns))],
        "letters": list(LETTERS),
        "words": _words(),
    }


def address(rewrite: Rewrite) -> str:
    """Return the address of the page with this assignment open."""
    return f"{reverse('write', args=[rewrite.assignment.slot.queue.project.slug])}?assignment={rewrite.assignment_id}"


def sentences(flaws: Iterable[Flaw]) -> list[dict[str, str]]:
    """Return the field of each flaw and a message in the reader's language."""
    return [{"field": flaw.field, "sentence": _(flaw.sentence) % flaw.params} for flaw in flaws]


def _listed(flaw: dict[str, str]) -> tuple[str, str]:
    """Return the anchor of the field to revise, and the message about it."""
    if not flaw["field"].isdigit():
        return "turns", flaw["sentence"]
    return f"candidate-{flaw['field']}", f"{LETTERS[int(flaw['field'])]}: {flaw['sentence']}"


def choices_of(item: Item) -> list[SourceChoice]:
    answer = item.content["answer"]
    return [SourceChoice(LETTERS[index], text, index == answer) for index, text in enumerate(item.content["choices"])]


def sources_of(choices: Sequence[SourceChoice]) -> list[SourceChoice]:
    """Return the options that the four texts are made from, in the order of `CandidateRole`."""
    right = next(choice for choice in choices if choice.is_key)
    return [right, *(choice for choice in choices if not choice.is_key), right]


def _lines(turns: Sequence[Turn], cut: int) -> list[DialogueLine]:
    return [
        DialogueLine(turn["speaker"], turn["text"], index + 1 if index + 1 < len(turns) else None, index >= cut)
        for index, turn in enumerate(turns)
    ]


def _tick(part: CandidateRole, means: Means | None) -> str:
    """Return the position of the project's mean on the bar, in percent."""
    if means is None:
        return ""
    return f"{100 * (means.right if part == CandidateRole.RIGHT else means.wrong):.1f}"


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("Alt ↑ ↓", _("move the cut")),
        ("Tab", _("next candidate")),
        ("Ctrl Enter", _("submit for inspection")),
        ("Ctrl ⇧ X", _("skip with a reason")),
        ("Ctrl ⇧ F", _("flag the item for a researcher")),
    ]


def _words() -> dict[str, Any]:
    """Return the script's messages. Pairs are singular and plural; the script fills in {braces}."""
    return {
        "saved": _("Draft saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("Kept on this device"),
        "back": _("Your draft of {time} is back"),
        "heading": _("Four next turns for {speaker}"),
        "cutHere": _("cut here"),
        "cut": [
            ngettext(
                "cut: {count} turn of context, {speaker} speaks next",
                "cut: {count} turns of context, {speaker} speaks next",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "length": [ngettext("{count} word", "{count} words", count) for count in ONE_AND_SEVERAL],
        "shared": _("{percent} % shared"),
        "sharedOf": _("({shared} of {words})"),
        "remarks": [
            ngettext(
                "{count} remark. You may submit with it.",
                "{count} remarks. You may submit with them.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "remark": {
            "equal": _("The same words as {letter}."),
            "near": _("Nearly the same words as {letter}."),
            "long": _("Much longer than the others: the length alone may give it away."),
            "short": _("Much shorter than the others: the length alone may give it away."),
            "apart": _("Shares far fewer words than the others. Use phrases of the context."),
            "telling": _("“{word}” is of the right answer and in no other text here: it may give it away."),
        },
        "elsewhere": _("Open in another tab since {time}. Work there, or take over here."),
        "stale": _("Saved in another window or on another device at {time}. What you wrote here is not stored yet."),
        "kept": _("This device keeps a draft of {time} that was not stored. Another one was saved since."),
        "flagLost": _("Not saved: the server no longer knows this item. You wrote: {comment}"),
        "unreadable": _("Not saved: what this page sent cannot be read. Load the page again."),
    }
