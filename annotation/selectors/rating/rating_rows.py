"""All grades ever given in a project, also those that no longer count: enough to compute all figures again."""

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any, cast

from django.db.models import BooleanField, CharField, ExpressionWrapper, F, Func, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, NullIf, Substr

from annotation.exporters import jsonl
from annotation.models import Project, Rating
from annotation.models.work import RatingQuerySet
from annotation.selectors.rating import model_grades
from core.domain.batches import batched
from core.exporters import csv as csv
from core.models import User
from core.models.snapshot import consistent_read

FORMATS = {"csv": csv.lines, "jsonl": jsonl.lines}
CHUNK = 2_000


class Instant(Func):
    """A time as text, in UTC: 2026-01-31T09:30:00Z. Made by the database, because Python is too slow."""

    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "REPLACE(SUBSTR(%(expressions)s, 1, 19), ' ', 'T') || 'Z'"
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "TO_CHAR(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
        return self.as_sql(compiler, connection, template=template, **context)


ITEM = "assignment__slot__item__"
READ: dict[str, Combinable] = {
    "rater": F("assignment__person"),
    "item": Coalesce(NullIf(f"{ITEM}external_id", Value("")), Substr(f"{ITEM}digest", 1, 16)),
    "digest": Substr(f"{ITEM}digest", 1, 16),
    "prompt": KeyTextTransform("prompt", f"{ITEM}content"),
    "response": KeyTextTransform("response", f"{ITEM}content"),
    "grade": F("grade"),
    "type": F("reason"),
    "counted": ExpressionWrapper(RatingQuerySet.COUNTS, output_field=BooleanField()),
    "assignment": F("assignment__state"),
    "purpose": F(f"{ITEM}purpose"),
    "step": F("assignment__slot__queue__step"),
    "guideline": F("guideline__number"),
    "claimed_at": Instant("assignment__claimed_at"),
    "graded_at": Instant("created_at"),
    "replaced_at": Instant("replaced_at"),
    "milliseconds": F("milliseconds"),
}
COLUMNS = (*READ, *model_grades.COLUMNS)


def written(project: Project, *, format: str) -> Iterator[bytes]:
    """Yield the rows of a project as pieces of a file, for streaming."""
    return FORMATS[format](COLUMNS, rating_rows(project))


def rating_rows(project: Project) -> Iterator[tuple[Any, ...]]:
    """Yield a row of `COLUMNS` for each grade, in the order given, from one moment of the database.

    A row ends with what models gave the same item; they have no rows of their own. Raters are r1, r2, ... by their user
    names; no row has a person's name.
    """
    with consistent_read():
        given = Rating.objects.filter(**{f"{ITEM}project": project})
        people = User.objects.filter(pk__in=given.values("assignment__person")).values_list("username", "pk")
        labels = {pk: f"r{number}" for number, (_name, pk) in enumerate(sorted(people), start=1)}
        rows = given.order_by("pk").values_list(f"{ITEM}pk", *READ.values())
        with closing(cast("Generator[tuple[Any, ...], None, None]", rows.iterator(CHUNK))) as stream:
            for some in batched(stream, CHUNK):
                by_models = model_grades.model_grades_of({item for item, *_row in some})
                for item, rater, *row in some:
                    yield (labels[rater], *row, *model_grades.columns_of(by_models.get(item, {})))
