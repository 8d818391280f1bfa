"""Create projects, change their settings, and add or remove members."""

import json
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.projects import guidelines
from annotation.actions.projects.fixed import must_be_open
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.models import Kind, Membership, Project, Purpose, Queue, Slot, Step
from core.actions import names
from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import digest, normalise, one_line
from core.domain.wording import ChoiceError
from core.models import Role, User
from core.permissions import may_give, roles_of

SETTINGS: dict[str, type[RatingSettings] | type[RewritingSettings]] = {
    Kind.RATING: RatingSettings,
    Kind.REWRITING: RewritingSettings,
}
STEPS = {Kind.RATING: (Step.RATE, Step.CLEAN), Kind.REWRITING: (Step.WRITE, Step.INSPECT)}


@transaction.atomic
def create(
    *,
    slug: str,
    kind: str,
    title: str = "",
    settings: Mapping[str, object] | None = None,
    source_licence: str = "",
    annotator_profile: str = "",
    seed: int = 0,
    by: User,
) -> Project:
    """Create a project with its queues and its first guideline; `by` becomes its researcher unless they are an
    administrator.

    Raises Refused if the slug is taken or a setting is unknown or out of range.
    """
    if kind not in STEPS:
        raise Refused("kind_unknown", _("A project is for rating or for rewriting."))
    chosen = _settings(kind, settings or {})
    project = Project(
        slug=slug,
        kind=kind,
        title=title or slug,
        settings=chosen.as_mapping(),
        source_licence=source_licence,
        annotator_profile=annotator_profile,
        seed=seed,
        created_by=by,
    )
    _check(project)  # first, because a name that is too long must not reach the database
    names.claim(slug, "project")
    _save(project)
    Queue.objects.bulk_create(Queue(project=project, step=step) for step in STEPS[Kind(kind)])
    disputes.follow_setting(project=project, by=by)
    guidelines.begin(project=project, by=by)
    if not by.is_administrator:
        Membership.objects.create(project=project, person=by, role=Role.RESEARCHER)
    record(project, became="created", scope=project, by=by)
    return project


@transaction.atomic
def change(
    *,
    project: Project,
    seen: str,
    title: str,
    source_licence: str,
    annotator_profile: str,
    settings: Mapping[str, object],
    why: str = "",
    by: User,
) -> Project:
    """Change title, licence, profile of the annotators and settings if they still are as `seen`.

    If it raises Refused, nothing has changed.
    """
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if seen != as_seen(locked):
        raise Refused(
            "changed_meanwhile",
            _(
                "Not saved: another person has changed these settings since you opened the page. "
                "Your choices are still here; save again to replace theirs."
            ),
        )
    described = {"title": title, "source_licence": source_licence, "annotator_profile": annotator_profile}
    if any(getattr(project, name) != value for name, value in described.items()):
        for name, value in described.items():
            setattr(project, name, value)
        _save(project)
        record(project, became="described", why=why, scope=project, by=by)
    change_settings(project=project, settings=settings, why=why, by=by)
    return project


def as_seen(project: Project) -> str:
    """Return a digest of what the settings page shows, 64 hexadecimal digits; it tells whether the settings changed."""
    described = (project.title, project.source_licence, project.annotator_profile)
    return digest(*described, json.dumps(project.chosen.as_mapping(), sort_keys=True))


@transaction.atomic
def change_settings(*, project: Project, settings: Mapping[str, object], why: str = "", by: User) -> None:
    """Change some settings. The scale, the number of annotators and the gap are fixed after the first grade.

    A changed number of inspectors or share to inspect applies to later submissions; a changed `adjudicate` applies to
    all pairs without a decision. The guideline follows another scale or language in a new version. If it raises
    Refused, nothing has changed.
    """
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    chosen_before = locked.chosen
    before = chosen_before.as_mapping()
    chosen = _settings(locked.kind, {**before, **settings})
    after = chosen.as_mapping()
    changed = [name for name in after if after[name] != before[name]]
    must_be_open(locked, changed)
    if "raters" in changed:
        _change_required(locked, int(after["raters"]))
    if {"grades", "language"} & {*changed}:
        guidelines.follow_settings(project=locked, before=chosen_before, after=chosen, by=by)
    locked.settings = project.settings = after
    locked.save(update_fields=["settings"])
    for name in changed:
        record(locked, was=f"{name} {before[name]}", became=f"{name} {after[name]}", why=why, scope=locked, by=by)
    if "adjudicate" in changed:
        disputes.follow_setting(project=locked, by=by)


def _change_required(project: Project, raters: int) -> None:
    """Change all slots or none: a held slot keeps its slot numbers, so it is still found afterwards and causes a
    refusal.
    """
    rated = Slot.objects.filter(queue__project=project, queue__step=Step.RATE, item__purpose=Purpose.WORK)
    slots = rated.exclude(required=raters)
    slots.filter(free=F("required")).update(required=raters, free=raters)
    if slots.exists():
        raise Refused(
            "assignments_held",
            _("Not changed: people are rating right now. Change the number of raters when no one is."),
        )


@transaction.atomic
def add_member(*, project: Project, person: User, role: str, by: User) -> None:
    """Make the person a member of the project in this role; a member of another role changes to it.

    What they have done in another role stays and counts. Raises Refused for a role that `by` may not give (only an
    administrator makes a researcher of a person who is none yet), and to the only researcher who would stop being one.
    """
    if not (may_give(by, role) or role in roles_of(person)):
        raise Refused("role_too_high", _("Only an administrator can make someone a researcher."))
    if role != Role.RESEARCHER:
        _leave_a_researcher(project, person, by=by)
    join(project=project, person=person, role=role, by=by)


def _leave_a_researcher(project: Project, person: User, *, by: User) -> None:
    """Raise Refused for the only researcher of a project who would stop being one."""
    if person != by:
        return
    researchers = list(project.memberships.filter(role=Role.RESEARCHER)[:2])
    if [each.person_id for each in researchers] == [by.pk]:
        text = _("You are the only researcher of this project. Make another person its researcher first.")
        raise Refused("last_researcher", text)


def join(*, project: Project, person: User, role: str, by: User) -> None:
    """Store the person's role in the project, which `by` may give: in a project of their own, or by an invitation."""
    membership, new = Membership.objects.select_for_update().get_or_create(
        project=project, person=person, defaults={"role": role}
    )
    was = "" if new else membership.role
    if was != role:
        membership.role = role
        membership.save(update_fields=["role"])
        record(person, was=was, became=role, scope=project, by=by)


@transaction.atomic
def remove_member(*, project: Project, person: User, by: User) -> None:
    """Remove the person from the project; their work stays and counts. Raises Refused for its only researcher."""
    _leave_a_researcher(project, person, by=by)
    for membership in Membership.objects.filter(project=project, person=person):
        membership.delete()
        record(person, was=membership.role, became="left", scope=project, by=by)


def must_be(project: Project, kind: Kind) -> None:
    """Raise Refused for a project of another kind."""
    if project.kind != kind:
        text = _("This is not possible here: the project “%(project)s” is for another kind of work (%(kind)s).")
        raise Refused("kind_wrong", text % {"project": project.title, "kind": Kind(project.kind).label})


def _settings(kind: str, values: Mapping[str, object]) -> RatingSettings | RewritingSettings:
    try:
        return SETTINGS[kind].from_mapping(values)
    except ChoiceError as wrong:
        raise Refused.by_rule("settings_wrong", wrong) from wrong


def _check(project: Project) -> None:
    project.title, project.source_licence = one_line(project.title), one_line(project.source_licence)
    project.annotator_profile = normalise(project.annotator_profile)
    try:
        project.clean_fields(exclude=["created_by"])
    except ValidationError as wrong:
        raise Refused.by_fields("project_wrong", wrong, Project) from wrong


def _save(project: Project) -> None:
    _check(project)
    project.save()
