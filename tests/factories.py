"""Rows that tests start from, made quickly but through valid states."""

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from annotation.actions.imports import imports
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.actions.rating.model_grades import import_model_grades
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Import, Item, Kind, Membership, Project, Queue, Rating, Slot, Step
from core.actions.people import ACCOUNTS
from core.models import Account, Role, User

REASONS = {1: "nonsense", 2: "echoing", 3: "versatile", 4: "", 5: "informative"}  # a reason that each grade takes


def person(username: str, role: str = Role.ANNOTATOR, *, project: Project | None = None) -> User:
    """Create an account without a password, with this role in the project if one is given.

    A researcher may also create projects and studies.
    """
    user = User(username=username, name=username.title(), account=ACCOUNTS.get(role, Account.PERSON))
    user.set_unusable_password()
    user.save()
    if project is not None and not user.is_administrator:
        Membership.objects.create(project=project, person=user, role=role)
    return user


def change_role(person: User, project: Project, role: str) -> None:
    """Give a member of the project another role in it."""
    Membership.objects.filter(project=project, person=person).update(role=role)


def another_project(slug: str, by: User) -> Project:
    """Create a project of the same kind as the cast's."""
    return projects.create(slug=slug, kind=Kind.RATING, by=by)


@transaction.atomic
def pairs(project: Project, count: int) -> list[Item]:
    """Create pairs of the project, in the order in which they are assigned."""
    queue = Queue.objects.select_for_update(no_key=True).get(project=project, step=Step.RATE)
    positions = range(queue.tail + 1, queue.tail + count + 1)
    items = Item.objects.bulk_create([_pair(project, position) for position in positions])
    required = project.rating.raters
    Slot.objects.bulk_create(
        [Slot(queue=queue, item=item, required=required, free=required, position=item.position) for item in items]
    )
    queue.tail += count
    queue.save(update_fields=["tail"])
    return items


def take(project: Project, by: User, count: int = 1) -> list[Assignment]:
    """Claim pairs to rate, and return those the person then holds."""
    return assignments.claim(project=project, step=Step.RATE, count=count, by=by)


def grade(assignment: Assignment, grade: int = 3, **details: object) -> Rating:
    """Submit a grade by the holder of the assignment, with a reason that belongs to the grade."""
    return ratings.submit(assignment=assignment, grade=grade, reason=REASONS[grade], by=assignment.person, **details)


def grade_next(project: Project, by: User, *grades: int) -> list[Assignment]:
    """Claim one pair after the other for the person, and submit these grades."""
    claimed = []
    for given in grades:
        [assignment] = assignments.claim(project=project, step=Step.RATE, by=by)
        grade(assignment, given)
        claimed.append(assignment)
    return claimed


def no_progress(done: int, total: int | None = None, **figures: float | None) -> None:
    """Ignore the progress that an action reports."""


def received(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """Upload a file without reading it."""
    file: ContentFile = ContentFile(content.encode() if isinstance(content, str) else content, name=name)
    return imports.receive(project=project, file=file, name=name, is_practice=is_practice, by=project.created_by)


def checked(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """Upload and check a file; nothing of it is stored."""
    file = received(project, content, name, is_practice=is_practice)
    return imports.check(received=file, report=no_progress, by=project.created_by)


def stored(project: Project, content: str | bytes, name: str = "pairs.tsv", *, is_practice: bool = False) -> Import:
    """Upload and check a file, and store its good rows."""
    file = checked(project, content, name, is_practice=is_practice)
    return imports.store(received=file, partial=True, report=no_progress, by=project.created_by)


def model_grades(project: Project, model: str, *grades: int) -> None:
    """Import a model's grades of the first pairs of the project that are work, in their order."""
    graded = zip(project.items.work().order_by("position"), grades, strict=False)
    rows = [{"item": item.key, **item.content, "grade": grade} for item, grade in graded]
    with TemporaryDirectory() as folder:
        path = Path(folder, "grades.jsonl")
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        import_model_grades(project=project, path=path, model=model, report=no_progress, by=project.created_by)


def plant(project: Project, purpose: str, *raters: User) -> Item:
    """Create a pair that must not count, with the grades 1 and 5, a skip and a voided grade: no figure may change."""
    [item] = pairs(project, 1)
    Item.objects.filter(pk=item.pk).update(purpose=purpose)
    slot, now = Slot.objects.get(item=item), timezone.now()
    for slot_number, (annotator, given) in enumerate(zip(raters, (1, 5), strict=True), start=1):
        assignment = Assignment.objects.create(
            slot=slot,
            slot_number=slot_number,
            person=annotator,
            state=AssignmentState.SUBMITTED,
            lease_until=now,
            ended_at=now,
        )
        Rating.objects.create(assignment=assignment, grade=given, milliseconds=90_000)
    for state in (AssignmentState.SKIPPED, AssignmentState.VOIDED):
        who = person(f"{purpose}-{state}")
        Assignment.objects.create(slot=slot, person=who, state=state, lease_until=now, ended_at=now)
    return item


def _pair(project: Project, position: int) -> Item:
    prompt, response = f"今天第{position}次出门了吗?", f"还没有,等第{position}班车。"
    return Item(
        project=project,
        position=position,
        content={"prompt": prompt, "response": response},
        digest=_digest(prompt + "\n" + response),
        group=_digest(prompt),
        source="tieba",
        topic="生活",
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
