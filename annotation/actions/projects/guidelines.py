"""Write versions of a project's guideline: the first one, new ones, and what follows from another scale or language."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.actions.projects.fixed import has_grades, must_be_open
from annotation.domain.rating import rating
from annotation.domain.rating.guideline import Guideline, complete
from annotation.domain.rating.guideline_rules import flaws, must_keep_types, scale_of, settled
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.rewriting import guideline as rewriting
from annotation.domain.rewriting.guideline import RewritingGuideline
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.models import GuidelineVersion, Project
from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.spelling import in_latin
from core.domain.wording import ChoiceError
from core.models import User


def begin(*, project: Project, by: User) -> GuidelineVersion:
    """Store the first guideline of a new project: that of the published study, in the project's language."""
    chosen = project.chosen
    content: Guideline | RewritingGuideline = (
        rating.default_guideline(chosen.grades, chosen.language)
        if isinstance(chosen, RatingSettings)
        else rewriting.default_guideline(chosen.language)
    )
    return GuidelineVersion.objects.create(project=project, number=1, content=content, created_by=by)


def follow_settings(
    *, project: Project, before: RatingSettings | RewritingSettings, after: RatingSettings | RewritingSettings, by: User
) -> None:
    """Store the version that another scale or language needs, if any; the project is locked."""
    newest = project.guidelines.first()
    if newest is None:
        return
    content: Guideline | RewritingGuideline
    if isinstance(before, RatingSettings) and isinstance(after, RatingSettings):
        content = rating.followed(complete(newest.content), before, after)
        was: Guideline | RewritingGuideline = complete(newest.content)
    else:
        content = rewriting.followed(newest.content, before.language, after.language)
        was = newest.content
    if content != was:
        _store(project, newest, content, by=by)


@transaction.atomic
def write(
    *,
    project: Project,
    content: Guideline,
    seen: int | None = None,
    why: str = "",
    is_announced: bool = False,
    by: User,
) -> GuidelineVersion:
    """Store a new version of a rating project's guideline. Earlier grades keep the version they were given under.

    Until the first grade the guideline's grades are the scale of the project. From then on they stay, and types may be
    added and retired. `seen` is the number of the version that was edited. Where the new one `is_announced`, raters are
    shown what is new before their next pair. Raises Refused: for a newer version, for flaws, for a scale or a type that
    is fixed by now. Then nothing has changed.
    """
    refusal = gettext(
        "Not published: %(who)s published version %(number)s while you edited version %(seen)s; your changes are now "
        "on top of it. Look at them, then publish again."
    )
    locked, newest = _locked(project, seen, refusal)
    if found := flaws(content, locked.rating.language):
        raise Refused(f"guideline_{found[0].code}", gettext(found[0].sentence) % found[0].params, field=found[0].place)
    scale = scale_of(content)
    if scale != locked.rating.grades:
        _change_scale(locked, scale, by=by)
    elif newest is not None and has_grades(locked):
        try:
            must_keep_types(complete(newest.content), content)
        except ChoiceError as wrong:
            raise Refused.by_rule("type_fixed", wrong) from wrong
    project.settings = locked.settings
    return _store(locked, newest, settled(content, in_latin), why=why, is_announced=is_announced, by=by)


@transaction.atomic
def write_for_rewriting(
    *, project: Project, content: RewritingGuideline, seen: int | None = None, why: str = "", by: User
) -> GuidelineVersion:
    """Store a new version of a rewriting project's guideline. Raises Refused as `write` does."""
    refusal = gettext(
        "Not saved: %(who)s wrote version %(number)s while you edited version %(seen)s. What you wrote is still here; "
        "compare it with theirs, then save again to replace it."
    )
    locked, newest = _locked(project, seen, refusal)
    for part, words in rewriting.texts_of(content):
        for key, length in (("zh", len(words["zh"])), ("en", len(words["en"]))):
            if length > rewriting.LONGEST:
                text = _("%(length)s characters; at most %(limit)s are allowed.")
                said = text % {"length": length, "limit": rewriting.LONGEST}
                raise Refused("guideline_too_long", said, field=f"{part}-{key}")
    return _store(locked, newest, content, why=why, by=by)


def _locked(project: Project, seen: int | None, refusal: str) -> tuple[Project, GuidelineVersion | None]:
    """Return the project, locked, and its newest version. Raises Refused where another one was edited."""
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    newest = locked.guidelines.select_related("created_by").first()
    if newest is not None and seen is not None and newest.number != seen:
        raise Refused(
            "changed_meanwhile",
            refusal % {"who": newest.created_by or gettext("another person"), "number": newest.number, "seen": seen},
        )
    return locked, newest


def _change_scale(project: Project, scale: rating.Scale, *, by: User) -> None:
    must_be_open(project, ["grades"])
    was = str(project.rating.grades)
    project.settings = {**project.settings, "grades": str(scale)}
    project.save(update_fields=["settings"])
    record(project, was=f"grades {was}", became=f"grades {scale}", scope=project, by=by)


def _store(
    project: Project,
    newest: GuidelineVersion | None,
    content: Any,
    *,
    why: str = "",
    is_announced: bool = False,
    by: User,
) -> GuidelineVersion:
    version = GuidelineVersion.objects.create(
        project=project,
        number=newest.number + 1 if newest else 1,
        content=content,
        why=why,
        is_announced=is_announced,
        created_by=by,
    )
    record(version, became="written", scope=project, by=by)
    return version
