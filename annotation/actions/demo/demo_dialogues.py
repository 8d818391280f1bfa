"""The sample of rewriting: exam dialogues, some written, accepted, returned for revision, revised or discarded."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction

from annotation.actions.imports import imports
from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import CandidateRole
from annotation.models import Assignment, Inspection, Project, Rewrite, Step
from core.actions.jobs import silent
from core.models import Role, User

SLUG = "sample-dialogues"
WRITTEN = {"linyue": 5, "zhou": 4}  # items each author writes, all of them inspected
REVISED = "choir-1"  # returned for revision once, accepted in the second round
# Refused by the import, so that its page shows refused rows: a turn without a speaker, an answer that is no option.
BROKEN: list[Any] = [
    [
        ["The pool opens at ten."],
        [{"question": "When?", "choice": ["At nine.", "At ten.", "At noon."], "answer": "At ten."}],
        "pool",
    ],
    [
        ["M: Is the pool open?", "W: Not before ten."],
        [{"question": "When?", "choice": ["At nine.", "At ten.", "At noon."], "answer": "At eleven."}],
        "swimming",
    ],
]
# What an author writes for each dialogue, by its id: {"cut", "candidates"}; "first" holds the differing texts of a
# first attempt by number, "comment" the inspector's comments on them.
Drafts = dict[str, dict[str, Any]]


def exists() -> bool:
    """Tell whether the sample project is stored."""
    return Project.objects.filter(slug=SLUG).exists()


@transaction.atomic
def load(*, cast: dict[str, User], members: Mapping[User, Role], dialogues: list[Any], drafts: Drafts) -> Project:
    """Create the project: an import with refused rows, rewrites in every state, a release of the accepted ones."""
    researcher = cast["ines"]
    project = projects.create(
        slug=SLUG,
        kind="rewriting",
        title="听力对话 示例",
        source_licence="CC0-1.0, written for this sample",
        seed=5,
        by=researcher,
    )
    for member, role in members.items():
        projects.add_member(project=project, person=member, role=role, by=researcher)
    _import(project, dialogues, researcher)
    for author, items in WRITTEN.items():
        for _item in range(items):
            _write(_next(project, Step.WRITE, cast[author]), drafts)
    for _item in range(sum(WRITTEN.values())):
        _inspect(_next(project, Step.INSPECT, cast["amara"]), drafts)
    _write(Assignment.objects.get(slot__item__project=project, slot__item__external_id=REVISED, slot__round=2), drafts)
    _inspect(_next(project, Step.INSPECT, cast["amara"]), drafts)
    _write(_next(project, Step.WRITE, cast["heman"]), drafts)
    _begin(_next(project, Step.WRITE, cast["heman"]), drafts)
    releases.freeze(project=project, seed=0, report=silent, by=researcher)
    return project


def _import(project: Project, dialogues: list[Any], researcher: User) -> None:
    text = json.dumps(dialogues + BROKEN, ensure_ascii=False, indent=1)
    file: File[bytes] = ContentFile(text.encode(), name="exams.json")
    received = imports.receive(project=project, file=file, name="exams.json", format="dream", by=researcher)
    imports.check(received=received, report=silent, by=researcher)
    imports.store(received=received, partial=True, report=silent, by=researcher)


def _next(project: Project, step: Step, person: User) -> Assignment:
    [assignment] = assignments.claim(project=project, step=step, by=person)
    return assignment


def _write(assignment: Assignment, drafts: Drafts) -> None:
    draft, first = drafts[assignment.slot.item.external_id], assignment.slot.round == 1
    texts = draft["candidates"]
    if first:
        texts = [draft.get("first", {}).get(str(part), text) for part, text in enumerate(texts)]
    rewrite = rewrites.open_assignment(assignment=assignment, by=assignment.person)
    seconds = 190 + 31 * (assignment.slot.item.position * 5 % 8)  # a time a person needs, for plausible hours
    Rewrite.objects.filter(pk=rewrite.pk).update(seconds=seconds)
    rewrites.submit(
        rewrite=rewrite, cut=draft["cut"], candidates=texts, revision=rewrite.revision, by=assignment.person
    )


def _begin(assignment: Assignment, drafts: Drafts) -> None:
    """Write half of a rewrite and leave it as a draft."""
    draft = drafts[assignment.slot.item.external_id]
    rewrite = rewrites.open_assignment(assignment=assignment, by=assignment.person)
    texts = [*draft["candidates"][:2], "", ""]
    rewrites.save(rewrite=rewrite, cut=draft["cut"], candidates=texts, revision=rewrite.revision, by=assignment.person)


def _inspect(assignment: Assignment, drafts: Drafts) -> None:
    """Inspect a rewrite: a comment returns one with a second attempt and discards one without; else it is accepted.

    The blind answer is the candidate with the comment, or the right one.
    """
    draft, inspector = drafts[assignment.slot.item.external_id], assignment.person
    comments = draft.get("comment", {}) if assignment.slot.round == 1 else {}
    inspection = inspections.open_assignment(assignment=assignment, by=inspector)
    seconds = 40 + 9 * (assignment.slot.item.position * 5 % 8)  # a time a person needs, for plausible hours
    Inspection.objects.filter(pk=inspection.pk).update(opened_at=inspection.opened_at - timedelta(seconds=seconds))
    inspections.answer(inspection=inspection, candidate=int(next(iter(comments), CandidateRole.RIGHT)), by=inspector)
    inspections.decide(
        inspection=inspection,
        is_correct=True,
        is_unique=not comments,
        is_revisable="first" in draft if comments else None,
        comments=comments,
        by=inspector,
    )
