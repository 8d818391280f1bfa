"""A frozen report on a page of the product, and its folder as a download."""

from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from django.http import FileResponse
from django.utils.safestring import SafeString

from core.exporters.zips import write_zip
from study.domain.reports import INDEX
from study.models import Report
from study.selectors.reports.reports import file_of, files_of

BEGIN, END = "<article>", "</article>"


def article_of(report: Report) -> SafeString:
    """Return the text of a report's page, as it was rendered and escaped when it was frozen."""
    page = (file_of(report, INDEX) or b"").decode()
    return SafeString(page[page.index(BEGIN) : page.index(END) + len(END)])


def report_zip(report: Report) -> FileResponse:
    """Return the folder as a zip: the same report gives the same bytes until files are taken out."""
    archive = TemporaryFile()  # noqa: SIM115 - closed by the response, after sending
    with TemporaryDirectory() as folder:
        write_zip(write_folder(report, Path(folder)), Path(folder), archive)
    archive.seek(0)
    name = f"{report.study.slug}-report-{report.number}.zip"
    return FileResponse(archive, as_attachment=True, filename=name, content_type="application/zip")


def write_folder(report: Report, folder: Path) -> list[Path]:
    """Write the files of a report into a folder, which is made."""
    written = []
    for file in files_of(report):
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        written.append(path)
    return written
