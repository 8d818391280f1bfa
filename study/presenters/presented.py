"""A question as one person sees it. It never reveals which candidate is right."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.domain.draws import uniforms
from core.domain.text import candidate_texts
from study.models import Presentation, Question, Study


@dataclass(frozen=True)
class PresentedTurn:
    """A turn of the context. `letter` names the speaker, by order of appearance.

    `is_other` puts the turn on the other side.
    """

    letter: str
    text: str
    is_other: bool


@dataclass(frozen=True)
class CandidateLine:
    """A candidate as it is shown, `number` from 1 in the person's own order, and its rank, `place`, 0 for none.

    Its controls have names.
    """

    number: int
    token: str
    text: str
    place: int
    as_first: str
    as_second: str

    @property
    def letter(self) -> str:
        """Name of the line where places are numbers; its number beyond Z."""
        return _letter(self.number - 1) or str(self.number)

    @property
    def is_first(self) -> bool:
        return self.place == 1

    @property
    def is_second(self) -> bool:
        return self.place == 2


@dataclass(frozen=True)
class PresentedQuestion:
    """A question as one person sees it; `answer` is what the study asks of it."""

    answer: str
    position: int
    turns: list[PresentedTurn]
    gap: PresentedTurn
    lines: list[CandidateLine]

    @property
    def placed(self) -> int:
        return sum(line.place > 0 for line in self.lines)

    @property
    def places(self) -> range:
        return range(1, len(self.lines) + 1)


def shown(presentation: Presentation, study: Study, chosen: Sequence[int | None] = ()) -> PresentedQuestion:
    """Return the question with the person's ranking marked: that of the stored answer, else the one given."""
    answer, question = getattr(presentation, "answer", None), presentation.question
    ranking = answer.ranking if answer else chosen
    place = {number: rank for rank, number in enumerate(ranking, start=1)}
    candidates, pairs = candidate_texts(question.candidates), zip(presentation.order, presentation.tokens, strict=True)
    as_first, as_second = _("First choice: %(text)s"), _("Second choice: %(text)s")
    lines = [
        CandidateLine(
            index,
            token,
            text := candidates.texts[number],
            place.get(number, 0),
            as_first % {"text": text},
            as_second % {"text": text},
        )
        for index, (number, token) in enumerate(pairs, start=1)
    ]
    turns, gap = turns_of(question.context, candidates.speaker)
    return PresentedQuestion(study.survey.answer, presentation.position, turns, gap, lines)


def as_drawn(question: Question, study: Study) -> PresentedQuestion:
    """Return a question as it would be shown, for the preview of a study."""
    numbers = range(question.candidates_count)
    order = sorted(numbers, key=lambda number: uniforms(study.seed, "preview", question.external_id, str(number)))
    tokens = [f"preview-{index}" for index in numbers]
    return shown(Presentation(question=question, position=question.position, order=order, tokens=tokens), study)


def turns_of(context: list[dict[str, str]], following: str = "") -> tuple[list[PresentedTurn], PresentedTurn]:
    """Return the turns of a context and the gap after them, which belongs to the speaker `following`.

    Where that is unknown it belongs to the other of two speakers, and of three or more to none. Without names of
    speakers the turns alternate.
    """
    names = [turn.get("speaker", "").casefold() for turn in context]
    if not any(names) or (len(set(names)) < 2 and not following):
        names, following = [str(index % 2) for index in range(len(context))], ""
    speakers = list(dict.fromkeys([*names, following] if following else names))
    indices = [speakers.index(name) for name in names]
    turns = [
        PresentedTurn(_letter(index), turn["text"], is_other=index % 2 == 1)
        for index, turn in zip(indices, context, strict=True)
    ]
    if following:
        index = speakers.index(following)
        return turns, PresentedTurn(_letter(index), "", is_other=index % 2 == 1)
    is_one_of_two = len(set(indices)) <= 2
    index = 1 - indices[-1] if indices and is_one_of_two else 0
    return turns, PresentedTurn(_letter(index) if is_one_of_two else "", "", is_other=index == 1)


def _letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else ""
