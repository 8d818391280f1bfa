"""What the plan of a study shows: its sentence, its parts, what it will be able to tell."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from core.actions.refusals import Refused
from study.actions.survey import plans as dealing
from study.actions.survey.plans import DealtForms
from study.domain.results.exclusions import RULES, thresholds_of
from study.domain.results.planning import HalfWidth
from study.domain.survey.demographics import DemographicQuestion
from study.domain.survey.survey import DerivedGroup
from study.forms.plan import AnalysisForm, ChecksForm, DerivedGroupForm, MixForm, PayForm, PlanForm, RulesForm
from study.forms.planner import NARROW, WIDE
from study.forms.runs import ablation_title
from study.models import Study
from study.models.people import StudyGroup
from study.presenters.planner import Sizes, planner_of
from study.presenters.study_mix import mix_of_groups
from study.selectors.survey import plans
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.plans import StudyProspect

PEOPLE = 100  # whom the planner begins with where no group has a quota


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
    """Return what the group with most places will tell; None without a quota or enough questions.

    Of a frozen plan it is the quota in it, whatever it was extended to since.
    """
    frozen = {group["name"]: group["quota"] for group in (study.plan or {}).get("groups", [])}
    planned = [(frozen.get(group.name, group.quota) or 0, group) for group in study.groups.order_by("name")]
    quota, group = max(planned, key=itemgetter(0), default=(0, None))
    if group is None or not quota or not prospect.is_ready:
        return None
    return Planned(group, _sizes(study, prospect, quota))


def planner_page(study: Study, outlook: PlanOutlook, sent: QueryDict | None) -> dict[str, Any]:
    """Return the sizes of the plan's largest group, and the planner, which takes others where they are sent.

    Both are None without enough questions.
    """
    if not outlook.prospect.is_ready:
        return {"sizes": None, "planner": None}
    sizes = outlook.planned.sizes if outlook.planned else _sizes(study, outlook.prospect, PEOPLE)
    return {"sizes": sizes, "planner": planner_of(sizes, sent)}


def _sizes(study: Study, prospect: StudyProspect, people: int) -> Sizes:
    """Return the sizes of a group. The half-width wanted is the margin of “similar”, where the plan has one."""
    sizes = Sizes(people, min(prospect.questions, prospect.wanted), prospect.needed)
    margin = float(study.survey.margin or 0)
    return replace(sizes, wanted=min(max(margin, NARROW), WIDE)) if margin else sizes


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
        return _("%(who)s will answer questions; there are not enough questions yet.") % said
    if _conditions(study):
        text = _("%(who)s: each answers %(each)s of %(questions)s questions %(time)s, in %(conditions)s conditions.")
    else:
        text = _("%(who)s: each answers %(each)s of %(questions)s questions %(time)s.")
    return text % said


def _people(group: StudyGroup) -> str:
    if group.quota is None:
        return _("%(group)s (any number of people)") % {"group": group.name}
    text = ngettext("%(count)s person in %(group)s", "%(count)s people in %(group)s", group.quota)
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
    return [rule_in_words(name, threshold) for name, threshold in thresholds_of(study.survey).items()]


def rule_in_words(name: str, threshold: int | None) -> str:
    """Return an exclusion rule with its threshold."""
    return gettext(RULES[name]) % {"n": threshold}


def derived_in_words(groups: Iterable[DerivedGroup], asked: Iterable[DemographicQuestion]) -> list[DerivedGroup]:
    """Return derived groups with the texts of their question and answers in the place of keys."""
    of_key = {question.key: question for question in asked}
    return [
        group._replace(
            question=of_key[group.question].text,
            answers=tuple(of_key[group.question].answers.get(key, key) for key in group.answers),
        )
        if group.question in of_key
        else group
        for group in groups
    ]


def plan_context(study: Study, prospect: StudyProspect) -> dict[str, Any]:
    """Return what the parts of a plan show, in a draft and once it is frozen."""
    asked = demographics_of(study)
    return {
        "sentence": sentence_of(study, prospect),
        "about_people": asked,
        "rules": rules_of(study),
        "derived_groups": derived_in_words(study.survey.derived_groups, asked),
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
