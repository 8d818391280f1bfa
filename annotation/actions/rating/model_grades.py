"""Import the grades that a model gave elsewhere, beside those of people and never among them, and void them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.refused_rows import RowsRefused, refused_line
from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import lock_queue
from annotation.actions.rating.rating_files import is_other_text, known_items, readable, text_of
from annotation.importers import ratings
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import BadRow, RatingRow
from annotation.models import GradingModel, GuidelineVersion, Item, Kind, ModelGrade, Project, Step
from annotation.selectors.projects.members import people_named
from core.actions.events import must_say_why, record
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused, RefusedLine
from core.domain.batches import batched
from core.domain.text import fold_name, has_invisible, normalise
from core.models import User
from core.models.bulk import gather_statistics

CHUNK = 1_000  # items
REFUSALS = {
    "model_unnamed": _("Name the model, in at most %(limit)d characters: --model NAME."),
    "model_invisible": _(
        "Nothing was stored: the name of the model has invisible characters or line breaks. Type it again."
    ),
    "model_spelled": _(
        "Nothing was stored: “%(name)s” is the same name as “%(stored)s”, a model of this "
        "project. Write --model exactly as stored."
    ),
    "model_other_settings": _(
        "Nothing was stored: %(model)s has %(key)s=%(stored)s. A model with different "
        "settings is another model: give it another name."
    ),
    "model_is_person": _(
        "Nothing was stored: “%(name)s” is a person of this project, not a model. Give the "
        "model another name. If the grades stored under that name are a model's, void them "
        "first: void_work %(project)s --user %(user)s --since DATE --why TEXT."
    ),
}


class ModelGradesOutcome(NamedTuple):
    """Numbers of an import of a model's grades."""

    model: str
    grades: int
    duplicate: int  # grades stored before
    uncounted: int  # grades that do not count in their source; not imported
    refused: int  # rows that were left out
    rows_refused: list[RefusedLine]


@transaction.atomic
def import_model_grades(
    *,
    project: Project,
    path: Path,
    model: str,
    settings: Mapping[str, str] | None = None,
    is_partial: bool = False,
    report: ProgressReport,
    by: User,
) -> ModelGradesOutcome:
    """Store a model's grade of each pair of a file, or none. Importing a file again adds nothing. Raises Refused.

    `settings` are what is to be known of prompt and settings; a stored one does not change. Pairs must be in the
    project: grades of others would change its numbers. With `is_partial` they are left out and counted, as are rows
    that cannot be read; rows that contradict stored ones never are.
    """
    must_be(project, Kind.RATING)
    queue = lock_queue(project, Step.RATE)
    name = _name(project, model)
    guideline = project.guidelines.all()[:1].get()
    rows = ratings.read(path, scale=project.rating.grades, guideline=guideline.content, model=name)
    by_item, uncounted, refused = readable(rows, is_partial)
    graded_by = _grading_model(project, name, guideline, settings or {})
    stored = duplicate = 0
    contradicting: list[BadRow] = []
    for chunk in batched(by_item.items(), CHUNK):
        given, before, unknown, bad = _compare(graded_by, dict(chunk), path.name)
        ModelGrade.objects.bulk_create(
            ModelGrade(item=item, model=graded_by, grade=row.grade, imported_by=by) for item, row in given
        )
        refused += unknown
        contradicting += bad
        stored, duplicate = stored + len(given), duplicate + before
        report(stored + duplicate)
    if contradicting or (refused and not (is_partial and stored + duplicate)):
        raise RowsRefused(sorted([*refused, *contradicting], key=lambda row: row.line or 0))
    gather_statistics(ModelGrade)
    record(queue, became="model grades imported", scope=project, by=by)
    return ModelGradesOutcome(name, stored, duplicate, uncounted, len(refused), [refused_line(row) for row in refused])


def _name(project: Project, model: str) -> str:
    """Return the model's name as it is stored. Raises Refused where it is none, a person's, or spelled otherwise."""
    if has_invisible(model):
        raise Refused("model_invisible", REFUSALS["model_invisible"])
    name, limit = normalise(model), ratings.LIMITS["rater"]
    if not 0 < len(name) <= limit:
        raise Refused("model_unnamed", REFUSALS["model_unnamed"] % {"limit": limit})
    if person := (people_named(project, name) | people_named(project, fold_name(name))).first():
        told = {"name": name, "project": project.slug, "user": person.username}
        raise Refused("model_is_person", REFUSALS["model_is_person"] % told)
    stored = next((stored for stored in _models(project) if fold_name(stored) == fold_name(name)), name)
    if stored != name:
        raise Refused("model_spelled", REFUSALS["model_spelled"] % {"stored": stored, "name": name})
    return name


def _grading_model(
    project: Project, name: str, guideline: GuidelineVersion, settings: Mapping[str, str]
) -> GradingModel:
    """Return the model of this name, with settings that are added to its own. Raises Refused where one differs."""
    model, is_new = project.grading_models.get_or_create(
        name=name, voided_at=None, defaults={"guideline": guideline, "settings": dict(settings)}
    )
    for key, text in settings.items():
        if (stored := model.settings.setdefault(key, text)) != text:
            told = {"model": name, "key": key, "stored": stored}
            raise Refused("model_other_settings", REFUSALS["model_other_settings"] % told)
    if not is_new:
        model.save(update_fields=["settings"])
    return model


def _compare(
    model: GradingModel, rows: dict[str, list[RatingRow]], file: str
) -> tuple[list[tuple[Item, RatingRow]], int, list[BadRow], list[BadRow]]:
    """Return the new grades, the number stored before, the rows of unknown pairs, and those that contradict.

    A file has one row for each label, but two labels may be one pair.
    """
    items = known_items(model.project, {label: text_of(given) for label, given in rows.items()})
    graded = dict(model.grades.filter(item__in=items.values()).values_list("item", "grade"))
    given: list[tuple[Item, RatingRow]] = []
    unknown: list[BadRow] = []
    bad: list[BadRow] = []
    for row in (row for of_item in rows.values() for row in of_item):
        item = items.get(row.item)
        if item is None:
            unknown.append(_refused(row, file, "item_unknown"))
        elif is_other_text(row, item):
            bad.append(_refused(row, file, "other_text"))
        elif item.pk not in graded:
            given.append((item, row))
            graded[item.pk] = row.grade
        elif graded[item.pk] != row.grade:
            bad.append(_refused(row, file, "model_graded_before"))
    return given, sum(map(len, rows.values())) - len(given) - len(unknown) - len(bad), unknown, bad


def _refused(row: RatingRow, file: str, code: str) -> BadRow:
    return BadRow(file, row.line, RefusalReason(code, {"rater": row.rater, "item": row.item}), row.prompt)


def rows_of_models(project: Project, rows: Iterator[RatingRow], file: str) -> list[BadRow]:
    """Return, of the rows of a file of people's grades, those of a rater who is a model of the project."""
    models = set(map(fold_name, _models(project)))
    return [_refused(row, file, "rater_is_model") for row in rows if fold_name(row.rater) in models]


def _models(project: Project) -> list[str]:
    return list(project.grading_models.filter(voided_at=None).values_list("name", flat=True))


@transaction.atomic
def void_model(*, model: GradingModel, why: str, by: User) -> int:
    """Void a model: its grades are kept and appear nowhere, and its name is free. Return how many they are.

    Repeating voids none. Releases stay as they are. Raises Refused without a reason.
    """
    must_say_why(why)
    lock_queue(model.project, Step.RATE)
    model = GradingModel.objects.select_related("project").get(pk=model.pk)
    if model.voided_at:
        return 0
    model.voided_at = timezone.now()
    model.save(update_fields=["voided_at"])
    record(model, became="voided", why=why, scope=model.project, by=by)
    return model.grades.count()
