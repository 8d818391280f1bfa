"""The side navigation of a project's pages."""

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Flag, Kind, Project
from annotation.selectors.adjudication import waiting_in
from annotation.selectors.cleaning.cleaning import waiting_in as waiting_to_clean
from core.permissions import AuthenticatedRequest, may
from core.presenters.navigation import NavigationEntry, NavigationGroup, is_at


def rail_of(project: Project, request: AuthenticatedRequest) -> list[NavigationGroup]:
    """Return the side navigation of a project's pages, without entries that the person may not see."""

    def entry(name: str, label: str, count: int | None = None, also: tuple[str, ...] = ()) -> NavigationEntry:
        key = "b" if name == "board" else ""
        return NavigationEntry(label, reverse(name, args=[project.slug]), is_at(request, name, *also), count, key)

    is_rating = project.kind == Kind.RATING
    to_clean = waiting_to_clean(project) or None if is_rating else None
    cleaning = [entry("cleaning", _("Cleaning"), to_clean, also=("marked_pairs",))] if is_rating else []
    judged = may(request.user, "raters.judge", within=project) and (is_rating or project.rewriting.practice > 0)
    quality = [entry("quality", _("Quality"))] if is_rating else []
    annotators = [*quality, entry("qualification", _("Qualification"), also=("annotator",))] if judged else []
    if not may(request.user, "project.view", within=project):
        groups = [
            NavigationGroup(_("Watch"), annotators),
            NavigationGroup(_("Work"), [*cleaning, *_decisions(project, request)]),
        ]
        return [group for group in groups if group.entries]
    flags = entry("flags", _("Flags"), Flag.objects.of_project(project).open().count())
    units = entry(*(("pairs", _("Pairs")) if is_rating else ("items", _("Items"))), project.items.work().count())
    gold = [entry("gold", _("Gold pairs"))] if is_rating else []
    agreement = [entry("agreement", _("Agreement"))] if is_rating else []
    return [
        NavigationGroup(_("Watch"), [entry("board", _("Board")), *agreement, *annotators]),
        NavigationGroup(
            _("Work"),
            [
                entry("imports", _("Import"), project.imports.count(), also=("import",)),
                *cleaning,
                units,
                flags,
                *gold,
            ],
        ),
        NavigationGroup(
            _("Publish"),
            [
                entry("releases", _("Releases"), project.releases.count(), also=("release", "freeze", "audit_release")),
            ],
        ),
        NavigationGroup(
            _("Set up"),
            [
                entry("members", _("People"), project.memberships.count(), also=("invite_member",)),
                entry("guideline", _("Guideline")),
                entry("settings", _("Settings")),
            ],
        ),
    ]


def _decisions(project: Project, request: AuthenticatedRequest) -> list[NavigationEntry]:
    """Return the entry of adjudication for a person who may adjudicate, else nothing."""
    if (
        project.kind != Kind.RATING
        or not project.rating.adjudicate
        or not may(request.user, "pairs.adjudicate", within=project)
    ):
        return []
    waiting = waiting_in(project, request.user)
    return [
        NavigationEntry(
            _("Adjudication"), reverse("adjudicate", args=[project.slug]), is_at(request, "adjudicate"), waiting
        )
    ]
