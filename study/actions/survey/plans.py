"""What is fixed when a study is opened: the questions of each form in their conditions, and the plan."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.actions.refusals import Refused
from study.baselines.catalogue import UPLOADED
from study.baselines.registry import key_called
from study.domain.results.exclusions import thresholds_of
from study.domain.results.families import PlannedContrasts
from study.domain.results.metrics import metrics_given
from study.domain.survey.mix import Mix
from study.domain.survey.plan import AskedQuestion, PlannedQuestion, TooFewOfCorpus, deal_forms, in_conditions
from study.models import Question, Study
from study.selectors.questions.audits import stored_findings
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.own_questions import still_to_write
from study.selectors.survey.plans import TEXTS, counting_questions, newest_text

SHORTEST_REASON, LONGEST_REASON = 10, 2_000  # characters; “x” is no reason


def _questions(study: Study) -> dict[AskedQuestion, Question]:
    rows = (
        counting_questions(study)
        .select_related("question_set")
        .defer("context", "candidates", "origins")
        .order_by("pk")
    )
    return {AskedQuestion(PlannedQuestion(each.corpus, named(each)), each.condition): each for each in rows}


def named(question: Question) -> str:
    """Return a question's name, unique within its study; in each condition it is the same."""
    return f"{question.question_set.name}/{question.name}" if question.question_set else question.name


@dataclass(frozen=True)
class DealtForms:
    """The questions of each form, form 1 first, and the numbers of each group's forms; {} where all have all."""

    forms: list[list[Question]]
    of_group: dict[str, list[int]]


def deal(study: Study) -> DealtForms:
    """Return the questions of each form, each in one of its conditions. Raises Refused without enough of them.

    Groups with one mix of corpora share their forms.
    """
    questions = _questions(study)
    conditions: dict[PlannedQuestion, list[str]] = {}
    for each in questions:
        conditions.setdefault(each.question, []).append(each.condition)
    _check_enough(study, conditions)
    groups = list(study.groups.values_list("name", flat=True))
    mixes = study.survey.mixes
    if unknown := sorted(set(mixes) - set(groups)):
        message = _("The mix names the group “%(group)s”, which is not in the study.")
        raise Refused("mix_wrong", message % {"group": unknown[0]})
    asked: list[list[AskedQuestion]] = []
    of_group: dict[str, list[int]] = {}
    for mix, names in _by_mix(groups, mixes).items():
        dealt = in_conditions(_dealt(study, conditions, dict(mix)), conditions)
        numbers = range(len(asked) + 1, len(asked) + len(dealt) + 1)
        of_group |= {name: list(numbers) for name in names}
        asked += dealt
    return DealtForms([[questions[each] for each in form] for form in asked], of_group if mixes else {})


def _by_mix(groups: Sequence[str], mixes: Mapping[str, Mix]) -> dict[tuple[tuple[str, int], ...], list[str]]:
    """Return the groups of each mix, () for even shares."""
    found: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name in groups:
        found.setdefault(tuple(sorted(mixes.get(name, {}).items())), []).append(name)
    return found


def _check_enough(study: Study, conditions: Mapping[PlannedQuestion, Sequence[str]]) -> None:
    _forms, per_form = study.survey.dealt(len(conditions))
    if not conditions:
        raise Refused("no_questions", _("The study has no questions. Choose a question set that has some."))
    if len(conditions) < per_form:
        text = ngettext(
            "A form has %(per_form)s questions, but the study has only %(counter)s. Reduce the questions per form.",
            "A form has %(per_form)s questions, but the study has only %(counter)s. Reduce the questions per form.",
            len(conditions),
        )
        raise Refused("too_few_questions", text % {"per_form": per_form, "counter": len(conditions)})
    if study.survey.minimum_answers > per_form:
        message = _("%(minimum)s answers are needed, and a form has %(per_form)s questions. Require fewer answers.")
        raise Refused("minimum_too_high", message % {"minimum": study.survey.minimum_answers, "per_form": per_form})


def _dealt(study: Study, conditions: Mapping[PlannedQuestion, Sequence[str]], mix: Mix) -> list[list[PlannedQuestion]]:
    questions = list(conditions)
    forms, per_form = study.survey.dealt(len(questions), max(map(len, conditions.values())))
    try:
        return deal_forms(questions, forms=forms, per_form=per_form, seed=study.seed, mix=mix)
    except TooFewOfCorpus as few:
        message = _("The mix needs %(wanted)s questions from “%(corpus)s” per form, but there are only %(there)s.")
        raise Refused("mix_too_large", message % vars(few)) from few
    except ValueError as wrong:
        message = _("The mix leaves questions without a corpus, or names one that is not in the study: %(corpus)s")
        raise Refused("mix_wrong", message % {"corpus": wrong}) from wrong


def check_derived(study: Study) -> None:
    """Refuse a derived group of a group, question, answer or corpus that the study has not. Raises Refused."""
    groups = set(study.groups.values_list("name", flat=True))
    answers = {question.key: question.answers for question in demographics_of(study)}
    corpora = set(counting_questions(study).values_list("corpus", flat=True))
    for derived in study.survey.derived_groups:
        known = answers.get(derived.question, {})
        wrong = [
            *({derived.group} - groups),
            *({derived.question} - set(answers)),
            *(set(derived.answers) - set(known)),
            *(set(derived.corpora) - corpora),
            *({derived.name} & groups),
        ]
        if wrong:
            message = _("The derived group “%(group)s” does not fit the study: “%(wrong)s”.")
            raise Refused("derived_wrong", message % {"group": derived.name, "wrong": wrong[0]})


def check_contrast(study: Study) -> None:
    """Refuse a primary contrast that no answers to the study can give. Raises Refused.

    What it is against may be a model that is yet to run, so that any name will do there but the group's own, and the
    one that all uploaded models share.
    """
    planned, questions = contrasts_of(study), counting_questions(study)
    if not planned.group:
        return
    groups = {*study.groups.values_list("name", flat=True), *(group.name for group in study.survey.derived_groups)}
    if planned.group not in groups:
        message = _("The primary contrast names the group “%(group)s”, which is not in the study.")
        raise Refused("contrast_group_unknown", message % {"group": planned.group})
    if planned.is_against(planned.group):
        message = _("The primary contrast compares the group “%(group)s” with itself. Choose another group or a model.")
        raise Refused("contrast_same_group", message % {"group": planned.group})
    if study.survey.primary_against.strip() and not planned.against:
        message = _("The primary contrast names nothing that “%(group)s” is compared with. Name a model or a group.")
        raise Refused("contrast_against_nothing", message % {"group": planned.group})
    _check_named_once(planned, groups)
    _check_have_figures(study, planned)
    if planned.corpus and not questions.filter(corpus=planned.corpus).exists():
        message = _("The primary contrast names the corpus “%(corpus)s”, which is not in the study.")
        raise Refused("contrast_corpus_unknown", message % {"corpus": planned.corpus})
    if planned.corpus:
        questions = questions.filter(corpus=planned.corpus)
    most = questions.aggregate(most=Max("candidates_count"))["most"]
    if most and planned.metric not in metrics_given(study.survey.answer, most):
        message = _("The primary contrast is in %(metric)s, which the answers do not give. Choose another metric.")
        raise Refused("contrast_metric", message % {"metric": planned.metric})


def _check_named_once(planned: PlannedContrasts, groups: Collection[str]) -> None:
    """Refuse the name of all uploaded models, and two names of one model, its key and its title. Raises Refused.

    Each name is a contrast of the family.
    """
    if planned.is_against(UPLOADED):
        message = _("The primary contrast names “%(name)s”, which many models are. Name the label of the predictions.")
        raise Refused("contrast_many_models", message % {"name": UPLOADED})
    own, first = {group.casefold() for group in groups}, dict[str, str]()
    for name in planned.against:
        key = None if name.casefold() in own else key_called(name)
        if key and first.setdefault(key, name) != name:
            message = _(
                "The primary contrast names one model twice, as “%(first)s” and “%(name)s”. Remove one of them."
            )
            raise Refused("contrast_named_twice", message % {"first": first[key], "name": name})


def _check_have_figures(study: Study, planned: PlannedContrasts) -> None:
    """Refuse a derived group off its corpora, where it has no figures, and beside its own people. Raises Refused."""
    derived = {group.name.casefold(): group for group in study.survey.derived_groups}
    are_several = counting_questions(study).order_by().values("corpus").distinct().count() > 1
    compared = [name.casefold() for name in (planned.group, *planned.against)]
    for group in (derived[name] for name in compared if name in derived):
        if are_several and planned.corpus not in group.corpora:
            text = _(
                "The group “%(group)s” has figures on %(corpora)s alone. Choose this corpus for the primary contrast."
            )
            raise Refused(
                "contrast_group_of_corpus", text % {"group": group.name, "corpora": _(", ").join(group.corpora)}
            )
        if group.group.casefold() in compared and planned.group in (group.group, group.name):
            text = _("People of “%(group)s” are in “%(whole)s” too. Compare them with another group or a model.")
            raise Refused("contrast_same_people", text % {"group": group.name, "whole": group.group})


def contrasts_of(study: Study) -> PlannedContrasts:
    """Return what the settings of a draft say of the primary contrast."""
    return PlannedContrasts.of(study.survey.as_mapping())


def check_own(study: Study) -> None:
    """Refuse fewer practice questions or checks than the settings ask for. Raises Refused."""
    if any(count > 0 for count in still_to_write(study).values()):
        text = _("Practice questions or attention checks are still to be written. Write them, or ask for fewer.")
        raise Refused("own_missing", text)


def plan_of(study: Study, dealt: DealtForms, reason: str) -> dict[str, Any]:
    """Return all that is fixed now, by name: equal material, settings and seed give an equal plan anywhere.

    Raises Refused where an audit found something in the questions and `reason`, for using them so, is empty.
    """
    newest = {kind: newest_text(study, kind) for kind in TEXTS}
    sets = study.question_sets.order_by("name")
    return {
        "language": study.language,
        "seed": study.seed,
        "settings": study.settings,
        "question_sets": [{"name": each.name, "checksum": each.checksum} for each in sets],
        "groups": [
            {"name": group.name, "quota": group.quota, "requires_id": group.requires_id}
            | ({"return_url": group.return_url} if group.return_url else {})
            for group in study.groups.order_by("name")
        ],
        "texts": {kind: {"number": text.number, "text": text.text} for kind, text in newest.items()},
        "demographics": [question.as_mapping() for question in demographics_of(study)],
        "own_questions": [_details(each) for each in study.own_questions.order_by("external_id")],
        "forms": [[_planned_name(question) for question in form] for form in dealt.forms],
        "forms_of_groups": dealt.of_group,
        "mix": study.survey.mixes,
        "derived_groups": [group._asdict() for group in study.survey.derived_groups],
        "rules": [{"rule": name, "threshold": n} for name, n in thresholds_of(study.survey).items()],
        "analysis": _chosen(study, "primary_group", "primary_against", "primary_metric", "primary_corpus", "margin")
        | {"text": study.survey.analysis},
        "pay": _chosen(study, "pay", "currency", "pay_text"),
        "pilot": study.survey.pilot,
        **({"closes_on": str(study.closes_on)} if study.closes_on else {}),
        **_findings(study, reason),
    }


def _details(question: Question) -> dict[str, Any]:
    """Return what the plan keeps of an own question: all that people are shown of it, and what is right."""
    own = {"purpose": question.purpose, "context": question.context, "candidates": question.candidates}
    more = {"explanation": question.explanation, "place": question.place}
    return own | {name: value for name, value in more.items() if value}


def _chosen(study: Study, *names: str) -> dict[str, Any]:
    return {name: getattr(study.survey, name) for name in names}


def _findings(study: Study, reason: str) -> dict[str, Any]:
    """Return what audits found in the question sets, and why they are used so; {} where nothing was found."""
    found = stored_findings(study)
    if not found:
        return {}
    if len(reason) < SHORTEST_REASON:
        text = _(
            "The audit of “%(name)s” has findings. Explain in 10 characters or more why it can "
            "be used, or draw another set."
        )
        raise Refused("reason_missing", text % {"name": found[0][0]}, field="reason")
    if len(reason) > LONGEST_REASON:
        text = _("The reason has at most %(most)s characters.")
        raise Refused("reason_long", text % {"most": LONGEST_REASON}, field="reason")
    sets = [{"question_set": name, "findings": findings} for name, findings in found]
    return {"findings": sets, "reason": reason}


def _planned_name(question: Question) -> str:
    return f"{named(question)}@{question.condition}" if question.condition else named(question)
