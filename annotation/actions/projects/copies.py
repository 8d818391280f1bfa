"""Another project with the settings of one: to go on with other texts, or to begin again."""

from django.db import transaction

from annotation.actions.projects import projects
from annotation.models import CleaningRule, GuidelineVersion, Kind, Project
from core.actions import names
from core.actions.events import record
from core.models import User


@transaction.atomic
def duplicate(*, project: Project, slug: str, title: str = "", with_members: bool = False, by: User) -> Project:
    """Create a project with the settings, guideline, licence, profile of annotators and cleaning rules of one.

    It has no items and no one's work, and a secret of its own. The guideline is its first version. `by` is its
    researcher; the other members who can sign in get their roles only `with_members`. Raises Refused when the name is
    taken, and when the project has just been deleted.
    """
    names.keep([project.slug])
    copy = projects.create(
        slug=slug,
        title=title or project.title,
        kind=Kind(project.kind),
        settings=project.chosen.as_mapping(),
        source_licence=project.source_licence,
        annotator_profile=project.annotator_profile,
        seed=project.seed,
        by=by,
    )
    if newest := project.guidelines.first():  # in place of the usual one, which no one has seen
        GuidelineVersion.objects.filter(project=copy).update(content=newest.content)
    for rule in project.cleaning_rules.order_by("pk"):
        CleaningRule.objects.create(project=copy, key=rule.key, words=rule.words, is_on=rule.is_on)
    if with_members:
        for membership in project.memberships.filter(person__is_active=True).exclude(person=by):
            projects.join(project=copy, person=membership.person, role=membership.role, by=by)
    record(copy, became="copy", why=project.slug, scope=copy, by=by)
    return copy
