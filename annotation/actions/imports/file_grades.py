"""The column of grades in a file of pairs: counted, checked once a person has said what it is, and stored."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.actions.imports import file_rows
from annotation.actions.imports.file_rows import FoundDuplicate
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.qualification.gold import store_gold_pairs
from annotation.actions.rating.imported_ratings import GradeIs, import_grades_of_pairs, standings
from annotation.importers.ratings import LIMITS, grade_of
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.registry import Row
from annotation.importers.rows import BadRow, GoldRow, PairRow, RatingRow, excerpt
from annotation.models import GradesAre, Import
from core.actions.jobs import ProgressReport
from core.domain.batches import batched
from core.domain.text import digest_of_normalised
from core.models import User

OTHER = "other"  # what is not a grade of the scale
MOST_RATERS = 200  # named on the page
NO_GRADE = RefusalReason("no_value", {"column": "grade"})
Standing = GradeIs | RefusalReason | None  # of a row's grade as one already given: why it cannot be; None without one


class FileGrades:
    """Counts what is in the column of grades, and refuses rows by it once it is decided what they are.

    What the grades would be as grades already given is counted whatever is decided, so that the choices can be
    compared.
    """

    def __init__(self, received: Import) -> None:
        self._received = received
        self._scale = received.project.rating.grades
        self._values: Counter[str] = Counter()
        self._raters: Counter[str] = Counter()
        self._standings: Counter[GradeIs] = Counter()
        self._nameless = 0
        self._given: dict[tuple[bytes, str], tuple[int, int]] = {}  # grade and line, by pair and rater
        self._gold: dict[bytes, tuple[int, int]] = {}  # the same by pair alone

    @property
    def found(self) -> dict[str, Any]:
        """Return the rows by grade ("" without one, "other"), and how many name a grade but no rater; and of the grades
        how many would be new, by rater too (those who gave most), repeated, or of gold pairs. Empty if the file has no
        grades.
        """
        if not set(self._values) - {""}:
            return {}
        return {
            "values": dict(self._values),
            "nameless": self._nameless,
            "raters": dict(self._raters.most_common(MOST_RATERS)),
            "new": self._standings[GradeIs.NEW],
            "repeated": self._standings[GradeIs.REPEATED],
            "of_gold": self._standings[GradeIs.OF_GOLD],
        }

    def checked(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """Yield the rows; those whose grade or rater cannot be taken are refused, and those that add one say so."""
        for chunk in batched(rows, file_rows.CHUNK):
            standings = iter(self._standings_of([row for row in chunk if isinstance(row, PairRow)]))
            for row in chunk:
                yield self._checked(row, next(standings)) if isinstance(row, PairRow) else row

    def _checked(self, row: PairRow, standing: Standing) -> PairRow | BadRow:
        self._count(row, standing)
        are = self._received.grades_are
        reason = self._flaw_of_gold(row) if are == GradesAre.GOLD else None
        if are == GradesAre.GRADES and isinstance(standing, RefusalReason):
            reason = standing
        if reason:
            return BadRow(self._received.file_name, row.line, reason, excerpt(f"{row.prompt} / {row.response}"))
        return row._replace(adds_grade=standing == GradeIs.NEW)

    def _standings_of(self, rows: list[PairRow]) -> list[Standing]:
        """Return what the grade of each row would be as one already given."""
        found = list(map(self._in_file, rows))
        readable = [number for number, standing in enumerate(found) if isinstance(standing, GradeIs)]
        given = [_rating_of(rows[number], self._received) for number in readable]
        for number, standing in zip(readable, standings(self._received.project, given), strict=True):
            if found[number] == GradeIs.NEW or isinstance(standing, RefusalReason):
                found[number] = standing
        return found

    def _in_file(self, row: PairRow) -> Standing:
        """Return what the grade of a row is beside the rows before it."""
        if not row.grade:
            return None
        try:
            rating = _rating_of(row, self._received)
        except RowRefused as refused:
            return refused.reason
        key = _short_digest(row), rating.rater
        if key not in self._given:
            self._given[key] = rating.grade, row.line
            return GradeIs.NEW
        before, line = self._given[key]
        if before != rating.grade:
            return RefusalReason("rated_twice", {"rater": rating.rater, "item": rating.item, "first": line})
        return GradeIs.REPEATED

    def _flaw_of_gold(self, row: PairRow) -> RefusalReason | None:
        """Return why a row cannot be gold."""
        grade = self._grade(row)
        if isinstance(grade, RefusalReason):
            return grade
        before, line = self._gold.setdefault(_short_digest(row), (grade, row.line))
        return RefusalReason("gold_twice", {"first": line, "grade": before}) if before != grade else None

    def _grade(self, row: PairRow) -> int | RefusalReason:
        """Return the grade in the column, or why it is none."""
        try:
            return grade_of(row.grade, self._scale) if row.grade else NO_GRADE
        except RowRefused as refused:
            return refused.reason

    def _count(self, row: PairRow, standing: Standing) -> None:
        grade = self._grade(row)
        self._values[str(grade) if isinstance(grade, int) else OTHER if row.grade else ""] += 1
        self._nameless += bool(row.grade and not row.rater)
        if isinstance(standing, GradeIs):
            self._standings[standing] += 1
        if standing == GradeIs.NEW and row.rater:
            self._raters[row.rater] += 1


def brings_grade(known: FoundDuplicate, received: Import) -> bool:
    """Tell whether the row of a known pair has another grade of it, and so is no duplicate.

    Where no grades are taken, this is so beside the earlier rows of the file alone.
    """
    has_new = isinstance(known.row, PairRow) and known.row.adds_grade
    takes_none = received.grades_are in (GradesAre.GOLD, GradesAre.OUT)
    return has_new and not (takes_none and known.is_stored)


def _short_digest(row: PairRow) -> bytes:
    """Return 128 bits that tell the pairs of one file apart."""
    return bytes.fromhex(digest_of_normalised(row.prompt, row.response)[:32])


def _rater_of(row: PairRow, received: Import) -> str:
    """Return who gave the grade of a row, empty where that can still be said. Raises RowRefused."""
    rater = row.rater or received.rater
    if not rater and received.grades_are == GradesAre.GRADES:
        raise RowRefused("no_value", column="rater")
    if len(rater) > LIMITS["rater"]:
        raise RowRefused("cell_too_long", column="rater", length=len(rater), limit=LIMITS["rater"])
    return rater


def _rating_of(row: PairRow, received: Import) -> RatingRow:
    """Return the grade of a row that has one. Raises RowRefused where it or its rater cannot be taken."""
    grade = grade_of(row.grade, received.project.rating.grades)
    name = row.external_id or excerpt(row.response)
    return RatingRow(row.line, name, _rater_of(row, received), grade, row.prompt, row.response)


def store_grades(received: Import, report: ProgressReport, *, by: User) -> int:
    """Store the grades of the file's pairs, which are stored already. Return how many are new. Raises RowsRefused."""
    rows = (_rating_of(row, received) for row in _graded(received) if row.adds_grade)
    return import_grades_of_pairs(
        project=received.project, rows=rows, file_name=received.file_name, report=report, by=by
    )


def store_gold(received: Import, *, by: User) -> int:
    """Store the pairs that the project does not have as gold. Return how many they are."""
    stored, scale = file_rows.Stored(received.project), received.project.rating.grades
    rows: list[GoldRow] = []
    for chunk in batched(_graded(received), file_rows.CHUNK):
        new = {digest_of_normalised(row.prompt, row.response): row for row in reversed(list(chunk))}
        there = set(stored.with_digests(new).values_list("digest", flat=True))
        rows += [
            GoldRow(row.line, row.prompt, row.response, grade_of(row.grade, scale))
            for key, row in new.items()
            if key not in there
        ]
    return store_gold_pairs(project=received.project, rows=rows, file_name=received.file_name, by=by).stored


def _graded(received: Import) -> Iterator[PairRow]:
    """Yield the rows with a grade. Raises RowsRefused where other rows are refused than when the file was checked."""
    bad: list[BadRow] = []
    for row in FileGrades(received).checked(file_rows.read(received)):
        if isinstance(row, BadRow):
            bad.append(row)
        elif isinstance(row, PairRow) and row.grade:
            yield row
    if len(bad) != received.refused:
        raise RowsRefused(bad)
