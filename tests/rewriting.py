"""A rewriting project for tests: its people, its dialogues, and the texts its authors write."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Inspection, Item, Kind, Project, Purpose, Rewrite, Step
from core.models import User
from tests import factories

CANDIDATES = ["Then it is too small.", "The choir has it.", "It closes at noon.", "Thirty seats will do."]
VERDICTS: dict[InspectionVerdict, dict[str, Any]] = {
    InspectionVerdict.ACCEPT: {"is_correct": True, "is_unique": True, "is_revisable": None, "comments": {}},
    InspectionVerdict.RETURN: {
        "is_correct": True,
        "is_unique": False,
        "is_revisable": True,
        "comments": {"3": "Fits as well."},
    },
    InspectionVerdict.DISCARD: {"is_correct": False, "is_unique": True, "is_revisable": False, "comments": {}},
}


def rewriting_project(by: User, slug: str = "listening", **settings: int) -> Project:
    return projects.create(slug=slug, kind=Kind.REWRITING, settings=settings, by=by)


def question(number: int = 1, **changed: Any) -> dict[str, Any]:
    """Return a row of a file: a dialogue of four turns with its question."""
    return {
        "id": f"q{number}",
        "turns": [
            f"W: Did you book hall {number} for Saturday?",
            "M: The choir has it until four. I took the library room.",
            "W: It seats thirty. We have sold forty tickets.",
            "M: I know.",
        ],
        "question": f"What is wrong with room {number}?",
        "choices": ["It is too small.", "It is taken.", "It closes early."],
        "answer": "It is too small.",
        **changed,
    }


def file_of(questions: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in questions)


def items(project: Project, count: int = 1) -> list[Item]:
    """Create items, in the order in which they are assigned."""
    factories.stored(project, file_of([question(number) for number in range(1, count + 1)]), "items.jsonl")
    return list(project.items.order_by("position"))


def practice_items(project: Project, count: int = 1) -> list[Item]:
    """Create practice items, which ask about rooms from 501 on."""
    factories.stored(
        project, file_of([question(number) for number in range(501, 501 + count)]), "practice.jsonl", is_practice=True
    )
    return list(project.items.filter(purpose=Purpose.PRACTICE).order_by("position"))


def take(project: Project, step: Step, by: User) -> Assignment | None:
    """Claim work, and return the first assignment the person then holds."""
    return next(iter(assignments.claim(project=project, step=step, by=by)), None)


def begin(project: Project, by: User) -> Rewrite:
    """Claim the next item for the author and open its page."""
    assignment = take(project, Step.WRITE, by)
    assert assignment is not None
    return rewrites.open_assignment(assignment=assignment, by=by)


def submit(rewrite: Rewrite, **changed: Any) -> Rewrite:
    """Submit the rewrite, cut after the third turn; one returned for revision changes its last candidate."""
    round = rewrite.assignment.slot.round
    candidates = CANDIDATES if round == 1 else [*CANDIDATES[:3], f"{CANDIDATES[3]} {round}"]
    said = {"cut": 3, "candidates": candidates, "revision": rewrite.revision, **changed}
    return rewrites.submit(rewrite=rewrite, by=rewrite.assignment.person, **said)


def write(project: Project, by: User) -> Rewrite:
    """Claim the next item for the author and submit it."""
    return submit(begin(project, by))


def expire_all() -> int:
    """Expire every lease."""
    return assignments.expire_assignments(now=timezone.now() + timedelta(days=30))


def answered(project: Project, by: User, candidate: int | None = 0) -> Inspection:
    """Claim the next item for the inspector and answer blind."""
    assignment = take(project, Step.INSPECT, by)
    assert assignment is not None
    inspection = inspections.open_assignment(assignment=assignment, by=by)
    return inspections.answer(inspection=inspection, candidate=candidate, by=by)


def judge(inspection: Inspection, verdict: InspectionVerdict, **changed: Any) -> Inspection:
    return inspections.decide(inspection=inspection, **(VERDICTS[verdict] | changed), by=inspection.assignment.person)


def inspect(project: Project, by: User, verdict: InspectionVerdict = InspectionVerdict.ACCEPT) -> Inspection:
    """Claim the next item for the inspector, answer and judge it."""
    return judge(answered(project, by), verdict)
