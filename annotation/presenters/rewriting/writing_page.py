"""Context of the writing page for its template and its script."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.flags import LONGEST
from annotation.actions.rewriting.rewrites import LONGEST_DRAFT, SKIP_REASONS
from annotation.domain.corpora.dialogue import Turn, next_speaker
from annotation.domain.rewriting.rewriting import CONTEXT, CUT, LETTERS, WHOLE, CandidateRole
from annotation.models import Item, Rewrite, Step
from annotation.presenters import drafts
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.projects.guideline_words import for_readers
from annotation.presenters.rewriting import writing_versions
from annotation.presenters.skips import last_skip
from annotation.selectors.rewriting.author_page import Comment, Means, comments_for, latest_means
from core.actions.refusals import Refused, sentence_space

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


def context(rewrite: Rewrite, refused: Refused | None = None) -> dict[str, Any]:
    """Return the context of annotation/rewriting/rewriting.html. The rewrite has the text now on the page, stored or
    not.
    """
    assignment, cut = rewrite.assignment, rewrite.cut
    item, project = assignment.slot.item, assignment.slot.queue.project
    turns, choices = item.content["turns"], choices_of(item)
    means, comments, told = latest_means(project), comments_for(assignment), drafts.sentences(refused)
    return {
        "project": project,
        "readers": for_readers(project, "authors"),
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
                rewrite.candidates[part],
                comments.get(str(int(part)), ()),
                sentence_space().join(flaw["sentence"] for flaw in told if flaw["field"] == str(int(part))),
                _tick(part, means),
            )
            for part, choice in zip(CandidateRole, sources_of(choices), strict=True)
        ],
        "flaws": [_listed(flaw) for flaw in told],
        "refusal": str(refused or ""),
        "skip_reasons": list(SKIP_REASONS.items()),
        "skipped": last_skip(project, Step.WRITE, assignment.person),
        "page_keys": _page_keys(),
        "longest_comment": LONGEST,
        "flag_key": uuid4(),
        "is_practice": item.is_practice,
        "versions": writing_versions.listed(rewrite),
        "page_state": _page_state(rewrite, turns),
    }


def _page_state(rewrite: Rewrite, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the initial state of the writing script (rendered as JSON)."""
    assignment = rewrite.assignment
    project = assignment.slot.queue.project
    return {
        **drafts.page_state(rewrite, "write", text=("cut", "candidates"), here=address(rewrite), words=_words()),
        "assignment": assignment.pk,
        "item": assignment.slot.item.key,
        "write": reverse("write", args=[project.slug]),
        "next": reverse("write", args=[project.slug], query={"after": assignment.pk}),
        "outbox": outbox_of(Step.WRITE, project, assignment.person),
        "speakers": [next_speaker(turns, index) for index in range(len(turns))],
        "letters": list(LETTERS),
    }


def address(rewrite: Rewrite) -> str:
    """Return the address of the page with this assignment open."""
    return f"{reverse('write', args=[rewrite.assignment.slot.queue.project.slug])}?assignment={rewrite.assignment_id}"


def submission_message(rewrite: Rewrite) -> str:
    """Return what the author of a submitted rewrite is told: the same whether it was drawn for inspection or not."""
    if rewrite.assignment.slot.item.is_practice:
        return _("Submitted: an inspector grades it. Practice counts nowhere.")
    if rewrite.assignment.slot.queue.project.rewriting.inspected_percent == 100:
        return _("Submitted: an inspector judges it next.")
    return _("Submitted: an inspector may judge it next.")


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
        ("X", _("skip with a reason; Ctrl ⇧ X in a text")),
        ("Z", _("undo the last skip; Alt Z in a text")),
        ("Ctrl ⇧ F", _("flag the item for a researcher")),
    ]


def _words() -> dict[str, Any]:
    """Return the script's messages. Pairs are singular and plural; the script fills in {braces}."""
    return {
        "heading": _("Four next turns for {speaker}"),
        "cutHere": _("cut here"),
        "full": _("This field is full: it holds %(limit)s characters, and nothing beyond them is kept.")
        % drafts.grouped({"limit": LONGEST_DRAFT}),
        "cut": [
            ngettext(
                "cut: {count} turn of context, {speaker} speaks next",
                "cut: {count} turns of context, {speaker} speaks next",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "length": [ngettext("{count} word", "{count} words", count) for count in ONE_AND_SEVERAL],
        # xgettext:no-python-format
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
            "apart": _("Shares far fewer words than the others. Use phrases from the context."),
            "telling": _("“{word}” occurs in the right answer and in no other text here: it may give the answer away."),
        },
        "flagLost": _("Not saved: the server no longer has this item. You wrote: {comment}"),
    }
