"""The column of grades in a file of pairs: counted, checked once a person has said what it is, and stored."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.actions.imports import file_rows
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.qualification.gold import store_gold_pairs
from annotation.actions.rating.imported_ratings import contradictions, import_grades_of_pairs
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


class FileGrades:
    """Counts what is in the column of grades, and refuses rows by it once it is decided what they are."""

    def __init__(self, received: Import) -> None:
        self._received = received
        self._scale = received.project.rating.grades
        self._values: Counter[str] = Counter()
        self._raters: Counter[str] = Counter()
        self._nameless = 0
        self._is_empty = True
        self._first: dict[tuple[bytes, str], tuple[int, int]] = {}  # grade and line, by pair and rater

    @property
    def found(self) -> dict[str, Any]:
        """Return the rows by grade ("" without one, "other") and the grades by rater, those who gave most, without
        refused rows; and how many grades of the file name no rater. Empty if the file has no grades.
        """
        raters = dict(self._raters.most_common(MOST_RATERS))
        found = {"values": dict(self._values), "raters": raters, "nameless": self._nameless}
        return {} if self._is_empty else found

    def checked(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """Yield the rows; those whose grade or rater cannot be taken are refused."""
        for chunk in batched(rows, file_rows.CHUNK):
            refused = self._refused([row for row in chunk if isinstance(row, PairRow)])
            for row in chunk:
                if not isinstance(row, PairRow):
                    yield row
                elif reason := next(refused):
                    text = excerpt(f"{row.prompt} / {row.response}")
                    yield BadRow(self._received.file_name, row.line, reason, text)
                else:
                    self._count(row)
                    yield row

    def _refused(self, rows: list[PairRow]) -> Iterator[RefusalReason | None]:
        """Yield why each row is refused, if it is."""
        reasons = list(map(self._flaw, rows))
        if self._received.grades_are == GradesAre.GRADES:
            readable = [number for number, row in enumerate(rows) if row.grade and not reasons[number]]
            given = [_rating_of(rows[number], self._received) for number in readable]
            for number, reason in zip(readable, contradictions(self._received.project, given), strict=True):
                reasons[number] = reason
        return iter(reasons)

    def _flaw(self, row: PairRow) -> RefusalReason | None:
        if row.grade:
            self._is_empty = False
            self._nameless += not row.rater
        try:
            self._check(row, self._grade(row))
        except RowRefused as refused:
            return refused.reason
        return None

    def _grade(self, row: PairRow) -> int | RefusalReason:
        """Return the grade in the column, or why it is none."""
        try:
            return grade_of(row.grade, self._scale) if row.grade else NO_GRADE
        except RowRefused as refused:
            return refused.reason

    def _count(self, row: PairRow) -> None:
        grade = self._grade(row)
        self._values[str(grade) if isinstance(grade, int) else OTHER if row.grade else ""] += 1
        if row.grade and row.rater:
            self._raters[row.rater] += 1

    def _check(self, row: PairRow, grade: int | RefusalReason) -> None:
        are = self._received.grades_are
        if are not in (GradesAre.GRADES, GradesAre.GOLD) or (are == GradesAre.GRADES and not row.grade):
            return
        if isinstance(grade, RefusalReason):
            raise RowRefused(grade.code, **grade.params)
        rater = _rater_of(row, self._received) if are == GradesAre.GRADES else ""
        key = bytes.fromhex(digest_of_normalised(row.prompt, row.response)[:32]), rater
        before, line = self._first.setdefault(key, (grade, row.line))
        if before != grade and rater:
            raise RowRefused("rated_twice", rater=rater, item=row.external_id or excerpt(row.response), first=line)
        if before != grade:
            raise RowRefused("gold_twice", first=line, grade=before)


def _rater_of(row: PairRow, received: Import) -> str:
    """Return who gave the grade of a row. Raises RowRefused where neither the row nor the import says so."""
    rater = row.rater or received.rater
    if not rater:
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
    rows = (_rating_of(row, received) for row in _graded(received))
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
