"""Studies, people and answers that tests start from, made through the actions."""

from uuid import uuid4

from django.db.models import F

from core.actions import names
from core.models import User
from study.actions.survey import answers, participants, studies
from study.models import Participant, Presentation, Question, QuestionPurpose, QuestionSet, Study
from study.models.answers import GivenChoices


def question_set(
    name: str, count: int, *, by: User, corpora: tuple[str, ...] = ("movie",), candidates: int = 5, seed: int = 0
) -> QuestionSet:
    """Create questions whose right candidate is number `position % candidates`. Each text names its question, so that
    none is a duplicate.
    """
    names.claim(name, "questions")
    drawn = QuestionSet.objects.create(
        name=name,
        seed=seed,
        recipe={"sources": [{"name": corpus} for corpus in corpora]},
        checksum=f"{count:064d}",
        created_by=by,
    )
    Question.objects.bulk_create(
        Question(
            question_set=drawn,
            position=index,
            external_id=f"q{index}",
            corpus=corpora[index % len(corpora)],
            context=[
                {"speaker": "A", "text": f"Where does train {index} stop?"},
                {"speaker": "B", "text": f"At platform {index}, as always."},
                {"speaker": "A", "text": f"And when is number {index} here?"},
            ],
            candidates=[f"In {minutes + 2} minutes, says board {index}." for minutes in range(candidates)],
            candidates_count=candidates,
            answer=index % candidates,
        )
        for index in range(count)
    )
    return drawn


def add_conditions(drawn: QuestionSet, *conditions: str) -> None:
    """Ask each question of a set in these conditions too."""
    rows = list(drawn.questions.order_by("position"))
    Question.objects.bulk_create(
        Question(
            question_set=drawn,
            position=len(rows) * number + row.position,
            external_id=f"{row.external_id}@{condition}",
            whole_id=row.external_id,
            condition=condition,
            corpus=row.corpus,
            context=row.context[1:],
            candidates=row.candidates,
            candidates_count=row.candidates_count,
            answer=row.answer,
        )
        for number, condition in enumerate(conditions, start=1)
        for row in rows
    )


def study(slug: str, *, by: User, questions: int = 12, is_open: bool = True, **details: object) -> Study:
    """Create a study with a question set of its own, with forms of four questions unless `settings` say otherwise."""
    drawn = question_set(f"{slug}-questions", questions, by=by)
    settings = {"forms": 2, "per_form": 4, **details.pop("settings", {})}
    details |= {"groups": details["groups"].items()} if "groups" in details else {}
    made = studies.create(slug=slug, question_sets=[drawn], settings=settings, by=by, **details)
    return studies.open_(study=made, reason="Written for tests.", by=by) if is_open else made


def sample_study(*, by: User) -> Study:
    """Create an open study in Chinese that one person has begun."""
    study_ = study("sample-study", by=by, language="zh-hans", title="对话的下一句")
    begun(study_)
    return study_


def joined(study: Study, group: str = "crowd") -> Participant:
    person, _secret = participants.join(group=study.groups.get(name=group))
    return person


def begun(study: Study, group: str = "crowd") -> Participant:
    """Return a participant before their first question."""
    person = joined(study, group)
    participants.describe(participant=person, demographics={})
    participants.practise(participant=person, first=0, second=1)
    return participants.start(participant=person)


def spend(person: Participant, *, seconds: int) -> None:
    """Let time pass by a participant's clock."""
    Participant.objects.filter(pk=person.pk).update(began_at_uptime=F("began_at_uptime") - seconds)
    person.refresh_from_db(fields=["began_at_uptime"])


def finished(study: Study, group: str = "crowd") -> Participant:
    """Return a participant who answered a question and the check rightly, and finished."""
    person = begun(study, group)
    for presentation in (counting(person)[0], check_of(person)):
        right = presentation.question.answer or 0
        answer(presentation, right, 1 - right if right < 2 else 0)
    return participants.finish(participant=person)


def counting(person: Participant) -> list[Presentation]:
    """Return the person's questions that count, in their order."""
    return list(person.presentations.filter(question__purpose=QuestionPurpose.WORK).select_related("question"))


def check_of(person: Participant) -> Presentation:
    return person.presentations.select_related("question").get(question__purpose=QuestionPurpose.CHECK)


def answer(
    presentation: Presentation, first: int | None, second: int | None = None, **details: object
) -> GivenChoices | None:
    person = presentation.participant
    given = {"key": uuid4(), **details}
    chosen = [number for number in (first, second) if number is not None]
    return answers.give(presentation=presentation, ranking=chosen, participant=person, **given)
