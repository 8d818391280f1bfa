"""The columns of grades in a file of pairs: counted, checked once a person has said what it is, and stored."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.actions.imports import file_rows
from annotation.actions.imports.file_rows import FoundDuplicate
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.qualification.gold import store_gold_pairs
from annotation.actions.rating.imported_ratings import GradeIs, import_grades_of_pairs, standings
from annotation.importers.grades import grade_of
from annotation.importers.ratings import LIMITS, Spellings
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.registry import Row, importer_of
from annotation.importers.rows import BadRow, GoldRow, GradeCell, PairRow, RatingRow, excerpt
from annotation.models import GradesAre, Import
from core.actions.jobs import ProgressReport
from core.domain.batches import batched
from core.domain.text import digest_of_normalised
from core.models import User

OTHER = "other"  # what is not a grade of the scale
MOST_RATERS = 200  # named on the page
NO_GRADE = RefusalReason("no_value", {"column": "grade"})
NAMELESS = "–"  # in reasons
EMPTY = GradeCell("", "")
# The grades of a row, with what each would be as one already given; or why the row cannot be taken as such.
Standing = list[tuple[RatingRow, GradeIs]] | RefusalReason


class FileGrades:
    """Counts what is in the columns of grades, and refuses rows by it: as grades already given until it is decided what
    they are.

    What the grades would be as grades already given is counted whatever is decided, so that the choices can be
    compared. A row is taken with all its grades or not at all.
    """

    def __init__(self, received: Import) -> None:
        self._received = received
        self._scale = received.project.rating.grades
        self._layout = importer_of(received.project).preview_of(received).layout
        self._values: Counter[str] = Counter()
        self._raters: Counter[str] = Counter()
        self._standings: Counter[GradeIs] = Counter()
        self._nameless = self._uncounted = 0
        self._spellings = Spellings()
        self._given: dict[tuple[bytes, str], tuple[int, int]] = {}  # grade and line, by pair and rater
        self._gold: dict[bytes, tuple[int, int]] = {}  # the same by pair alone

    @property
    def found(self) -> dict[str, Any]:
        """Return the cells by grade ("" without one, "other"), and how many name a grade but no rater, or one that does
        not count where it comes from; and of the grades how many would be new, by rater too (those who gave most),
        repeated, of gold pairs, or of cleaned ones. Empty if the file has no grades.
        """
        if not (set(self._values) - {""} or self._uncounted):
            return {}
        return {
            "values": dict(self._values),
            "nameless": self._nameless,
            "uncounted": self._uncounted,
            "raters": dict(self._raters.most_common(MOST_RATERS)),
            "new": self._standings[GradeIs.NEW],
            "repeated": self._standings[GradeIs.REPEATED],
            "of_gold": self._standings[GradeIs.OF_GOLD],
            "of_cleaned": self._standings[GradeIs.OF_CLEANED],
        }

    def checked(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """Yield the rows; those whose grades or raters cannot be taken are refused, and those that add some say so."""
        for chunk in batched(rows, file_rows.CHUNK):
            standings = iter(self._standings_of([row for row in chunk if isinstance(row, PairRow)]))
            for row in chunk:
                yield self._checked(row, next(standings)) if isinstance(row, PairRow) else row

    def _checked(self, row: PairRow, standing: Standing) -> PairRow | BadRow:
        self._count(row, standing)
        are = self._received.grades_are
        reason = self._flaw_of_gold(row) if are == GradesAre.GOLD else None
        if are in ("", GradesAre.GRADES) and isinstance(standing, RefusalReason):
            reason = standing
        if reason:
            reason = self._layout.in_its_words(reason) if self._layout else reason
            return BadRow(self._received.file_name, row.line, reason, excerpt(f"{row.prompt} / {row.response}"))
        given = [] if isinstance(standing, RefusalReason) else standing
        return row._replace(new_grades=tuple(rating for rating, grade_is in given if grade_is == GradeIs.NEW))

    def _standings_of(self, rows: list[PairRow]) -> list[Standing]:
        """Return what the grades of each row would be as grades already given."""
        found = list(map(self._in_file, rows))
        given = [rating for each in found if not isinstance(each, RefusalReason) for rating, _grade_is in each]
        stored = standings(self._received.project, given)
        return [each if isinstance(each, RefusalReason) else _beside_stored(each, stored) for each in found]

    def _in_file(self, row: PairRow) -> Standing:
        """Return what the grades of a row are beside each other and the rows before it."""
        found: list[tuple[RatingRow, GradeIs]] = []
        own: dict[tuple[bytes, str], tuple[int, int]] = {}
        for cell in row.graded:
            try:
                rating = _rating_of(row, cell, self._received, self._spellings)
            except RowRefused as refused:
                return refused.reason
            key = _short_digest(row), rating.rater
            before = self._given.get(key) or own.get(key)
            if before and before[0] != rating.grade:
                if key in own:
                    return RefusalReason("columns_of_one_rater", {"rater": rating.rater})
                who = rating.rater or NAMELESS
                return RefusalReason("rated_twice", {"rater": who, "item": rating.item, "first": before[1]})
            own.setdefault(key, (rating.grade, row.line))
            found.append((rating, GradeIs.REPEATED if before else GradeIs.NEW))
        self._given.update((key, first) for key, first in own.items() if key not in self._given)
        return found

    def _flaw_of_gold(self, row: PairRow) -> RefusalReason | None:
        """Return why a row cannot be gold."""
        found = [self._grade(cell) for cell in row.graded] or [NO_GRADE]
        if reason := next((each for each in found if isinstance(each, RefusalReason)), None):
            return reason
        grade, *others = {each for each in found if isinstance(each, int)}
        if others:
            return RefusalReason("gold_grades_differ")
        before, line = self._gold.setdefault(_short_digest(row), (grade, row.line))
        return RefusalReason("gold_twice", {"first": line, "grade": before}) if before != grade else None

    def _grade(self, cell: GradeCell) -> int | RefusalReason:
        """Return the grade in a cell, or why it is none."""
        try:
            return grade_of(cell.grade, self._scale)
        except RowRefused as refused:
            return refused.reason

    def _count(self, row: PairRow, standing: Standing) -> None:
        for cell in row.grades or (EMPTY,):
            if cell.grade and not row.counted:
                self._uncounted += 1
                continue
            grade = self._grade(cell)
            self._values[str(grade) if isinstance(grade, int) else OTHER if cell.grade else ""] += 1
            self._nameless += bool(cell.grade and not cell.rater)
        if isinstance(standing, RefusalReason):
            return
        self._standings.update(grade_is for _rating, grade_is in standing)
        self._raters.update(rating.rater for rating, grade_is in standing if grade_is == GradeIs.NEW and rating.rater)


def _beside_stored(in_file: list[tuple[RatingRow, GradeIs]], stored: Iterator[GradeIs | RefusalReason]) -> Standing:
    """Return what the grades of a row are in the file and beside what is stored, which comes next for each of them."""
    found: list[tuple[RatingRow, GradeIs]] = []
    reason: RefusalReason | None = None
    for rating, grade_is in in_file:
        before = next(stored)
        if isinstance(before, RefusalReason):
            reason = reason or before
        else:
            found.append((rating, before if grade_is == GradeIs.NEW else grade_is))
    return reason or found


def brings_grade(known: FoundDuplicate, received: Import) -> bool:
    """Tell whether the row of a known pair has new grades of it that may be stored, and so is no duplicate."""
    takes_none = received.grades_are in (GradesAre.GOLD, GradesAre.OUT)
    return isinstance(known.row, PairRow) and bool(known.row.new_grades) and not takes_none


def _short_digest(row: PairRow) -> bytes:
    """Return 128 bits that tell the pairs of one file apart."""
    return bytes.fromhex(digest_of_normalised(row.prompt, row.response)[:32])


def _rater_of(cell: GradeCell, received: Import, spellings: Spellings) -> str:
    """Return who gave a grade, empty where that can still be said. Raises RowRefused."""
    rater = cell.rater or received.rater
    if isinstance(rater, RefusalReason):
        raise RowRefused(rater.code, **rater.params)
    if not rater and received.grades_are == GradesAre.GRADES:
        raise RowRefused("no_value", column="rater")
    if len(rater) > LIMITS["rater"]:
        raise RowRefused("cell_too_long", column="rater", length=len(rater), limit=LIMITS["rater"])
    return spellings.first(rater)


def _rating_of(row: PairRow, cell: GradeCell, received: Import, spellings: Spellings) -> RatingRow:
    """Return a grade of a row. Raises RowRefused where it or its rater cannot be taken."""
    grade = grade_of(cell.grade, received.project.rating.grades)
    name = row.external_id or excerpt(row.response)
    return RatingRow(row.line, name, _rater_of(cell, received, spellings), grade, row.prompt, row.response)


def store_grades(received: Import, report: ProgressReport, *, by: User) -> int:
    """Store the grades of the file's pairs, which are stored already. Return how many are new. Raises RowsRefused."""
    rows = (rating for row in _graded(received) for rating in row.new_grades)
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
            GoldRow(row.line, row.prompt, row.response, grade_of(row.graded[0].grade, scale))
            for key, row in new.items()
            if key not in there
        ]
    return store_gold_pairs(
        project=received.project, rows=rows, file_name=received.file_name, origin=received, by=by
    ).stored


def _graded(received: Import) -> Iterator[PairRow]:
    """Yield the rows with grades. Raises RowsRefused where other rows are refused than when the file was checked."""
    bad: list[BadRow] = []
    for row in FileGrades(received).checked(file_rows.read(received)):
        if isinstance(row, BadRow):
            bad.append(row)
        elif isinstance(row, PairRow) and row.graded:
            yield row
    if len(bad) != received.refused:
        raise RowsRefused(bad)
