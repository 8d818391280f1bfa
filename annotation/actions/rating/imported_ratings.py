"""Import grades given elsewhere, by any number of raters for an item; unknown items are created."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from django.db import transaction

from annotation.actions.adjudication import disputes
from annotation.actions.imports.refused_rows import RowsRefused, refused_line
from annotation.actions.projects.bots import without_sign_in
from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import lock_queue
from annotation.actions.rating import given_grades
from annotation.actions.rating.given_grades import Given
from annotation.actions.rating.model_grades import rows_of_models
from annotation.actions.rating.rating_files import is_other_text, known_items, readable, text_of
from annotation.domain.releases.splitting import prompt_group
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.importers import ratings
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import BadRow, RatingRow
from annotation.models import Assignment, Item, Kind, Project, Purpose, Queue, Rating, Slot, Step
from annotation.models.work import BARRING
from core.actions.events import record
from core.actions.jobs import ProgressReport
from core.actions.refusals import RefusedLine
from core.domain.batches import batched
from core.domain.text import digest, digest_of_normalised, fold_name
from core.models import User
from core.models.bulk import gather_statistics, is_one_of

CHUNK = 1_000  # items


class RatingsImportOutcome(NamedTuple):
    """Numbers of an import of ratings."""

    ratings: int
    items: int  # created by this file
    raters: int
    duplicate: int  # grades stored before
    uncounted: int  # grades that do not count in their source; not imported
    refused: int  # rows without a grade that can be read; left out
    rows_refused: list[RefusedLine]


@transaction.atomic
def import_ratings(
    *, project: Project, path: Path, is_partial: bool = False, report: ProgressReport, by: User
) -> RatingsImportOutcome:
    """Store every counting grade of a csv file, or none. Importing a file again adds nothing. Raises RowsRefused.

    With `is_partial` rows that cannot be read are left out and counted; rows that contradict stored ones never are.
    """
    must_be(project, Kind.RATING)
    disputes.lock(project)
    queue = lock_queue(project, Step.RATE)
    guideline = project.guidelines.all()[:1].get()
    by_item, uncounted, refused = readable(
        ratings.read(path, scale=project.rating.grades, guideline=guideline.content), is_partial
    )
    if of_models := rows_of_models(project, chain.from_iterable(by_item.values()), path.name):
        raise RowsRefused(of_models)
    stored = _store(queue, by_item, _slots, path.name, report, by=by)
    queue.save(update_fields=["tail"])
    rows_refused = list(map(refused_line, refused))
    return RatingsImportOutcome(*stored, uncounted, len(refused), rows_refused)


@transaction.atomic
def import_grades_of_pairs(
    *, project: Project, rows: Iterable[RatingRow], file_name: str, report: ProgressReport, by: User
) -> int:
    """Store every grade of pairs that are stored as work, found by their text, or none. Return how many are new.

    Raises RowsRefused for a rater who is a model, and where a person has given another grade before.
    """
    disputes.lock(project)
    queue = lock_queue(project, Step.RATE)
    by_pair: dict[str, list[RatingRow]] = defaultdict(list)
    for row in rows:
        by_pair[digest_of_normalised(row.prompt, row.response)].append(row)
    if of_models := rows_of_models(project, chain.from_iterable(by_pair.values()), file_name):
        raise RowsRefused(of_models)
    return _store(queue, by_pair, _slots_by_text, file_name, report, by=by).ratings


class GradeIs(StrEnum):
    """What a grade of a pair in a file would be if it were stored."""

    NEW = "new"
    REPEATED = "repeated"  # the file or the project has the same grade by the same person
    OF_GOLD = "of gold"  # grades of people are stored of work alone
    OF_CLEANED = "of cleaned"  # it would not count


def standings(project: Project, rows: Sequence[RatingRow]) -> Iterator[GradeIs | RefusalReason]:
    """Yield what each grade of a pair is beside what is stored, or how it contradicts it: its rater is a model of the
    project, or has given the pair another grade, or skipped it.
    """
    of_models = {row.reason.params["rater"]: row.reason for row in rows_of_models(project, iter(rows), "")}
    people = _known(project, {row.rater for row in rows})
    digests = [digest_of_normalised(row.prompt, row.response) for row in rows]
    items = project.items.filter(is_one_of("digest", digests))
    of_gold = set(items.filter(purpose=Purpose.GOLD).values_list("digest", flat=True))
    of_cleaned = set(items.work().filter(state=ItemState.CLEANED).values_list("digest", flat=True))
    slots = Slot.objects.filter(queue__project=project, queue__step=Step.RATE, item__in=items.work())
    slot_of = dict(slots.values_list("item__digest", "pk"))
    stored: dict[tuple[int | None, int | None], _Before] = dict(_stored(slot_of.values()))
    for row, key in zip(rows, digests, strict=True):
        if row.rater in of_models:
            yield of_models[row.rater]
        elif key in of_gold:
            yield GradeIs.OF_GOLD
        else:
            person = people.get(row.rater)
            place = slot_of.get(key), person and person.pk
            new = GradeIs.OF_CLEANED if key in of_cleaned else GradeIs.NEW
            yield _beside(row, stored[place]) if place in stored else new


class _Before(NamedTuple):
    """What a person has done with a pair before: the grade in force, None where they skipped it."""

    grade: int | None
    is_voided: bool = False


def _beside(row: RatingRow, before: _Before) -> GradeIs | RefusalReason:
    """Return what a grade is beside what the same person has done before."""
    return GradeIs.REPEATED if before.grade == row.grade else _graded_before(row, before)


class _Stored(NamedTuple):
    ratings: int
    items: int  # created
    raters: int
    duplicate: int


def _store(
    queue: Queue,
    by_item: Mapping[str, list[RatingRow]],
    slots_of: Callable[[Queue, dict[str, list[RatingRow]]], tuple[dict[str, Slot], int]],
    file: str,
    report: ProgressReport,
    *,
    by: User,
) -> _Stored:
    """Store the new grades of these items; `slots_of` also returns how many items it made. Raises RowsRefused."""
    project, guideline = queue.project, queue.project.guidelines.all()[:1].get()
    people = _people(project, {row.rater for rows in by_item.values() for row in rows}, by=by)
    made = stored = duplicate = 0
    bad: list[BadRow] = []
    for chunk in batched(by_item.items(), CHUNK):
        slots, new = slots_of(queue, dict(chunk))
        given, before, contradicting = _compare(slots, dict(chunk), people, file)
        bad += contradicting
        given_grades.store(given, project=project, guideline=guideline, by=by)
        made, stored, duplicate = made + new, stored + len(given), duplicate + before
        report(stored + duplicate)
    if bad:
        raise RowsRefused(bad)
    gather_statistics(Item, Slot, Assignment, Rating)
    record(queue, became="ratings imported", scope=project, by=by)
    return _Stored(stored, made, len(people), duplicate)


def _people(project: Project, labels: Collection[str], *, by: User) -> dict[str, User]:
    """Return the person of each name in a file: the member who signs in by it, else a person without sign-in.

    Who was imported before stays that person, also once a member has their name: the same file again stores nothing.
    """
    known = _known(project, labels)
    return {
        label: known.get(label) or without_sign_in(project=project, login=label, name=label, by=by)
        for label in sorted(labels)
    }


def _known(project: Project, labels: Collection[str]) -> dict[str, User]:
    """Return the person of each name in a file that someone in the project has."""
    people = {fold_name(person.username): person for person in User.objects.filter(memberships__project=project)}
    known = {}
    for label in labels:
        imported, member = people.get(fold_name(f"{project.slug}/{label}")), people.get(fold_name(label))
        if person := imported or (member if member and member.is_active else None):
            known[label] = person
    return known


def _slots_by_text(queue: Queue, rows: dict[str, list[RatingRow]]) -> tuple[dict[str, Slot], int]:
    """Lock and return the slot of every pair that is work, by the digest of its text. None is created."""
    items = {item.pk: item for item in queue.project.items.work().filter(is_one_of("digest", list(rows)))}
    slots = Slot.objects.select_for_update(no_key=True).filter(queue=queue, item__in=items).order_by("pk")
    found = {}
    for slot in slots:
        slot.item = items[slot.item_id]
        found[slot.item.digest] = slot
    return found, 0


def _slots(queue: Queue, rows: dict[str, list[RatingRow]]) -> tuple[dict[str, Slot], int]:
    """Lock and return the slot of every named item, and the number of items that were created."""
    texts = {label: text_of(given) for label, given in rows.items()}
    items = known_items(queue.project, texts)
    unknown = {label: text for label, text in texts.items() if label not in items}
    items |= _make(queue, unknown, {label: _dialogue(rows[label]) for label in unknown})
    slots = Slot.objects.select_for_update(no_key=True).filter(queue=queue, item__in=items.values()).order_by("pk")
    of_item = {slot.item_id: slot for slot in slots}
    for item in items.values():
        of_item[item.pk].item = item
    return {label: of_item[item.pk] for label, item in items.items()}, len(unknown)


def _dialogue(given: list[RatingRow]) -> str:
    return next((row.dialogue for row in given if row.dialogue), "")


def _make(queue: Queue, texts: dict[str, tuple[str, str] | None], dialogues: dict[str, str]) -> dict[str, Item]:
    """Create items on slots that are not open to others. Two ids with one text make two items, as in the source."""
    digests = {label: digest(*text) if text else digest("item", label) for label, text in texts.items()}
    same = Item.objects.filter(project=queue.project, digest__in=digests.values())
    taken = set(same.values_list("digest", flat=True))
    items = []
    for label, text in texts.items():
        key = digests[label] if digests[label] not in taken else digest("item", label)
        taken.add(key)
        queue.tail += 1
        prompt, response = text or ("", "")
        items.append(
            Item(
                project=queue.project,
                position=queue.tail,
                digest=key,
                group=prompt_group(prompt) if text else key,
                external_id=label,
                dialogue=dialogues[label],
                content={"prompt": prompt, "response": response},
            )
        )
    items = Item.objects.bulk_create(items)
    Slot.objects.bulk_create(Slot(queue=queue, item=item, required=0, free=0, position=item.position) for item in items)
    return dict(zip(texts, items, strict=True))


def _compare(
    slots: dict[str, Slot], rows: dict[str, list[RatingRow]], people: dict[str, User], file: str
) -> tuple[list[Given], int, list[BadRow]]:
    """Return the new grades, the number stored before, and the rows that contradict stored ones."""
    stored = dict(_stored(slot.pk for slot in slots.values()))
    given: list[Given] = []
    bad: list[BadRow] = []
    for slot, row in ((slot, row) for label, slot in slots.items() for row in rows[label]):
        person = people[row.rater]
        if is_other_text(row, slot.item):
            bad.append(BadRow(file, row.line, RefusalReason("other_text", {"item": row.item}), row.prompt))
        elif (slot.pk, person.pk) not in stored:
            given.append(Given(slot, person, row.grade, row.kind))
            stored[slot.pk, person.pk] = _Before(row.grade)
        elif isinstance(reason := _beside(row, stored[slot.pk, person.pk]), RefusalReason):
            bad.append(BadRow(file, row.line, reason))
    return given, sum(map(len, rows.values())) - len(given) - len(bad), bad


def _graded_before(row: RatingRow, before: _Before) -> RefusalReason:
    code = "graded_and_voided" if before.is_voided else "graded_before"
    return RefusalReason(code, {"rater": row.rater, "item": row.item})


def _stored(slots: Iterable[int]) -> Iterator[tuple[tuple[int, int], _Before]]:
    """Yield each barred person and slot with what the person has done there."""
    assignments = Assignment.objects.filter(slot__in=list(slots), state__in=BARRING)
    for pk_of_slot, pk_of_person in assignments.values_list("slot", "person"):
        yield (pk_of_slot, pk_of_person), _Before(None)
    in_force = Rating.objects.filter(assignment__in=assignments, replaced_at=None)
    place = "assignment__slot", "assignment__person"
    for slot, person, grade, state in in_force.values_list(*place, "grade", "assignment__state"):
        yield (slot, person), _Before(grade, state == AssignmentState.VOIDED)
