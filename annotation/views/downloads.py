"""A release as a file for the browser."""

from django.http import FileResponse

from annotation.models import Release
from annotation.selectors.releases import zipped


def release_zip(release: Release, format: str) -> FileResponse:
    """Streamed from a temporary file; the same release gives the same bytes."""
    name = f"{release.project.slug}-{release.number}-{format}.zip"
    archive = zipped(release, format=format)
    return FileResponse(archive, as_attachment=True, filename=name, content_type="application/zip")
