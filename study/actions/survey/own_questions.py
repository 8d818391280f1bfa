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
from study.selectors.survey.own_questions import asked_of, is_as_first, name_of, own_questions_of, ready_questions

FEWEST, MOST, LONGEST = 2, 100, 2_000  # candidates, and characters of a text
Ready = dict[QuestionPurpose, list[OwnQuestion]]


def add_all(study: Study) -> None:
    """Create the practice questions and the attention checks that the settings ask for, as many as are ready."""
    asked = asked_of(study)
    for purpose, ready in ready_questions(study).items():
        for number, own in enumerate(ready[: asked[purpose]]):
            _add(study, purpose, number, own)


def _add(study: Study, purpose: QuestionPurpose, number: int, own: OwnQuestion) -> Question:
    """Create one of a study's own questions, from number 0; its first candidate is the right one."""
    return Question.objects.create(
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
    own = _as_written(context, candidates, explanation, place)
    if not is_as_first(locked, own):
        _store(locked, own)
        record(locked, became="written", scope=None, by=by)
    return locked


@transaction.atomic
def append(
    *,
    study: Study,
    purpose: QuestionPurpose,
    context: Sequence[dict[str, str]],
    candidates: Sequence[str],
    explanation: str = "",
    place: int | None = None,
    by: User,
) -> Question:
    """Add a question to a draft's practice questions or checks, after the others; see `write`."""
    locked = locked_draft(study)
    own = _as_written(context, candidates, explanation, place)
    added = _add(locked, purpose, own_questions_of(locked, purpose).count(), own)
    record(added, became="written", scope=None, by=by)
    return added


@transaction.atomic
def delete(*, question: Question, by: User) -> None:
    """Delete one of a draft's own questions; those after it move up. Raises Refused once the study is open."""
    assert question.study is not None  # it is one of a study's own
    locked, purpose = locked_draft(question.study), QuestionPurpose(question.purpose)
    record(question, was="written", became="removed", scope=None, by=by)
    locked.own_questions.filter(pk=question.pk).delete()
    for number, each in enumerate(own_questions_of(locked, purpose)):
        each.position, each.external_id = number, name_of(purpose, number)
        each.save(update_fields=["position", "external_id"])


def _as_written(
    context: Sequence[dict[str, str]], candidates: Sequence[str], explanation: str, place: int | None
) -> OwnQuestion:
    turns = [{"speaker": one_line(turn["speaker"]), "text": one_line(turn["text"])} for turn in context]
    lines = [one_line(line) for line in candidates if one_line(line)]
    _check(turns, lines, place)
    return OwnQuestion([turn for turn in turns if turn["text"]], lines, normalise(explanation).strip(), place)


def _check(turns: list[dict[str, str]], lines: list[str], place: int | None) -> None:
    texts = [turn["text"] for turn in turns] + lines
    if not any(turn["text"] for turn in turns) or any(len(text) > LONGEST for text in texts):
        message = _("Not saved: write the conversation, one turn per line, each with at most %(most)s characters.")
        raise Refused("turns_wrong", message % {"most": LONGEST})
    if not FEWEST <= len(set(lines)) == len(lines) <= MOST:
        message = _("Not saved: write 2 to %(most)s different lines to choose from, the right one first.")
        raise Refused("lines_wrong", message % {"most": MOST})
    if place is not None and not 1 <= place <= len(lines):
        raise Refused("place_wrong", _("Not saved: the position of the right line is beyond the end of the list."))


def _store(question: Question, own: OwnQuestion) -> None:
    for name, value in own._asdict().items():
        setattr(question, name, value)
    question.candidates_count, question.answer = len(own.candidates), 0
    question.save()


def follow(study: Study, before: Ready) -> None:
    """Bring the own questions of a locked draft in line with its settings and question sets.

    A question that a person wrote stays. `before` are the ready ones as they were before the change: a stored question
    equal to one of these was not written by a person. Where more are asked for than are ready, a person writes them.
    """
    asked = asked_of(study)
    for purpose, ready in ready_questions(study).items():
        stored = list(own_questions_of(study, purpose))
        for question in stored[asked[purpose] :]:
            question.delete()
        kept, used = stored[: asked[purpose]], set()
        for question in kept:
            of_ready = (number for number, was in enumerate(before[purpose]) if is_as_first(question, was))
            if (number := next(of_ready, None)) is not None:
                used.add(number)
                _store(question, ready[number])
        spare = sorted(set(range(len(ready))) - used, key=lambda number: (number < len(kept), number))
        for place, number in zip(range(len(kept), asked[purpose]), spare, strict=False):
            _add(study, purpose, place, ready[number])
