"""What is fixed when a study is opened: the questions of each form in their conditions, and the plan."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.actions.refusals import Refused
from study.domain.survey.plan import AskedQuestion, PlannedQuestion, deal_forms, in_conditions
from study.models import Question, Study
from study.selectors.questions.audits import stored_findings
from study.selectors.survey.plans import TEXTS, counting_questions, newest_text

LONGEST_REASON = 2_000  # characters


def _questions(study: Study) -> dict[AskedQuestion, Question]:
    rows = counting_questions(study).select_related("question_set").order_by("pk")
    return {AskedQuestion(PlannedQuestion(each.corpus, named(each)), each.condition): each for each in rows}


def named(question: Question) -> str:
    """Return a question's name, unique within its study; in each condition it is the same."""
    return f"{question.question_set.name}/{question.name}" if question.question_set else question.name


def forms_of(study: Study) -> list[list[Question]]:
    """Return the questions of each form, each in one of its conditions. Raises Refused without enough of them."""
    questions = _questions(study)
    return [[questions[asked] for asked in form] for form in _dealt(study, list(questions))]


def _dealt(study: Study, asked: list[AskedQuestion]) -> list[list[AskedQuestion]]:
    conditions: dict[PlannedQuestion, list[str]] = {}
    for each in asked:
        conditions.setdefault(each.question, []).append(each.condition)
    questions = list(conditions)
    most = max(map(len, conditions.values()), default=1)
    forms, per_form = study.survey.dealt(len(questions), most)
    if not questions:
        raise Refused("no_questions", _("The study has no questions. Choose a question set that has some."))
    if len(questions) < per_form:
        text = ngettext(
            "A form has %(per_form)s questions, the study only %(counter)s. Change it to fewer a form.",
            "A form has %(per_form)s questions, the study only %(counter)s. Change it to fewer a form.",
            len(questions),
        )
        raise Refused("too_few_questions", text % {"per_form": per_form, "counter": len(questions)})
    if study.survey.minimum_answers > per_form:
        message = _("%(minimum)s answers are needed, and a form has %(per_form)s questions. Ask for fewer answers.")
        raise Refused("minimum_too_high", message % {"minimum": study.survey.minimum_answers, "per_form": per_form})
    return in_conditions(deal_forms(questions, forms=forms, per_form=per_form, seed=study.seed), conditions)


def plan_of(study: Study, forms: list[list[Question]], reason: str) -> dict[str, Any]:
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
            for group in study.groups.order_by("name")
        ],
        "texts": {kind: {"number": text.number, "text": text.text} for kind, text in newest.items()},
        "own_questions": [
            {"purpose": each.purpose, "context": each.context, "candidates": each.candidates}
            for each in study.own_questions.order_by("external_id")
        ],
        "forms": [[_planned_name(question) for question in form] for form in forms],
        **_findings(study, reason),
    }


def _findings(study: Study, reason: str) -> dict[str, Any]:
    """Return what audits found in the question sets, and why they are used so; {} where nothing was found."""
    found = stored_findings(study)
    if not found:
        return {}
    if len(reason) < 10:  # “x” is no reason
        text = _(
            "The audit of “%(name)s” has findings. Write in 10 characters or more why it can be used, or draw others."
        )
        raise Refused("reason_missing", text % {"name": found[0][0]})
    if len(reason) > LONGEST_REASON:
        raise Refused("reason_long", _("The reason has at most %(most)s characters.") % {"most": LONGEST_REASON})
    sets = [{"question_set": name, "findings": findings} for name, findings in found]
    return {"findings": sets, "reason": reason}


def _planned_name(question: Question) -> str:
    return f"{named(question)}@{question.condition}" if question.condition else named(question)
