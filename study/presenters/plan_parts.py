"""Sections of a draft's plan in the list beside it, each with what is missing or should be looked at."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actions.refusals import Refused
from study.actions.survey.plans import check_contrast
from study.models import Study
from study.presenters.plan import Planned, PlanOutlook
from study.selectors.survey import plans
from study.selectors.survey.experts import experts_of
from study.selectors.survey.own_questions import still_to_write
from study.selectors.survey.plans import CONSENT, newest_text
from study.templatetags.results import half_points

OWN_PAGES = {
    "groups": "study_groups",
    "people": "study_people",
    "experts": "study_people",
}  # sections of the plan that are pages


@dataclass(frozen=True)
class PlanSection:
    """A section of the plan in the list beside it: ready, or with something to `look` at, or with what is `missing`.

    It is on the page of the plan at `anchor`, or on a page of its own; `href` says where.
    """

    href: str
    anchor: str
    label: str
    look: str = ""
    missing: str = ""


def section_of(study: Study, anchor: str) -> str:
    """Return the address of a section of the study's plan."""
    if anchor in OWN_PAGES:
        return reverse(OWN_PAGES[anchor], args=[study.slug])
    return reverse("study", args=[study.slug]) + f"#{anchor}"


def parts_of(study: Study, outlook: PlanOutlook) -> list[PlanSection]:
    """Return the sections of a draft's plan, each with what prevents opening or should be checked before."""
    prospect, survey = outlook.prospect, study.survey
    missing = look = ""
    if not prospect.questions:
        missing = _("no questions")
    elif not prospect.is_ready:
        missing = _("fewer questions than a form needs")
    elif prospect.shares_questions:
        look = _("some questions appear in several forms")

    def section(anchor: str, label: str, look: str = "", missing: str = "") -> PlanSection:
        return PlanSection(section_of(study, anchor), anchor, label, look, missing)

    return [
        section("questions", _("Questions and forms"), look, missing),
        section("groups", _("Groups and links"), missing=outlook.problem),
        section("texts", _("Consent and instructions"), _about_texts(study)),
        section("demographics", _("Questions about participants")),
        section("practice", _("Practice and attention checks"), _about_checks(study), _missing_own(study)),
        section("settings", _("Time and settings")),
        section("pay", _("Pay"), "" if survey.pay or survey.pay_text else _("pay is not mentioned")),
        section("rules", _("Exclusion rules")),
        section("analysis", _("Analysis plan"), _about_analysis(study), _wrong_contrast(study)),
        *([section("experts", _("Experts"), _about_experts(study))] if survey.is_signed_in else []),
        section("planner", _("Planner"), _about_width(study, outlook.planned)),
    ]


def _about_texts(study: Study) -> str:
    if plans.names_no_person(study):
        return _("the consent names no contact for participants")
    if plans.is_first(newest_text(study, CONSENT)):
        return _("still the default text, not edited yet")
    return ""


def _missing_own(study: Study) -> str:
    missing = sum(max(0, count) for count in still_to_write(study).values())
    text = ngettext(
        "%(counter)s question must still be written", "%(counter)s questions must still be written", missing
    )
    return text % {"counter": missing} if missing else ""


def _about_checks(study: Study) -> str:
    if study.survey.is_signed_in:
        return ""
    if not study.survey.checks:
        return _("no attention check")
    if study.survey.checks == 1 and study.survey.failed_checks:
        return _("one attention check; Prolific asks for two failed ones before a rejection")
    return ""


def _about_analysis(study: Study) -> str:
    survey = study.survey
    return "" if survey.primary_group and survey.primary_against else _("no primary contrast")


def _wrong_contrast(study: Study) -> str:
    try:
        check_contrast(study)
    except Refused as refused:
        return str(refused)
    return ""


def _about_experts(study: Study) -> str:
    return "" if experts_of(study).exists() else _("no experts yet: add those who take the study")


def _about_width(study: Study, planned: Planned | None) -> str:
    if planned is None:
        return _("without a quota for the group, no width can be estimated")
    margin = float(study.survey.margin or 0)
    width = planned.now.together
    if margin and 100 * width > margin:
        return _("± %(width)s against a margin of ± %(margin)s") % {
            "width": half_points(width),
            "margin": study.survey.margin,
        }
    return ""
