"""Downloads of releases and ratings."""

from django.http import FileResponse, StreamingHttpResponse

from annotation.models import Project, Release
from annotation.selectors.rating.rating_rows import written
from annotation.selectors.releases.releases import zipped

RATING_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


def release_zip(release: Release, format: str, variant: str = "") -> FileResponse:
    """Return the release as a zip, streamed from a temporary file; the same release gives the same bytes."""
    name = "-".join(filter(None, [release.project.slug, str(release.number), variant, format]))
    archive = zipped(release, format=format, variant=variant)
    return FileResponse(archive, as_attachment=True, filename=f"{name}.zip", content_type="application/zip")


def ratings_file(project: Project, format: str) -> StreamingHttpResponse:
    """Return every grade of the project as a stream, in one of the formats of `RATING_TYPES`."""
    return StreamingHttpResponse(
        written(project, format=format),
        content_type=RATING_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{project.slug}-ratings.{format}"'},
    )
