"""Context of a participant's pages and of their preview. It never reveals which candidate is right."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from core.domain.text import candidate_texts
from study.domain.survey import clock
from study.domain.survey.phases import Phase
from study.forms.participants import MISSING, ConsentForm, DemographicsForm
from study.models import Participant, Presentation, Question, QuestionPurpose, Study
from study.presenters.presented import PresentedQuestion, as_drawn, shown
from study.presenters.survey_words import words
from study.presenters.visit import Visit
from study.selectors.survey import visits
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.own_questions import asked_of, own_questions_of
from study.selectors.survey.plans import CONSENT, INSTRUCTIONS, counting_questions, newest_text
from study.selectors.survey.visits import (
    has_more_practice,
    is_complete,
    practice_number,
    practice_of,
    presentations_of,
    reached,
)

FACT = re.compile(r"([^\s:：][^:：\n]{0,24})[:：]\s*(.+)", re.DOTALL)
MOST_LINKS = 100  # to questions on one page; beyond that to the empty ones alone
OTHERS = 60  # questions that a page is given besides its own: all of them, in a survey of usual length


@dataclass(frozen=True)
class KeptPerson:
    """A person of a browser that keeps several, on the page that asks which of them it is."""

    public_id: str
    progress: str


def paragraphs(text: str) -> dict[str, Any]:
    """Split a consent text into paragraphs and facts, which have the form “Time: …”."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    facts = [(part, FACT.fullmatch(part)) for part in parts]
    return {
        "plain": [part for part, fact in facts if not fact],
        "facts": [fact.groups() for _part, fact in facts if fact],
    }


def question_context(visit: Visit, asked: Presentation) -> dict[str, Any]:
    """Return the context of study/survey/take/question.html: one question, and the script's first state."""
    participant, position, count = visit.person, asked.position, asked.asked_count
    left = time_left(participant)
    minutes = left["minutes_left"] or 0
    return {
        **common(visit),
        "question": shown(asked, visit.study),
        "where": _("Question %(position)s of %(count)s") % {"position": position, "count": count},
        "position": position,
        "count": count,
        "answered": position - 1,
        "done": _("%(answered)s of %(count)s answered") % {"answered": position - 1, "count": count},
        **left,
        "left": ngettext("%(counter)s min left", "%(counter)s min left", minutes) % {"counter": minutes},
        "page_state": {
            "base": reverse("take", args=[visit.group.token]),
            "others": f"{reverse('take_others', args=[visit.group.token, position])}?person={participant.public_id}",
            "person": str(participant.public_id),
            "whose": visit.whose,
            **outbox_state(participant),
            "position": position,
            "count": count,
            "secondsLeft": left["seconds_left"],
            "notesBehaviour": visit.study.notes_behaviour,
            "notesScreen": visit.study.notes_screen,
            "words": words(get_language(), has_deadline=participant.deadline_at is not None),
        },
    }


def others_of(asked: Presentation) -> list[PresentedQuestion]:
    """Return the other questions of a person, from the next one on, as the script of the page keeps them."""
    presentations, position, study = presentations_of(asked.participant), asked.position, asked.participant.study
    return [shown(each, study) for each in [*presentations[position:], *presentations[: position - 1]][:OTHERS]]


def outbox_state(participant: Participant) -> dict[str, Any]:
    """Return what a script needs to know of the answers that a browser keeps."""
    return {"outbox": f"survey/{participant.public_id}", "lateSeconds": int(clock.LATE.total_seconds())}


def practice_context(visit: Visit, message: str) -> dict[str, Any]:
    """Return the context of study/survey/take/practice.html; once answered, with the right line, which no other
    question reveals.
    """
    presentation, given = practice_of(visit.person), visit.person.practice
    question, instructions = presentation.question, newest_text(visit.study, INSTRUCTIONS).text
    return {
        **common(visit),
        "question": shown(presentation, visit.study, [given.get("first"), given.get("second")]),
        "instructions": paragraphs(instructions),
        "message": message or MISSING[visit.study.survey.answer],
        "is_refused": bool(message),
        "is_practised": "first" in given,
        "explanation": question.explanation,
        "number": practice_number(visit.person),
        "count": visit.study.survey.practice,
        "has_more": has_more_practice(visit.person),
        "is_right": given.get("first") == question.answer,
        "right": candidate_texts(question.candidates).texts[question.answer or 0],
        "minutes": visit.study.survey.minutes,
    }


def finish_context(visit: Visit, *, asks: bool = False) -> dict[str, Any]:
    """Return the context of study/survey/take/finish.html, with the positions of questions that are still empty.

    `reached` are the positions of those that were seen, each with whether it is empty; `to_come` is how many were not.
    With `asks` the page asks whether to finish without them. Signed-in people come back on another day instead: they
    finish once they have seen all questions.
    """
    asked = presentations_of(visit.person)
    open_ = [each.position for each in asked if not is_complete(each, visit.study)]
    seen = [each.position for each in asked if each.shown_at or hasattr(each, "answer")]
    may_finish = not visit.account or len(seen) == len(asked)
    links = seen if len(seen) <= MOST_LINKS else [position for position in seen if position in {*open_}]
    return {
        **common(visit),
        "open": open_,
        "reached": [(position, position in open_) for position in links],
        "to_come": len(asked) - len(seen),
        "asks": asks and bool(open_) and may_finish,
        "may_finish": may_finish,
        "next": min(reached(asked, visit.study), len(asked)),
        "count": len(asked),
        "done": len(asked) - len(open_),
        "minimum": visit.study.survey.minimum_answers,
        "needs_some": visit.study.survey.unanswered_check and visit.study.survey.checks_asked > 0,
        **time_left(visit.person),
    }


def common(visit: Visit) -> dict[str, Any]:
    survey = visit.study.survey
    asked = {"study": visit.study, "answer": survey.answer, "is_signed_in": survey.is_signed_in}
    return {**asked, "group": visit.group, "participant": visit.participant, "whose": visit.whose}


def again_context(visit: Visit) -> dict[str, Any]:
    """Return the context of study/survey/take/again.html, of several people with what tells them apart."""
    has_ended = visit.has_withdrawn() or visit.phase == Phase.END
    return {**common(visit.by_stranger()), "has_ended": has_ended, "people": _kept(visit) if visit.is_shared else []}


def _kept(visit: Visit) -> list[KeptPerson]:
    """Return the people whom the browser keeps, in the order in which they began, without anything that they said."""
    counts = visits.counts_of(visit.people)
    people = sorted(visit.people, key=lambda each: each.joined_at)
    return [KeptPerson(str(each.public_id), _progress(each, *counts.get(each.pk, (0, 0)))) for each in people]


def _progress(person: Participant, count: int, answered: int) -> str:
    ended_at = person.ended_at or person.deadline_at
    if visits.phase(person) == Phase.END and ended_at:
        return _("Finished at %(time)s") % {"time": _time(ended_at)}
    told = {"time": _time(person.started_at or person.joined_at), "answered": answered, "count": count}
    return (_("Started at %(time)s, %(answered)s of %(count)s answered") if count else _("Started at %(time)s")) % told


def _time(moment: datetime) -> str:
    """Return the time of day, and the date unless it is today's."""
    local = timezone.localtime(moment)
    time = date_format(local, "H:i")
    return time if local.date() == timezone.localdate() else f"{date_format(local)} {time}"


def time_left(participant: Participant) -> dict[str, Any]:
    """Return the time left: seconds for the script, whole minutes for people, rounded up so that 0 means 0."""
    seconds = clock.seconds_left(participant.deadline_at, participant.now())
    if seconds is None:
        return {"seconds_left": None, "minutes_left": None, "is_short": False}
    is_short = seconds <= clock.LAST_MINUTES.total_seconds()
    return {"seconds_left": seconds, "minutes_left": -(-seconds // 60), "is_short": is_short}


def preview_of(study: Study, step: str) -> dict[str, Any] | None:
    """Return what a step of the preview shows, and the step after it; None where there is no such step."""
    own = {
        question.external_id: question
        for purpose, count in asked_of(study).items()
        for question in own_questions_of(study, purpose)[:count]
    }
    questions = counting_questions(study).order_by("question_set__name", "position")
    count = questions.count()
    steps = _steps_of_preview(own.values(), count)
    if step not in steps:
        return None
    page = {"after": steps[step]}
    if step == "consent":
        return page | {"text": paragraphs(newest_text(study, CONSENT).text), "form": ConsentForm()}
    if step == "about":
        return page | {"form": DemographicsForm(demographics_of(study))}
    if question := own.get(step):
        is_first = steps["about"] == step
        told = paragraphs(newest_text(study, INSTRUCTIONS).text) if is_first else None
        return page | {"question": as_drawn(question, study), "purpose": question.purpose, "instructions": told}
    return page | {"question": as_drawn(questions[int(step) - 1], study), "number": int(step), "count": count}


def _steps_of_preview(own: Collection[Question], count: int) -> dict[str, str]:
    """Return each step with the one after it; checks come after the first question, so that one sees them beside it."""
    practice, checks = (
        [each.external_id for each in own if each.purpose == purpose]
        for purpose in (QuestionPurpose.PRACTICE, QuestionPurpose.CHECK)
    )
    numbers = [str(number) for number in range(1, count + 1)]
    steps = ["consent", "about", *practice, *numbers[:1], *checks, *numbers[1:]]
    return dict(zip(steps, [*steps[1:], ""], strict=True))
