"""Context of a participant's pages and of their preview. It never reveals which candidate is right."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from core.domain.draws import uniforms
from core.domain.text import candidate_texts
from study.domain.survey import clock
from study.domain.survey.phases import Phase
from study.forms.participants import ConsentForm, DemographicsForm
from study.models import Participant, Presentation, Question, QuestionPurpose, Study
from study.presenters.survey_words import words
from study.presenters.visit import Visit
from study.selectors.survey import visits
from study.selectors.survey.plans import CONSENT, INSTRUCTIONS, counting_questions, newest_text
from study.selectors.survey.visits import is_complete, practice_of, presentations_of

FACT = re.compile(r"([^\s:：][^:：\n]{0,24})[:：]\s*(.+)", re.DOTALL)
OTHERS = 60  # questions that a page is given besides its own: all of them, in a survey of usual length


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
    """A candidate as it is shown, `number` from 1 in the person's own order. Its two buttons have names."""

    number: int
    token: str
    text: str
    is_first: bool
    is_second: bool
    as_first: str
    as_second: str


@dataclass(frozen=True)
class PresentedQuestion:
    """A question as one person sees it."""

    position: int
    turns: list[PresentedTurn]
    gap: PresentedTurn
    lines: list[CandidateLine]


@dataclass(frozen=True)
class KeptPerson:
    """A person of a browser that keeps several, on the page that asks which of them it is."""

    public_id: str
    progress: str


def shown(presentation: Presentation, first: int | None = None, second: int | None = None) -> PresentedQuestion:
    """Return the question with the person's choices marked: those of the stored answer, else those given."""
    answer, question = getattr(presentation, "answer", None), presentation.question
    chosen = (answer.first, answer.second) if answer else (first, second)
    candidates, pairs = candidate_texts(question.candidates), zip(presentation.order, presentation.tokens, strict=True)
    as_first, as_second = _("First choice: %(text)s"), _("Second choice: %(text)s")
    lines = [
        CandidateLine(
            index,
            token,
            text := candidates.texts[number],
            number == chosen[0],
            number == chosen[1],
            as_first % {"text": text},
            as_second % {"text": text},
        )
        for index, (number, token) in enumerate(pairs, start=1)
    ]
    turns, gap = turns_of(question.context, candidates.speaker)
    return PresentedQuestion(presentation.position, turns, gap, lines)


def as_drawn(question: Question, seed: int) -> PresentedQuestion:
    """Return a question as it would be shown, for the preview of a study."""
    numbers = range(question.candidates_count)
    order = sorted(numbers, key=lambda number: uniforms(seed, "preview", question.external_id, str(number)))
    tokens = [f"preview-{index}" for index in numbers]
    return shown(Presentation(question=question, position=question.position, order=order, tokens=tokens))


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
        "question": shown(asked),
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
            "words": words(get_language(), has_deadline=participant.deadline_at is not None),
        },
    }


def others_of(asked: Presentation) -> list[PresentedQuestion]:
    """Return the other questions of a person, from the next one on, as the script of the page keeps them."""
    presentations, position = presentations_of(asked.participant), asked.position
    return [shown(each) for each in [*presentations[position:], *presentations[: position - 1]][:OTHERS]]


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
        "question": shown(presentation, given.get("first"), given.get("second")),
        "instructions": paragraphs(instructions),
        "message": message,
        "is_practised": bool(given),
        "is_right": given.get("first") == question.answer,
        "right": candidate_texts(question.candidates).texts[question.answer or 0],
        "minutes": visit.study.survey.minutes,
    }


def finish_context(visit: Visit) -> dict[str, Any]:
    """Return the context of study/survey/take/finish.html, with the positions of questions that are still empty."""
    asked = presentations_of(visit.person)
    open_ = [each.position for each in asked if not is_complete(each)]
    return {
        **common(visit),
        "open": open_,
        "count": len(asked),
        "done": len(asked) - len(open_),
        "minimum": visit.study.survey.minimum_answers,
        **time_left(visit.person),
    }


def common(visit: Visit) -> dict[str, Any]:
    return {"study": visit.study, "group": visit.group, "participant": visit.participant, "whose": visit.whose}


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
    return (_("Begun at %(time)s, %(answered)s of %(count)s answered") if count else _("Begun at %(time)s")) % told


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
    if step == "consent":
        text = paragraphs(newest_text(study, CONSENT).text)
        return {"text": text, "form": ConsentForm(), "after": "about"}
    if step == "about":
        return {"form": DemographicsForm(), "after": "practice"}
    if step == "practice":
        question = study.own_questions.get(purpose=QuestionPurpose.PRACTICE)
        told = paragraphs(newest_text(study, INSTRUCTIONS).text)
        return {"question": as_drawn(question, study.seed), "instructions": told, "after": "1"}
    questions = counting_questions(study).order_by("question_set__name", "position")
    count = questions.count()
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 7 else 0
    if not 0 < number <= count:
        return None
    after = str(number + 1) if number < count else ""
    return {"question": as_drawn(questions[number - 1], study.seed), "after": after, "number": number, "count": count}
