"""Context of the pages of a guideline that is read: one of its versions, and what changed in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.rating.guideline import Guideline, complete
from annotation.domain.rating.guideline_changes import GuidelineChange, changes
from annotation.domain.rewriting.versions import Change, Piece, difference
from annotation.forms.projects.guideline import LABELS
from annotation.forms.projects.rewriting_guideline import RewritingGuidelineForm
from annotation.models import GuidelineVersion, Kind, Project
from annotation.selectors.projects.guidelines import GuidelineUses, uses_of


@dataclass(frozen=True)
class VersionRow:
    """A version in the list, with the number of grades or texts under it."""

    version: GuidelineVersion
    uses: int
    is_newest: bool
    is_shown: bool


@dataclass(frozen=True)
class ChangedText:
    """A text that differs from an earlier version: what it is, and its pieces, kept, new or gone."""

    what: str
    pieces: Sequence[Piece]


def changed_texts(before: Guideline, after: Guideline) -> list[ChangedText]:
    """Return what the later version has in other words, as its page shows it."""
    return [ChangedText(_named(each), _pieces(each)) for each in changes(before, after)]


def _pieces(change: GuidelineChange) -> Sequence[Piece]:
    """Return the difference word by word; of the order of types, which is a list of names, both as a whole."""
    if change.kind == "order":
        return [Piece(Change.SAME, f"{change.before} → {change.after}")]
    return difference(change.before, change.after)


def shown(grade: int) -> str:
    """Return a grade as it is read, with a minus sign."""
    return str(grade).replace("-", "−")


def _named(change: GuidelineChange) -> str:
    label = str(LABELS[change.kind])
    if change.grade is None:
        return label
    return _("Grade %(grade)s: %(what)s") % {"grade": shown(change.grade), "what": label}


def rewriting_editor(
    project: Project, versions: Sequence[GuidelineVersion], form: RewritingGuidelineForm
) -> dict[str, Any]:
    """Return the context of annotation/projects/guideline_rewriting.html."""
    return {**common(project, versions, uses_of(project)), "form": form}


def of_version(project: Project, versions: Sequence[GuidelineVersion], shown: GuidelineVersion) -> dict[str, Any]:
    """Return the context of annotation/projects/guideline_version.html."""
    is_rating = project.kind == Kind.RATING
    earlier = next((each for each in versions if each.number == shown.number - 1), None) if is_rating else None
    changed = changed_texts(complete(earlier.content), complete(shown.content)) if earlier else []
    return {
        **common(project, versions, uses_of(project), shown),
        "shown": shown,
        "guideline": complete(shown.content) if is_rating else shown.content,
        "is_rating": is_rating,
        "changes": changed,
        "since": shown.number - 1,
    }


def common(
    project: Project, versions: Sequence[GuidelineVersion], uses: GuidelineUses, shown: GuidelineVersion | None = None
) -> dict[str, Any]:
    """Return what every page of the guideline shows: the versions, and what was done under each."""
    newest = versions[0] if versions else None
    return {
        "project": project,
        "newest": newest,
        "next_number": newest.number + 1 if newest else 1,
        "versions": [
            VersionRow(version, uses.versions[version.pk], version == newest, version == shown) for version in versions
        ],
    }
