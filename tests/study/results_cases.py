"""Studies with answers, made quickly, for the tests of results."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.utils import timezone

from core.actions import names
from core.models import Role, User
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import (
    Answer,
    Participant,
    Prediction,
    Presentation,
    Question,
    QuestionPurpose,
    QuestionSet,
    Run,
    Study,
    StudyGroup,
    StudyMembership,
)
from study.selectors.runs.sources import instance_of

# METHODS' worked example: eight people (rows), ten questions, 1 is right.
EXAMPLE_A = [
    "1110111011",
    "1111110111",
    "0110101001",
    "1111111111",
    "1010111010",
    "0111101101",
    "1100101000",
    "1111011111",
]


def answers_file(folder: Path, header: str, rows: Iterable[Sequence[object]], name: str = "answers.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return path


def example_a_file(folder: Path) -> Path:
    rows = [(f"p{p}", f"q{q}", right) for p, row in enumerate(EXAMPLE_A) for q, right in enumerate(row)]
    return answers_file(folder, "participant,question,correct", rows)


def question_set(
    by: User,
    count: int = 10,
    *,
    name: str = "drawn",
    corpora: Sequence[str] = ("movie",),
    recipe: dict[str, object] | None = None,
) -> QuestionSet:
    """Create questions of four candidates of which the first is true, the corpora in turn."""
    names.claim(name, "questions")
    made = QuestionSet.objects.create(name=name, seed=0, recipe=recipe or {}, checksum="0" * 64, created_by=by)
    Question.objects.bulk_create(
        Question(
            question_set=made,
            position=index,
            external_id=f"q{index}",
            corpus=corpora[index % len(corpora)],
            context=[{"speaker": "A", "text": f"Well, {name} {index}?"}, {"speaker": "B", "text": "So?"}],
            candidates=["Yes.", "No.", "Maybe.", "Never."],
            candidates_count=4,
            answer=0,
        )
        for index in range(count)
    )
    return made


def closed_study(by: User, questions: QuestionSet, *, slug: str = "summer", state: str = StudyState.CLOSED) -> Study:
    names.claim(slug, "study")
    study = Study.objects.create(
        slug=slug, title="Next turn, summer", state=state, created_by=by, closed_at=timezone.now()
    )
    study.question_sets.add(questions)
    StudyMembership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    return study


def participant(study: Study, *, group: str = "", state: str = ParticipantState.COMPLETE) -> Participant:
    of_group = StudyGroup.objects.get_or_create(study=study, name=group, defaults={"token": f"{study.slug}-{group}"})[0]
    return Participant.objects.create(study=study, group=of_group if group else None, state=state)


def answer(person: Participant, question: Question, rank: int | None, *, depth: int = 2) -> None:
    """Store an answer with the true response at this rank of `depth`, or not among them."""
    shown = Presentation.objects.create(
        participant=person, question=question, position=person.presentations.count(), order=[], tokens=[]
    )
    Answer.objects.create(presentation=shown, better=None if rank is None else rank - 1, depth=depth)


def answer_all(study: Study, rows: Sequence[str], *, group: str = "", state: str = ParticipantState.COMPLETE) -> None:
    """Store a person for each row and an answer for each letter: the rank of the true response, "-" for not among the
    two, "." for left open.
    """
    questions = list(
        Question.objects.counting().filter(question_set__in=study.question_sets.all()).order_by("position")
    )
    for row in rows:
        person = participant(study, group=group, state=state)
        for letter, question in zip(row, questions, strict=False):
            if letter == ".":
                Presentation.objects.create(
                    participant=person, question=question, position=person.presentations.count(), order=[], tokens=[]
                )
            else:
                answer(person, question, None if letter == "-" else int(letter))


def run_of(questions: QuestionSet, right: str, *, model: str = "tfidf", by: User) -> Run:
    """Store a run that has a question right (1), also as a list of ranks (r), wrong (0), all candidates level (t), no
    answer (u) or no prediction (.).
    """
    run = Run.objects.create(
        model=model,
        on=questions.name,
        question_set=questions,
        metrics={},
        checksum=model,
        ended_at=timezone.now(),
        created_by=by,
    )
    asked = [instance_of(one, one.external_id) for one in questions.questions.order_by("position")]
    scores = {"1": [0.9, 0.1, 0.1, 0.2], "0": [0.1, 0.9, 0.2, 0.3], "t": [0.5, 0.5, 0.5, 0.5], "u": []}
    scores["r"] = [3.0, 1.0, 0.0, 2.0]
    for index, letter in enumerate(right):
        if letter != ".":
            instance = asked[index]
            own = scores[letter] + [0.0] * (len(instance.candidates) - 4) if scores[letter] else []
            Prediction.objects.create(
                run=run,
                position=index,
                external_id=instance.id,
                content=instance.content,
                places=instance.places,
                condition=instance.condition,
                scores=own,
            )
    return run


def own_question(study: Study, purpose: str) -> Question:
    """Create a practice question or an attention check."""
    assert purpose != QuestionPurpose.WORK
    return Question.objects.create(
        study=study,
        purpose=purpose,
        position=1_000,
        external_id=purpose,
        candidates=["a", "b", "c", "d"],
        candidates_count=4,
        answer=0,
    )
