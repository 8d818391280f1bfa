"""Context of the transcript page for its template and its script."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.actions.transcription.transcripts import SKIP_REASONS
from annotation.domain.rewriting.versions import Change, Piece
from annotation.domain.transcription.recordings import RecordingKind
from annotation.domain.transcription.transcripts import ANSWER, LONGEST_SPEAKER, changes
from annotation.importers.questions import LETTERS
from annotation.models import Item, Step, Transcript
from annotation.presenters import drafts
from annotation.presenters.skips import last_skip
from annotation.selectors.transcription import recordings_of
from core.actions.refusals import Refused

PAGES = {Step.TRANSCRIBE: "transcribe", Step.CHECK: "check_transcript"}


@dataclass(frozen=True)
class TranscriptChoice:
    number: int
    letter: str
    text: str
    is_chosen: bool
    is_read: bool  # by the machine, from the picture


@dataclass(frozen=True)
class Paragraph:
    """A difference in one turn, or in several that were split or joined."""

    pieces: Sequence[Piece]

    @property
    def is_changed(self) -> bool:
        return any(piece.change != Change.SAME for piece in self.pieces)

    @property
    def text(self) -> str:
        """The text, to detect its language."""
        return "".join(piece.text for piece in self.pieces)


def context(transcript: Transcript, refused: Refused | None = None) -> dict[str, Any]:
    """Return the context of annotation/transcript.html. The transcript has the text now on the page, stored or not."""
    assignment = transcript.assignment
    item, project = assignment.slot.item, assignment.slot.queue.project
    recordings, told = recordings_of(item), drafts.sentences(refused)
    is_check = assignment.slot.queue.step == Step.CHECK
    return {
        "project": project,
        "assignment": assignment,
        "transcript": transcript,
        "item": item,
        "is_check": is_check,
        "title": _("Check of a transcript") if is_check else _("Correction of a transcript"),
        "turns": transcript.turns,
        "choices": _choices(item, transcript.answer),
        "longest_speaker": LONGEST_SPEAKER,
        **{kind.value: _recording(transcript, kind) if kind in recordings else "" for kind in RecordingKind},
        "flaws": [(_anchor(flaw), flaw["sentence"]) for flaw in told],
        "refusal": str(refused or ""),
        "skip_reasons": list(SKIP_REASONS.items()),
        "skipped": last_skip(project, Step(assignment.slot.queue.step), assignment.person),
        "page_keys": _page_keys(),
        "difference": _difference(transcript) if is_check else None,
        "page_state": drafts.page_state(
            transcript, "transcribe", text=("turns", "answer"), here=address(transcript), words=_words()
        ),
    }


def _recording(transcript: Transcript, kind: RecordingKind) -> str:
    assignment = transcript.assignment
    return reverse("recording", args=[assignment.slot.queue.project.slug, assignment.pk, kind.value])


def _choices(item: Item, answer: int | None) -> list[TranscriptChoice]:
    read = item.content["answer"]
    texts = zip(LETTERS, item.content["choices"], strict=False)
    return [TranscriptChoice(n, letter, text, n == answer, n == read) for n, (letter, text) in enumerate(texts)]


def _difference(transcript: Transcript) -> dict[str, Any]:
    """Return what the first person changed in the machine's transcript."""
    machine, first = transcript.assignment.slot.item.content, transcript.checks
    assert first is not None
    paragraphs = [Paragraph(pieces) for pieces in changes(machine["turns"], first.turns)]
    return {
        "paragraphs": paragraphs,
        "is_changed": any(paragraph.is_changed for paragraph in paragraphs),
        "read": _letter(machine["answer"]),
        "chosen": _letter(first.answer),
    }


def _letter(answer: int | None) -> str:
    return "" if answer is None else LETTERS[answer]


def _anchor(flaw: dict[str, str]) -> str:
    """Return the anchor of the field to revise."""
    if flaw["field"].isdigit():
        return f"turn-{flaw['field']}"
    return "choices" if flaw["field"] == ANSWER else "turns"


def address(transcript: Transcript) -> str:
    """Return the address of the step's page in the transcript's project."""
    queue = transcript.assignment.slot.queue
    return reverse(PAGES[Step(queue.step)], args=[queue.project.slug])


def submission_message(transcript: Transcript) -> str:
    """Return what a person is told who submitted a transcript."""
    if transcript.assignment.slot.queue.step == Step.CHECK:
        return _("Confirmed: authors can now get this item.")
    return _("Submitted: a second person checks it next.")


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("F2", _("play and pause")),
        ("F3 / F4", _("back, forward 3 seconds")),
        ("F8", _("slower, and back to full speed")),
        ("Alt ↑ ↓", _("turn before, next turn")),
        ("Ctrl ⇧ Enter", _("split the turn at the cursor")),
        ("Ctrl Enter", _("submit it")),
        ("X", _("skip with a reason; Ctrl ⇧ X in a text")),
        ("Z", _("undo the last skip; Alt Z in a text")),
    ]


def _words() -> dict[str, str]:
    """Return the script's messages; the script fills in {braces}."""
    return {
        "speaker": _("Speaker of turn {number}"),
        "text": _("Turn {number}"),
        "split": _("Split turn {number}"),
        "remove": _("Remove turn {number}"),
        "removed": _("Turn {number} is removed."),
        "silent": _("The audio does not play here. Reload the page, or skip the item with that reason."),
    }
