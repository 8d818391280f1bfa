"""Reports that are frozen: their files as they are now, and the manifest of these."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from core.domain.text import timestamp
from core.models import Job
from core.models.scoped import scope_of
from study.domain.reports import INDEX, MANIFEST, ReportedFile
from study.exporters.study_tables import ExportTable, codebook_of
from study.models import Report, ReportFile, Study
from study.selectors.results.answered import GivenAnswers
from study.selectors.results.export import tables_of

PEOPLE_BEGIN, PEOPLE_END = b"<!-- person-level files -->", b"<!-- end of person-level files -->"


def last_job(study: Study) -> Job | None:
    """Return the newest job that makes a report of the study."""
    return Job.objects.filter(kind="report", **scope_of(study)).first()


def reports_of(study: Study) -> QuerySet[Report]:
    """Return the reports of a study, the newest first, each with when its files on people were `taken_out`, if so."""
    return study.reports.annotate(taken_out=Max("files__taken_out_at"))


def next_number(study: Study) -> int:
    newest = study.reports.first()
    return newest.number + 1 if newest else 1


def tables_to_publish(study: Study, given: GivenAnswers) -> list[ExportTable]:
    """Return the tables of the export without what people say about themselves, and without reasons written about them.

    A reader needs neither to compute the figures again, and combinations of answers may tell who a person is.
    """
    tables = [
        replace(table, columns=[column for column in table.columns if not _is_personal(column.name)])
        for table in tables_of(study, given)
        if table.name != "codebook"
    ]
    return [*tables, codebook_of(tables)]


def _is_personal(column: str) -> bool:
    return column.startswith("says_") or column == "excluded_why"


def files_of(report: Report) -> Iterator[ReportedFile]:
    """Yield the files of a report as they are now, sorted by name, and its manifest last."""
    stored = sorted(report.files.all(), key=lambda file: file.name)
    left = [ReportedFile(file.name, _now(file)) for file in stored if not file.taken_out_at]
    yield from left
    yield ReportedFile(MANIFEST, _as_json(manifest_of(report, left, stored)))


def file_of(report: Report, name: str) -> bytes | None:
    """Return a file of a report as it is now; None for one that it has not, or not any more."""
    if name == MANIFEST:
        return [*files_of(report)][-1].content
    found = report.files.filter(name=name, taken_out_at=None).first()
    return _now(found) if found else None


def _now(file: ReportFile) -> bytes:
    """Return a file; the page says so where files were taken out, in place of naming them."""
    gone = file.report.files.exclude(taken_out_at=None).first() if file.name == INDEX else None
    if gone is None:
        return file.content
    before, _begin, rest = file.content.partition(PEOPLE_BEGIN)
    _named, _end, after = rest.partition(PEOPLE_END)
    with override(file.report.language):
        said = _(
            "The files with a row for each person or answer were removed on %(day)s, since a person withdrew. "
            "Everything else is as it was when frozen."
        ) % {"day": f"{gone.taken_out_at:%Y-%m-%d}"}
    return before + f'<p class="notice" id="taken-out">{said}</p>'.encode() + after


def manifest_of(report: Report, left: list[ReportedFile], stored: list[ReportFile]) -> dict[str, Any]:
    """Return what the manifest says; `taken_out` are files that were frozen and are not in the folder any more."""
    gone = [(file, file.taken_out_at) for file in stored if file.taken_out_at]
    return {
        "report": report.number,
        "frozen_at": timestamp(report.frozen_at),
        "language": report.language,
        "checksum": report.checksum,
        **report.summary,
        "files": [{"name": file.name, "sha256": file.checksum, "bytes": len(file.content)} for file in left],
        "taken_out": [{"name": file.name, "sha256": file.checksum, "taken_out_at": timestamp(at)} for file, at in gone],
        "taken_out_why": "a person withdrew" if gone else None,
    }


def _as_json(manifest: dict[str, Any]) -> bytes:
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
