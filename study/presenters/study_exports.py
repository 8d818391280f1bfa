"""A study's export as a download."""

from tempfile import TemporaryFile
from typing import IO

from django.http import FileResponse

from study.actions.survey import exports
from study.models import Study
from study.selectors.results.export import write_zipped
from study.selectors.results.results import is_large


def study_zip(study: Study, format: str) -> FileResponse | None:
    """Return the export as a zip; None of a large study for which no job has made it."""
    if is_large(study):
        path = exports.made(study, format)
        return _download(study, format, path.open("rb")) if path else None
    archive = TemporaryFile()  # noqa: SIM115 - closed by the response, after sending
    write_zipped(study, format=format, archive=archive)
    archive.seek(0)
    return _download(study, format, archive)


def _download(study: Study, format: str, archive: IO[bytes]) -> FileResponse:
    name = f"{study.slug}-{format}.zip"
    return FileResponse(archive, as_attachment=True, filename=name, content_type="application/zip")
