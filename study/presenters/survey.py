"""Context of a participant's pages. It never reveals which candidate is right."""

import re
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.domain.draws import uniforms
from study.domain.survey import clock
from study.models import Participant, Presentation, Question
from study.presenters.visit import Visit
from study.selectors.survey.visits import is_complete

FACT = re.compile(r"([^\s:：][^:：\n]{0,24})[:：]\s*(.+)", re.DOTALL)
ONE_AND_SEVERAL = (1, 2)
OTHERS = 60  # questions in the page besides the visible one: all of them, in a survey of usual length


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
    """A candidate as it is shown, `number` from 1 in the person's own order."""

    number: int
    token: str
    text: str
    is_first: bool
    is_second: bool


@dataclass(frozen=True)
class PresentedQuestion:
    """A question as one person sees it."""

    position: int
    turns: list[PresentedTurn]
    gap: PresentedTurn
    lines: list[CandidateLine]


def shown(presentation: Presentation, first: int | None = None, second: int | None = None) -> PresentedQuestion:
    """Return the question with the person's choices marked: those of the stored answer, else those given."""
    answer = getattr(presentation, "answer", None)
    chosen = (answer.first, answer.second) if answer else (first, second)
    texts, pairs = presentation.question.candidates, zip(presentation.order, presentation.tokens, strict=True)
    lines = [
        CandidateLine(index, token, texts[number], number == chosen[0], number == chosen[1])
        for index, (number, token) in enumerate(pairs, start=1)
    ]
    turns, gap = turns_of(presentation.question.context)
    return PresentedQuestion(presentation.position, turns, gap, lines)


def as_drawn(question: Question, seed: int) -> PresentedQuestion:
    """Return a question as it would be shown, for the preview of a study."""
    numbers = range(question.candidates_count)
    order = sorted(numbers, key=lambda number: uniforms(seed, "preview", question.external_id, str(number)))
    tokens = [f"preview-{index}" for index in numbers]
    return shown(Presentation(question=question, position=question.position, order=order, tokens=tokens))


def turns_of(context: list[dict[str, str]]) -> tuple[list[PresentedTurn], PresentedTurn]:
    """Return the turns of a context and the gap after them, which belongs to the other of two speakers.

    Without names of speakers the turns alternate; with three or more the gap has no speaker.
    """
    names = [turn.get("speaker", "") for turn in context]
    if len(set(names)) < 2:
        names = [str(index % 2) for index in range(len(context))]
    speakers = list(dict.fromkeys([*names, "0", "1"]))[: max(2, len(set(names)))]
    indices = [speakers.index(name) for name in names]
    turns = [
        PresentedTurn(_letter(index), turn["text"], is_other=index % 2 == 1)
        for index, turn in zip(indices, context, strict=True)
    ]
    following = 1 - indices[-1] if indices and len(set(indices)) <= 2 else 0
    letter = _letter(following) if len(set(indices)) <= 2 else ""
    return turns, PresentedTurn(letter, "", is_other=following == 1)


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


def question_context(visit: Visit, presentations: list[Presentation], position: int) -> dict[str, Any]:
    """Return the context of study/survey/take/question.html.

    It has the question at `position`, others around it, and the script's first state.
    """
    participant = visit.participant
    assert participant is not None
    others = [*presentations[position:], *presentations[: position - 1]][:OTHERS]  # the next ones first
    base = reverse("take", args=[visit.group.token])
    return {
        **common(visit),
        "question": shown(presentations[position - 1]),
        "others": [shown(each) for each in others],
        "position": position,
        "count": len(presentations),
        "answered": position - 1,
        **time_left(participant),
        "page_state": {
            "base": base,
            "outbox": f"survey/{participant.public_id}",
            "position": position,
            "count": len(presentations),
            "secondsLeft": time_left(participant)["seconds_left"],
            "complete": [each.position for each in presentations if is_complete(each)],
            "words": _words(),
        },
    }


def common(visit: Visit) -> dict[str, Any]:
    return {"study": visit.study, "group": visit.group, "participant": visit.participant}


def time_left(participant: Participant) -> dict[str, Any]:
    """Return the time left: seconds for the script, whole minutes for people, rounded up so that 0 means 0."""
    seconds = clock.seconds_left(participant.deadline_at, timezone.now())
    if seconds is None:
        return {"seconds_left": None, "minutes_left": None, "is_short": False}
    is_short = seconds <= clock.LAST_MINUTES.total_seconds()
    return {"seconds_left": seconds, "minutes_left": -(-seconds // 60), "is_short": is_short}


def _words() -> dict[str, Any]:
    """Return the script's texts. A pair is for one and for several; the script fills in {braces}."""
    return {
        "saved": _("Saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("{count} to send"),
        "title": _("Question {position} of {count}"),
        "answered": _("{answered} of {count} answered"),
        "minutes": [ngettext("{count} min left", "{count} min left", count) for count in ONE_AND_SEVERAL],
        "lastMinutes": _("The last five minutes have begun."),
        "offline": [
            ngettext(
                "You can go on: {count} answer is kept on this device and sent when you are back. The clock runs on.",
                "You can go on: {count} answers are kept on this device and sent when you are back. The clock runs on.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineNone": _("You can go on: answers are kept on this device until you are back. The clock runs on."),
        "arrived": [ngettext("It has arrived.", "All {count} have arrived.", count) for count in ONE_AND_SEVERAL],
        "onTheWay": [
            ngettext(
                "{count} answer is still on its way. Keep this page open.",
                "{count} answers are still on their way. Keep this page open.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "refused": _("Not saved: the server did not take this answer. Choose again."),
    }
