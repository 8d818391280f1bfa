"""What waits for a person in all their projects, as an annotator or as an inspector."""

from dataclasses import dataclass

from annotation.selectors.adjudication import AdjudicatingWork, adjudicating_work
from annotation.selectors.cleaning.cleaning import CleaningWork, cleaning_work
from annotation.selectors.inspection.inspector_work import InspectingWork, inspecting_work
from annotation.selectors.own_work import Held, held_in_archived
from annotation.selectors.rating.own_work import RatingWork, rating_work
from annotation.selectors.reasoning import TypingWork, typing_work
from annotation.selectors.rewriting.author_work import Returned, WritingWork, writing_work
from annotation.selectors.transcription import TranscriptionWork, transcription_work
from core.models import Role, User


@dataclass(frozen=True)
class AnnotatorWork:
    """What an annotator has to do, by step."""

    held: list[Held]
    rating: list[RatingWork]
    writing: list[WritingWork]
    transcription: list[TranscriptionWork]
    cleaning: list[CleaningWork]
    typing: list[TypingWork]

    @property
    def returned(self) -> list[Returned]:
        return [item for work in self.writing for item in work.returned]


@dataclass(frozen=True)
class InspectorWork:
    """What an inspector has to do, by step."""

    held: list[Held]
    inspecting: list[InspectingWork]
    adjudicating: list[AdjudicatingWork]
    cleaning: list[CleaningWork]
    typing: list[TypingWork]


def annotator_work(person: User) -> AnnotatorWork:
    return AnnotatorWork(
        held=held_in_archived(person),
        rating=rating_work(person),
        writing=writing_work(person),
        transcription=transcription_work(person),
        cleaning=cleaning_work(person, Role.ANNOTATOR),
        typing=typing_work(person, Role.ANNOTATOR),
    )


def inspector_work(person: User) -> InspectorWork:
    return InspectorWork(
        held=held_in_archived(person),
        inspecting=inspecting_work(person),
        adjudicating=adjudicating_work(person),
        cleaning=cleaning_work(person, Role.INSPECTOR),
        typing=typing_work(person, Role.INSPECTOR),
    )
