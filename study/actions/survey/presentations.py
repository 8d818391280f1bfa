"""Questions as they are put to one participant: which, in which order, with the candidates in which order."""

import secrets
from collections.abc import Mapping

from django.db.models import Q

from core.domain.draws import uniforms
from study.models import FormQuestion, Participant, Presentation, Question, QuestionPurpose
from study.selectors.survey.own_questions import own_questions_of
from study.selectors.survey.visits import PRACTICE_POSITION


def present_practice(participant: Participant) -> None:
    """Put the next practice question before a person."""
    practice = own_questions_of(participant.study, QuestionPurpose.PRACTICE)
    _present(participant, {PRACTICE_POSITION: practice[len(participant.practice.get("before", []))]})


def present_questions(participant: Participant) -> None:
    """Put the questions of a person's form before them, with the checks."""
    _present(participant, dict(enumerate(_questions_for(participant), start=1)))


def _questions_for(participant: Participant) -> list[Question]:
    """Return the form's questions and the check, in an order drawn for this person."""
    study, person = participant.study, str(participant.public_id)
    asked = FormQuestion.objects.filter(study=study, form=participant.form or 0).values("question")
    checks = Q(study=study, purpose=QuestionPurpose.CHECK)
    questions = Question.objects.select_related("question_set").filter(Q(pk__in=asked) | checks)
    return sorted(
        questions, key=lambda question: uniforms(study.seed, "questions", study.secret, person, _name(question))
    )


def _present(participant: Participant, questions: Mapping[int, Question]) -> None:
    Presentation.objects.bulk_create(
        Presentation(
            participant=participant,
            question=question,
            position=position,
            condition=question.condition,
            order=_order(participant, question),
            tokens=[secrets.token_urlsafe(6) for _token in question.candidates],
        )
        for position, question in questions.items()
    )


def _order(participant: Participant, question: Question) -> list[int]:
    """Return the candidates' numbers in the order this person sees, drawn by the study's secret and names.

    The right one of a check that asks for a place is there for everyone.
    """
    study, names = participant.study, (str(participant.public_id), _name(question))
    numbers = range(question.candidates_count)
    order = sorted(numbers, key=lambda number: uniforms(study.seed, "candidates", study.secret, *names, str(number)))
    if question.place is not None and question.answer is not None:
        order.remove(question.answer)
        order.insert(question.place - 1, question.answer)
    return order


def _name(question: Question) -> str:
    return f"{question.question_set.name if question.question_set else ''}/{question.external_id}"
