"""What the plan of a study shows: its sentence, its parts with what is missing, what it will be able to tell."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from core.actions.refusals import Refused
from study.actions.survey import plans as dealing
from study.actions.survey.plans import DealtForms
from study.domain.results.exclusions import RULES, thresholds_of
from study.domain.results.planning import HalfWidth
from study.forms.plan import AnalysisForm, ChecksForm, DerivedGroupForm, MixForm, PayForm, PlanForm, RulesForm
from study.forms.runs import ablation_title
from study.models import Study
from study.models.people import StudyGroup
from study.presenters.planner import Planner, Sizes, planner_of
from study.presenters.study_mix import mix_of_groups
from study.selectors.survey import plans
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.own_questions import still_to_write
from study.selectors.survey.plans import CONSENT, StudyProspect, newest_text

PEOPLE = 100  # whom the planner begins with where no group has a quota
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


@dataclass(frozen=True)
class Planned:
    """What a group of a study will tell: its sizes and their half-width."""

    group: StudyGroup
    sizes: Sizes

    @property
    def now(self) -> HalfWidth:
        return self.sizes.width


@dataclass(frozen=True)
class PlanOutlook:
    """What opening a draft would find: its forms, or why it has none, and what its largest group will tell."""

    prospect: StudyProspect
    dealt: DealtForms | None
    problem: str
    planned: Planned | None


def outlook_of(study: Study, prospect: StudyProspect) -> PlanOutlook:
    """Return what opening would find. Forms are dealt only where a mix or conditions decide how they come out."""
    dealt, problem = None, ""
    try:
        dealing.check_derived(study)
        if study.survey.mixes or _conditions(study):
            dealt = dealing.deal(study)
    except Refused as refused:
        problem = str(refused) if prospect.is_ready else ""
    return PlanOutlook(prospect, dealt, problem, planned_of(study, prospect))


def planned_of(study: Study, prospect: StudyProspect) -> Planned | None:
    """Return what the group with most places will tell; None without a quota or enough questions."""
    group = study.groups.exclude(quota=None).order_by("-quota").first()
    if group is None or not group.quota or not prospect.is_ready:
        return None
    return Planned(group, _sizes(prospect, group.quota))


def planner_page(planned: Planned | None, prospect: StudyProspect, sent: QueryDict | None) -> Planner | None:
    """Return the planner, of the largest group unless other sizes are sent; None without enough questions."""
    if not prospect.is_ready:
        return None
    return planner_of(planned.sizes if planned else _sizes(prospect, PEOPLE), sent)


def _sizes(prospect: StudyProspect, people: int) -> Sizes:
    return Sizes(people, min(prospect.questions, prospect.wanted), prospect.needed)


def sentence_of(study: Study, prospect: StudyProspect) -> str:
    """Return the plan in a sentence, written from the settings."""
    said = {
        "who": _(", ").join(_people(group) for group in study.groups.all()),
        "each": prospect.needed,
        "questions": prospect.questions,
        "time": _time(study.survey.minutes),
        "conditions": len(_conditions(study)) + 1,
    }
    if not prospect.is_ready:
        return _("%(who)s will answer questions; there are not enough of them yet.") % said
    if _conditions(study):
        text = _("%(who)s: each answers %(each)s of %(questions)s questions %(time)s, in %(conditions)s conditions.")
    else:
        text = _("%(who)s: each answers %(each)s of %(questions)s questions %(time)s.")
    return text % said


def _people(group: StudyGroup) -> str:
    if group.quota is None:
        return _("people of %(group)s") % {"group": group.name}
    text = ngettext("%(count)s person of %(group)s", "%(count)s people of %(group)s", group.quota)
    return text % {"count": f"{group.quota:,}", "group": group.name}


def _time(minutes: int) -> str:
    if not minutes:
        return _("without a time limit")
    return ngettext("within %(minutes)s minute", "within %(minutes)s minutes", minutes) % {"minutes": minutes}


def _conditions(study: Study) -> list[str]:
    """Return the conditions of context beside the whole one."""
    found = plans.counting_questions(study).exclude(condition="").order_by("condition")
    return list(found.values_list("condition", flat=True).distinct())


def condition_square(study: Study, dealt: DealtForms | None) -> list[tuple[str, list[int]]]:
    """Return how many questions of each form are in each condition; [] without conditions."""
    names = _conditions(study)
    if not names or dealt is None:
        return []
    forms = [Counter(question.condition for question in form) for form in dealt.forms]
    titles = [("", _("whole context")), *((name, ablation_title(name)) for name in names)]
    return [(str(title), [form[name] for form in forms]) for name, title in titles]


def rules_of(study: Study) -> list[str]:
    """Return the exclusion rules of a study in words, with their thresholds."""
    return [_rule(name, threshold) for name, threshold in thresholds_of(study.survey).items()]


def _rule(name: str, threshold: int | None) -> str:
    return gettext(RULES[name]) % {"n": threshold}


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
        look = _("some questions stand in several forms")

    def section(anchor: str, label: str, look: str = "", missing: str = "") -> PlanSection:
        return PlanSection(section_of(study, anchor), anchor, label, look, missing)

    return [
        section("questions", _("Questions and forms"), look, missing),
        section("groups", _("Groups and links"), missing=outlook.problem),
        section("texts", _("Consent and instructions"), _about_texts(study)),
        section("demographics", _("Questions about people")),
        section("practice", _("Practice and attention checks"), _about_checks(study), _missing_own(study)),
        section("settings", _("Time and settings")),
        section("pay", _("Pay"), "" if survey.pay or survey.pay_text else _("nothing is said about pay")),
        section("rules", _("Exclusion rules")),
        section("analysis", _("Analysis plan"), _about_analysis(study)),
        *([section("experts", _("Experts"))] if survey.is_signed_in else []),
        section("planner", _("Planner"), _about_width(study, outlook.planned)),
    ]


def _about_texts(study: Study) -> str:
    if plans.names_no_person(study):
        return _("the consent names no one whom participants can turn to")
    if plans.is_first(newest_text(study, CONSENT)):
        return _("still the wording that the study came with")
    return ""


def _missing_own(study: Study) -> str:
    missing = sum(max(0, count) for count in still_to_write(study).values())
    text = ngettext("%(counter)s question is to be written", "%(counter)s questions are to be written", missing)
    return text % {"counter": missing} if missing else ""


def _about_checks(study: Study) -> str:
    if study.survey.is_signed_in:
        return ""
    if not study.survey.checks:
        return _("no attention check")
    if study.survey.checks == 1 and study.survey.failed_checks:
        return _("one check; Prolific asks for two failed ones before a rejection")
    return ""


def _about_analysis(study: Study) -> str:
    survey = study.survey
    return "" if survey.primary_group and survey.primary_against else _("no primary contrast")


def _about_width(study: Study, planned: Planned | None) -> str:
    if planned is None:
        return _("a group without a quota tells no width")
    margin = float(study.survey.margin or 0)
    width = 100 * planned.now.together
    if margin and width > margin:
        return _("± %(width)s against a margin of ± %(margin)s") % {
            "width": f"{width:.1f}",
            "margin": study.survey.margin,
        }
    return ""


def public_plan_of(study: Study) -> dict[str, Any]:
    """Return what anyone may read of a frozen plan: no text of a question or a check, and not what is right."""
    plan = study.plan or {}
    own = Counter(each["purpose"] for each in plan["own_questions"])
    rules = plan.get("rules", [])
    return {
        "study": study,
        "plan": plan,
        "survey": study.survey,
        "practice": own["practice"],
        "checks": own["check"],
        "rules": [_rule(each["rule"], each["threshold"]) for each in rules],
        "forms": [(number, names) for number, names in enumerate(plan["forms"], start=1)],
        "deviations": study.deviations.all(),
    }


def plan_context(study: Study, prospect: StudyProspect) -> dict[str, Any]:
    """Return what the parts of a plan show, in a draft and once it is frozen."""
    return {
        "sentence": sentence_of(study, prospect),
        "about_people": demographics_of(study),
        "rules": rules_of(study),
        "derived_groups": study.survey.derived_groups,
        "mixes": study.survey.mixes,
        "mix_of_groups": mix_of_groups(study, prospect),
        "deviations": study.deviations.select_related("created_by"),
        "copies": study.copies.all(),
    }


def plan_forms(study: Study, prospect: StudyProspect, sent: QueryDict | None = None) -> dict[str, PlanForm]:
    """Return the forms of a draft's plan, by the name of its part and `_form`."""
    corpora = [corpus for corpus, _count in prospect.by_corpus if corpus]
    return {
        "checks_form": ChecksForm(sent, study=study),
        "rules_form": RulesForm(sent, study=study),
        "pay_form": PayForm(sent, study=study),
        "analysis_form": AnalysisForm(sent, study=study, corpora=corpora),
        "mix_form": MixForm(sent, study=study, corpora=corpora),
        "derived_form": DerivedGroupForm(sent, study=study, corpora=corpora, asked=demographics_of(study)),
    }
