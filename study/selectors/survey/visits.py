"""Participants by their browser's secret, and their position in the survey."""

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from core.selectors.prepared import PreparedRead
from study.domain.results import ranks
from study.domain.survey import clock
from study.domain.survey.keys import KeyKind, digest_of, resume_secret
from study.domain.survey.phases import ParticipantState, Phase, VisitOutcome, phase_of
from study.models import Participant, ParticipantKey, Presentation, QuestionPurpose, Study
from study.models.answers import GivenChoices
from study.selectors.survey.demographics import demographics_of

PRACTICE_POSITION = 0
ASKED = {"position__gt": PRACTICE_POSITION}
KEY_OF_PERSON, KEY_OF_ASKED = {"digest": F("keys__digest")}, {"digest": F("participant__keys__digest")}


def with_counts(presentations: QuerySet[Presentation]) -> QuerySet[Presentation]:
    """Add how many questions the person is asked, and how many of them they were shown."""
    own = Presentation.objects.filter(participant=OuterRef("participant"), **ASKED).order_by().values("participant")
    counts = {"asked_count": Count("pk"), "shown_count": Count("shown_at")}
    counted = {name: Subquery(own.annotate(**{name: count}).values(name)) for name, count in counts.items()}
    return presentations.annotate(**counted).order_by()


@PreparedRead
def people_at(link: str, digests: Collection[str]) -> QuerySet[Participant]:
    """Return the people of a link's study who hold one of these secrets, with their study and group."""
    rows = Participant.objects.select_related("study", "group").defer("study__plan")
    held = {"keys__digest__in": digests, "keys__revoked_at": None}
    found = rows.filter(**held, study__is_imported=False, study__groups__token=link)
    return found.annotate(**KEY_OF_PERSON)


@PreparedRead
def asked_at(link: str, position: int, digests: Collection[str]) -> QuerySet[Presentation]:
    """Return a question as it is put to the people whom `people_at` finds, with its answer, them and their study."""
    rows = Presentation.objects.select_related("participant__study", "participant__group", "question", "answer")
    held = {"participant__keys__digest__in": digests, "participant__keys__revoked_at": None}
    found = rows.filter(position=position, participant__study__groups__token=link, **held, **ASKED)
    return with_counts(found.annotate(**KEY_OF_ASKED).defer("participant__study__plan"))


def holder_of_link(study: Study, secret: str) -> Participant | None:
    """Return the person whose resume link has this secret."""
    held = ParticipantKey.objects.filter(kind=KeyKind.RESUME, digest=digest_of(secret), revoked_at=None)
    return Participant.objects.filter(study=study, keys__in=held).first()


def has_link(secret: str) -> bool:
    """Return whether a resume link belongs to this browser's secret."""
    return ParticipantKey.objects.filter(digest=digest_of(resume_secret(secret)), revoked_at=None).exists()


def has_withdrawn(study: Study, public_id: str) -> bool:
    """Return whether the person whom a page calls so has withdrawn from the study."""
    withdrawn = Participant.objects.filter(study=study, state=ParticipantState.WITHDRAWN)
    with suppress(ValueError):  # a page can send anything
        return withdrawn.filter(public_id=UUID(public_id)).exists()
    return False


@PreparedRead
def answers_at(pk: int) -> QuerySet[Presentation]:
    """Return a question that was put to a person, with the answers to it that are stored, in time and late.

    `elsewhere` are the milliseconds at their other questions, None where none are known.
    """
    rows = Presentation.objects.select_related("answer", "late_answer").defer("order", "tokens")
    others = Presentation.objects.filter(participant=OuterRef("participant")).exclude(pk=OuterRef("pk")).order_by()
    total = Sum(Coalesce("late_answer__milliseconds", "answer__milliseconds"))
    spent = {"elsewhere": Subquery(others.values("participant").annotate(spent=total).values("spent"))}
    return with_counts(rows.filter(pk=pk)).annotate(**spent)


@PreparedRead
def locked_row(pk: int) -> QuerySet[Participant]:
    """Return what requests change of a participant, with the row locked."""
    return Participant.objects.only("state", "deadline_at", "ended_at").filter(pk=pk).select_for_update(no_key=True)


def presentations_of(participant: Participant) -> list[Presentation]:
    """Return the questions shown to a person, in their order, with their current answers."""
    rows = Presentation.objects.filter(participant=participant, **ASKED)
    return list(rows.select_related("question", "answer", "late_answer").order_by("position"))


def counts_of(people: Collection[Participant]) -> dict[int, tuple[int, int]]:
    """Return how many questions each person is asked, and how many of them they have answered."""
    rows = Presentation.objects.filter(participant__in=people, **ASKED).order_by().values_list("participant")
    return {pk: (count, answered) for pk, count, answered in rows.annotate(Count("pk"), Count("answer"))}


def progress_of(presentations: list[Presentation], study: Study) -> tuple[int, int]:
    """Return how many of a person's questions are answered as far as the study asks, and how many there are."""
    return sum(is_complete(each, study) for each in presentations), len(presentations)


def reached(presentations: list[Presentation], study: Study) -> int:
    """Return the position to continue at: the last one shown, or the next one when that is answered in full.

    It is one more than the number of questions when all are done.
    """
    shown = [each for each in presentations if each.shown_at]
    if not shown:
        return 1
    last = shown[-1]
    return last.position + is_complete(last, study)


def is_complete(presentation: Presentation, study: Study) -> bool:
    """Return whether a question is answered as far as the study asks."""
    answer = getattr(presentation, "answer", None)
    return answer is not None and is_whole(answer, presentation, study)


def is_whole(answer: GivenChoices, presentation: Presentation, study: Study) -> bool:
    """Return whether an answer has as many ranks as the study asks for."""
    return answer.depth >= ranks.wanted(study.survey.answer, len(presentation.order))


def phase(person: Participant) -> Phase:
    """Return the phase that a person is in now."""
    is_time_up = clock.is_over(person.deadline_at, person.now())
    state = ParticipantState(person.state)
    is_new = state == ParticipantState.CONSENTED and not person.demographics
    has_demographics = not (is_new and demographics_of(person.study))  # a study may ask none
    return phase_of(state, is_time_up=is_time_up, has_demographics=has_demographics)


def outcome_of(person: Participant) -> VisitOutcome:
    """Return the outcome; past the deadline it is that of the deadline, even before the server has stored it."""
    is_stored = person.state != ParticipantState.ANSWERING
    return VisitOutcome(person.state if is_stored else outcome_at_deadline(person))


def outcome_at_deadline(person: Participant) -> ParticipantState:
    """Return how the survey of a person ends whose time runs out."""
    return ParticipantState.TOO_FEW_ANSWERS if has_too_few_answers(person) else ParticipantState.TIMED_OUT


def has_too_few_answers(person: Participant) -> bool:
    """Return whether fewer questions that count are answered, in time or late, than the plan wants."""
    answered = Q(answer__isnull=False) | Q(late_answer__isnull=False)
    counting = person.presentations.filter(answered, question__purpose=QuestionPurpose.WORK)
    return counting.count() < person.study.survey.minimum_answers


def practice_number(person: Participant) -> int:
    """Return which practice question a person is at, from 1."""
    return len(person.practice.get("before", [])) + 1


def has_more_practice(person: Participant) -> bool:
    return practice_number(person) < person.study.survey.practice


def practice_of(person: Participant) -> Presentation:
    rows = person.presentations.select_related("question")
    return rows.get(position=PRACTICE_POSITION)
