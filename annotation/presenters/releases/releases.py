"""Page of a project's releases, and downloads of releases and ratings."""

from typing import Any

from django.http import FileResponse, QueryDict, StreamingHttpResponse

from annotation.forms.releases import FreezeForm
from annotation.models import Kind, Project, Release
from annotation.selectors.rating.rating_rows import written
from annotation.selectors.releases.releases import (
    freezing_job,
    prospect_of,
    releases_of,
    safe_replies,
    unchanged_since,
    zipped,
)
from core.presenters.files import streamed
from core.presenters.jobs import watch

RATING_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


def prospect_page(project: Project, typed: QueryDict | None = None) -> dict[str, Any]:
    """Return the context of annotation/releases/releases.html: what would go in now, and the frozen releases."""
    job = freezing_job(project)  # first, so that the release of a job that ends in between is not missed
    prospect = prospect_of(project)
    newest = project.releases.first()
    replies = safe_replies(project) if project.kind == Kind.REWRITING else ()
    is_recent = job is not None and (newest is None or job.created_at > newest.frozen_at)
    return {
        "project": project,
        "prospect": prospect,
        "form": FreezeForm(typed, next_number=prospect.number, replies=replies),
        "releases": releases_of(project),
        "unchanged": unchanged_since(newest, prospect) if newest else None,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and is_recent and job.came_to_nothing else None,
    }


def release_zip(release: Release, format: str, variant: str = "") -> FileResponse:
    """Return the release as a zip, streamed from a temporary file; the same release gives the same bytes."""
    name = "-".join(filter(None, [release.project.slug, str(release.number), variant, format]))
    archive = zipped(release, format=format, variant=variant)
    return FileResponse(archive, as_attachment=True, filename=f"{name}.zip", content_type="application/zip")


def ratings_file(project: Project, format: str) -> StreamingHttpResponse:
    """Return every grade of the project as a stream, in one of the formats of `RATING_TYPES`."""
    return streamed(f"{project.slug}-ratings.{format}", written(project, format=format), RATING_TYPES[format])
