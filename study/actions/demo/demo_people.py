"""Forty simulated people who take the sample survey, through the same actions as a browser's requests."""

from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from core.domain.draws import uniforms
from study.actions.survey import answers, participants
from study.domain.survey import clock, simulation
from study.domain.survey.phases import ParticipantState
from study.models import Answer, Participant, Presentation, Question, QuestionPurpose, Study

SEED = 0
NUMBERS = {"crowd": 28, "lab": 12}
CAREFUL = "lab"  # read a question again where the first look misleads them
SLOW = {"crowd-9", "crowd-23", "lab-7"}  # run out of time before they finish
REACHED = 0.6  # share of the questions that they reach
INATTENTIVE = "crowd-20"
WITHDRAWN = "crowd-16"
FIRST_CHOICE_ALONE = 0.05
ABOUT = {  # what they say about themselves; frequent answers are listed more than once
    "gender": ("female", "male"),
    "age": ("18-20", "21-30", "21-30", "31-40", "31-40", "41-55", "55+"),
    "english": ("intermediate", "advanced", "advanced", "fluent", "fluent", "fluent"),
    "education": ("high_school", "bachelor", "bachelor", "bachelor", "master", "doctorate"),
    "ubuntu": ("never", "never", "never", "basic", "basic", "intermediate", "expert"),
}
DAYS, APART = 3, timedelta(minutes=97)


def take(study: Study) -> None:
    """Let all take the survey, spread over three days; at the end the time of the slow ones is up."""
    began = timezone.now() - timedelta(days=DAYS)
    Study.objects.filter(pk=study.pk).update(opened_at=began)
    for group in study.groups.order_by("name"):
        for number in range(1, NUMBERS[group.name] + 1):
            participant, secret = participants.join(group=group)
            participants.mark_simulated(secret=secret, study=study)
            _answer(participant, f"{group.name}-{number}")
            _date(participant, began + number * APART)
    participants.close_overdue()
    study.participants.filter(state=ParticipantState.TIMED_OUT).update(ended_at=F("deadline_at"))


def _answer(participant: Participant, name: str) -> None:
    about = {asked: said[int(_draw(name, asked) * len(said))] for asked, said in ABOUT.items()}
    participants.describe(participant=participant, demographics=about)
    participants.practise(participant=participant, first=0, second=1)
    participant = participants.start(participant=participant)
    for presentation in participant.presentations.filter(position__gte=1).select_related("question"):
        question = presentation.question
        if name not in SLOW or _draw(name, "reached", question.external_id) < REACHED:
            first, second = _choices(name, question)
            answers.give(
                presentation=presentation,
                ranking=[first] if second is None else [first, second],
                milliseconds=_milliseconds(name, question),
                participant=participant,
            )
    if name == WITHDRAWN:
        participants.withdraw(participant=participant)
    elif name not in SLOW:
        participants.finish(participant=participant)


def _choices(name: str, question: Question) -> tuple[int, int | None]:
    right, lines = question.answer or 0, question.candidates_count
    if question.purpose == QuestionPurpose.CHECK:
        return (right + 1 if name == INATTENTIVE else right), None
    first, second = simulation.choices(SEED, name, question.external_id, lines=lines, right=right, is_check=False)
    if first != right and name.startswith(CAREFUL):
        again = question.external_id + ", read again"
        first, second = simulation.choices(SEED, name, again, lines=lines, right=right, is_check=False)
    return first, None if _draw(name, "stops", question.external_id) < FIRST_CHOICE_ALONE else second


def _milliseconds(name: str, question: Question) -> int:
    once = simulation.milliseconds(SEED, name, question.external_id)
    return once * 3 // 2 if name.startswith(CAREFUL) else once


def _draw(*names: str) -> float:
    return uniforms(SEED, *names)[0]


def _date(participant: Participant, began: datetime) -> None:
    """Set the times of a reading person, because the actions ran within a moment."""
    moment = began
    presentations = list(participant.presentations.filter(position__gte=1).select_related("answer"))
    given = []
    for presentation in presentations:
        presentation.shown_at = moment
        if hasattr(presentation, "answer"):
            moment += timedelta(milliseconds=presentation.answer.milliseconds or 0)
            presentation.answer.answered_at = moment
            given.append(presentation.answer)
    Presentation.objects.bulk_update(presentations, ["shown_at"])
    Answer.objects.bulk_update(given, ["answered_at"])
    of_person = Participant.objects.filter(pk=participant.pk)
    of_person.update(joined_at=began - timedelta(minutes=2))
    deadline_at = clock.deadline(began, participant.study.survey.minutes)
    of_person.exclude(started_at=None).update(started_at=began, deadline_at=deadline_at, boot="")
    of_person.exclude(ended_at=None).update(ended_at=moment)
