"""Changes to a draft's practice questions and attention checks. Opening the study freezes them."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from core.models.people import User
from study.actions.survey.locks import locked_draft
from study.domain.survey.own_questions import OwnQuestion
from study.models import Question, QuestionPurpose, Study
from study.selectors.survey.own_questions import first_own_questions, is_as_first, name_of, own_questions_of

FEWEST, MOST, LONGEST = 2, 100, 2_000  # candidates, and characters of a text
First = dict[QuestionPurpose, list[OwnQuestion]]


def add_all(study: Study) -> None:
    """Create the practice questions and the attention checks."""
    for purpose, questions in first_own_questions(study).items():
        for number, own in enumerate(questions):
            _add(study, purpose, number, own)


def _add(study: Study, purpose: QuestionPurpose, number: int, own: OwnQuestion) -> None:
    """Create one of a study's own questions, from number 0; its first candidate is the right one."""
    Question.objects.create(
        study=study,
        purpose=purpose,
        position=number,
        external_id=name_of(purpose, number),
        candidates_count=len(own.candidates),
        answer=0,
        **own._asdict(),
    )


@transaction.atomic
def write(
    *,
    question: Question,
    context: Sequence[dict[str, str]],
    candidates: Sequence[str],
    explanation: str = "",
    place: int | None = None,
    by: User,
) -> Question:
    """Write one of a draft's own questions in other words; its first candidate is the right one.

    `place`, from 1, is where the right candidate always is. Raises Refused for a question that is none, and once the
    study is open.
    """
    assert question.study is not None  # it is one of a study's own
    locked = locked_draft(question.study).own_questions.get(pk=question.pk)
    turns = [{"speaker": one_line(turn["speaker"]), "text": one_line(turn["text"])} for turn in context]
    lines = [one_line(line) for line in candidates if one_line(line)]
    _check(turns, lines, place)
    own = OwnQuestion([turn for turn in turns if turn["text"]], lines, normalise(explanation).strip(), place)
    if not is_as_first(locked, own):
        _store(locked, own)
        record(locked, became="written", scope=None, by=by)
    return locked


def _check(turns: list[dict[str, str]], lines: list[str], place: int | None) -> None:
    texts = [turn["text"] for turn in turns] + lines
    if not any(turn["text"] for turn in turns) or any(len(text) > LONGEST for text in texts):
        message = _("Not saved: write the conversation, a turn a line, each of at most %(most)s characters.")
        raise Refused("turns_wrong", message % {"most": LONGEST})
    if not FEWEST <= len(set(lines)) == len(lines) <= MOST:
        message = _("Not saved: write 2 to %(most)s different lines to choose from, the right one first.")
        raise Refused("lines_wrong", message % {"most": MOST})
    if place is not None and not 1 <= place <= len(lines):
        raise Refused("place_wrong", _("Not saved: the right line cannot be at a place that the list has not."))


def _store(question: Question, own: OwnQuestion) -> None:
    for name, value in own._asdict().items():
        setattr(question, name, value)
    question.candidates_count, question.answer = len(own.candidates), 0
    question.save()


def follow(study: Study, before: First) -> None:
    """Bring the own questions of a locked draft in line with its settings and question sets.

    A question that a person wrote stays. `before` are the default questions as they were before the change: a
    stored question equal to one of these was not written by a person.
    """
    for purpose, now in first_own_questions(study).items():
        stored = list(own_questions_of(study, purpose))
        was = before[purpose]
        for number, question in enumerate(stored):
            if number >= len(now):
                question.delete()
            elif number < len(was) and is_as_first(question, was[number]):
                _store(question, now[number])
        for number in range(len(stored), len(now)):
            _add(study, purpose, number, now[number])
