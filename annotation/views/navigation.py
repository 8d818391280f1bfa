"""What stands around a page: the main navigation, a project's rail, the theme."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from annotation.models import Flag, Kind, Project
from annotation.permissions import may
from annotation.selectors.adjudication import waiting_in

THEMES = ("light", "dark")


@dataclass(frozen=True)
class Entry:
    label: str
    href: str
    is_current: bool
    count: int | None = None


@dataclass(frozen=True)
class Group:
    label: str
    entries: list[Entry]


def navigation(request: HttpRequest) -> dict[str, Any]:
    """For every template (see the TEMPLATES setting)."""
    person = getattr(request, "user", None)
    own = getattr(person, "theme", "") or request.COOKIES.get("theme", "")
    theme = own if own in THEMES else ""
    return {
        "theme": theme,
        "other_theme": "light" if theme == "dark" else "dark",
        "main_nav": main_nav(request) if person is not None and person.is_authenticated else [],
    }


def way_back(request: HttpRequest) -> str:
    """The page a form says it was sent from, when it is one of ours; else home."""
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return page if is_ours else reverse("home")


def main_nav(request: HttpRequest) -> list[Entry]:
    wanted = [
        (_("Home"), "home", ["home"]),
        (_("Corpora"), "corpus.read", ["corpora", "corpus", "corpus_import", "audit_corpus"]),
        (_("Questions"), "questions.read", ["question_sets", "question_set"]),
        (_("Studies"), "study.view", ["studies", "new_study", "study", "study_text", "preview_study", "results"]),
        (_("Runs"), "run.start", ["runs", "start_run", "run"]),
        (_("People"), "people.invite", ["people", "invite", "person", "person_password"]),
        (_("API"), "api.read", ["api_reference"]),
    ]
    return [
        Entry(label, reverse(names[0]), _is_at(request, *names))
        for label, permission, names in wanted
        if may(request.user, permission)
    ]


def rail_of(project: Project, request: HttpRequest) -> list[Group]:
    """The rail of a project's pages, as far as the person may see them."""

    def entry(name: str, label: str, count: int | None = None, also: tuple[str, ...] = ()) -> Entry:
        return Entry(label, reverse(name, args=[project.slug]), _is_at(request, name, *also), count)

    is_rating = project.kind == Kind.RATING
    cleaning = [entry("cleaning", _("Cleaning"))] if is_rating else []
    judged = may(request.user, "raters.judge") and (is_rating or project.rewriting.practice > 0)
    quality = [entry("quality", _("Quality"))] if is_rating else []
    raters = [*quality, entry("qualification", _("Qualification"), also=("rater",))] if judged else []
    if not may(request.user, "project.view"):
        groups = [Group(_("Watch"), raters), Group(_("Work"), [*cleaning, *_decisions(project, request)])]
        return [group for group in groups if group.entries]
    flags = entry("flags", _("Flags"), Flag.objects.of_project(project).open().count())
    units = entry(*(("pairs", _("Pairs")) if is_rating else ("items", _("Items"))), project.items.work().count())
    gold = [entry("gold", _("Gold pairs"))] if is_rating else []
    agreement = [entry("agreement", _("Agreement"))] if is_rating else []
    return [
        Group(_("Watch"), [entry("board", _("Board")), *agreement, *raters]),
        Group(_("Work"), [
            entry("imports", _("Import"), project.imports.count(), also=("import",)), *cleaning, units, flags, *gold,
        ]),
        Group(_("Deliver"), [
            entry("releases", _("Releases"), project.releases.count(), also=("release", "freeze", "audit_release")),
        ]),
        Group(_("Set up"), [
            entry("members", _("People"), project.memberships.count()),
            *([entry("guideline", _("Guideline"))] if is_rating else []),
            entry("settings", _("Settings")),
        ]),
    ]  # fmt: skip


def _decisions(project: Project, request: HttpRequest) -> list[Entry]:
    """The way to the pairs that wait for a third person, for whoever may be that one."""
    if project.kind != Kind.RATING or not project.rating.adjudicate or not may(request.user, "pairs.adjudicate"):
        return []
    waiting = waiting_in(project, request.user)
    return [
        Entry(_("Adjudication"), reverse("adjudicate", args=[project.slug]), _is_at(request, "adjudicate"), waiting)
    ]


def _is_at(request: HttpRequest, *names: str) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in names
