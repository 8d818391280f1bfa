"""The next step of a project as the filled button of its board."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.next_step import OF_ARCHIVED, NextStep, ProjectFacts, next_step
from annotation.models import Kind, Project
from annotation.selectors.projects.next_step import facts_of


@dataclass(frozen=True)
class StepButton:
    """A link to the page where the next step is taken, and the icon before its label."""

    step: NextStep
    label: str
    href: str
    icon: str


def next_button(project: Project) -> StepButton | None:
    """Return the button of the next step; None if the project is archived and that step is work."""
    facts = facts_of(project)
    step = next_step(facts)
    if project.archived_at and step not in OF_ARCHIVED:
        return None
    is_rating = project.kind == Kind.RATING
    page, label, icon = (_of_rating if is_rating else _of_rewriting)(step, facts)
    arguments = [project.slug, facts.release] if page == "release" else [project.slug]
    return StepButton(step, label, reverse(page, args=arguments), icon)


def _of_rating(step: NextStep, facts: ProjectFacts) -> tuple[str, str, str]:
    """Return address name, label and icon."""
    to_clean = ngettext("Clean one pair", "Clean %(count)d pairs", facts.to_clean) % {"count": facts.to_clean}
    return {
        NextStep.IMPORT: ("imports", _("Import pairs"), "upload"),
        NextStep.PEOPLE: ("members", _("Add people"), "plus"),
        NextStep.SCAN: ("cleaning", _("Scan pairs before rating"), "search"),
        NextStep.CLEAN: ("clean", to_clean, "arrow-right"),
        NextStep.GOLD: ("gold", _("Import gold pairs"), "upload"),
        NextStep.WORK: ("quality", _("See the raters' work"), "arrow-right"),
        NextStep.AGREEMENT: ("agreement", _("View agreement"), "arrow-right"),
        **_release(facts),
    }[step]


def _of_rewriting(step: NextStep, facts: ProjectFacts) -> tuple[str, str, str]:
    return {
        NextStep.IMPORT: ("imports", _("Import items"), "upload"),
        NextStep.PEOPLE: ("members", _("Add people"), "plus"),
        NextStep.GOLD: ("imports", _("Import practice items"), "upload"),
        NextStep.WORK: ("items", _("See the items"), "arrow-right"),
        NextStep.AGREEMENT: ("items", _("See the items"), "arrow-right"),
        **_release(facts),
    }[step]


def _release(facts: ProjectFacts) -> dict[NextStep, tuple[str, str, str]]:
    opened = _("Open release %(number)s") % {"number": facts.release}
    return {
        NextStep.RELEASE: ("releases", _("Freeze a release"), "lock"),
        NextStep.READ_RELEASE: ("release", opened, "arrow-right"),
    }
