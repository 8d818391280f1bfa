"""Methods of a study in sentences, made from its settings, its frozen plan and the recipes of its question sets."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actions.refusals import sentence_space
from study.domain.survey.phases import StudyState
from study.models import QuestionSet
from study.presenters.plan import rules_of
from study.presenters.questions.questions import brings_own_candidates, conditions_of, picked_of
from study.presenters.results.results import left_out_by_hand
from study.presenters.results.run_names import names_of_runs
from study.selectors.reports.facts import ReportFacts


def methods_of(facts: ReportFacts) -> list[str]:
    """Return the paragraphs: material, people, figures."""
    parts = (_material(facts), _people(facts), _figures(facts))
    return [paragraph for part in parts if (paragraph := sentence_space().join(part))]


def _material(facts: ReportFacts) -> Iterator[str]:
    survey = facts.study.survey
    for each in facts.sets:
        yield from _set(each)
    if facts.study.is_imported:
        yield _(
            "The answers were given elsewhere and imported: how they were collected, and who was left out, must be "
            "described by the authors."
        )
        return
    forms, per_form = len(facts.planned.get("forms", [])), len((facts.planned.get("forms") or [[]])[0])
    if survey.assign == "all":
        yield _("Each person was asked every question.")
    elif forms:
        text = ngettext(
            "%(forms)s form of %(each)s questions was made from them (seed %(seed)s); each person had one form.",
            "%(forms)s forms of %(each)s questions were made from them (seed %(seed)s); each person had one form.",
            forms,
        )
        yield text % {"forms": forms, "each": per_form, "seed": facts.study.seed}


def _set(found: QuestionSet) -> Iterator[str]:
    recipe = found.recipe
    if "count" not in recipe:
        yield _("The questions are those of the set “%(name)s”.") % {"name": found.name}
        return
    said = {
        "name": found.name,
        "count": f"{recipe['count']:,}",
        "sources": _(", ").join(source["name"] for source in recipe["sources"]),
        "seed": found.seed,
        "turns": recipe.get("max_turns", 0),
        "distractors": recipe.get("distractors", 0),
        "picked": picked_of(found),
    }
    yield _("%(count)s questions were drawn from %(sources)s (set “%(name)s”, seed %(seed)s).") % said
    if brings_own_candidates(found):
        yield _("Each question kept its own context, true next turn and distractors.")
    else:
        yield from _drawn(said)
    if conditions := conditions_of(found):
        names = _(", ").join(name for name, _number in conditions)
        yield _("Some were asked in a changed context (%(conditions)s); no one was asked the same question twice.") % {
            "conditions": names
        }


def _drawn(said: dict[str, Any]) -> Iterator[str]:
    if said["turns"]:
        text = _("Each question has a context of at most %(turns)s turns and its true next turn among distractors.")
        yield text % said
    yield _("Distractors for each question: %(distractors)s (%(picked)s).") % said


ANSWERS = {
    "first": lambda: _("Participants chose one line for each question."),
    "first-second": lambda: _("Participants gave a first and a second choice for each question."),
    "ranking": lambda: _("Participants put all lines of each question in order."),
}


def _people(facts: ReportFacts) -> Iterator[str]:
    study, survey, found = facts.study, facts.study.survey, facts.found
    if not study.is_imported:
        yield ANSWERS[survey.answer]()
        if survey.minutes:
            yield _("They had %(minutes)s minutes for all of them, timed by the server.") % {"minutes": survey.minutes}
        else:
            yield _("They had no time limit.")
        yield _("The order of questions and of lines was drawn for each person.")
        checks = {"practice": survey.practice, "checks": survey.checks_asked}
        yield _("Practice questions: %(practice)s; attention checks: %(checks)s.") % checks
        joined = ngettext("%(joined)s person joined.", "%(joined)s people joined.", facts.joined)
        yield joined % {"joined": f"{facts.joined:,}"}
        if rules := rules_of(study):
            yield _("Exclusion rules: %(rules)s.") % {"rules": _("; ").join(rules)}
            if study.plan_checksum and study.opened_at:
                yield _("They were frozen with the plan before anyone could answer.")
        if out := left_out_by_hand(facts.found):
            text = ngettext(
                "%(n)s person was excluded by hand, by no rule of the plan.",
                "%(n)s people were excluded by hand, by no rule of the plan.",
                out,
            )
            yield text % {"n": f"{out:,}"}
    people, answers, questions = (found[name] for name in ("people", "answers", "questions"))
    yield _("%(people)s, with %(answers)s to %(questions)s.") % {
        "people": ngettext("%(n)s person counts", "%(n)s people count", people) % {"n": f"{people:,}"},
        "answers": ngettext("%(n)s answer", "%(n)s answers", answers) % {"n": f"{answers:,}"},
        "questions": ngettext("%(n)s question", "%(n)s questions", questions) % {"n": f"{questions:,}"},
    }
    if facts.found["still_answering"]:
        yield provisional(facts)


def provisional(facts: ReportFacts) -> str:
    """Return the sentence on people whose time still runs; "" where there is no one."""
    count = facts.found["still_answering"]
    if not count or facts.study.state != StudyState.CLOSED:
        return ""
    text = ngettext(
        "Provisional: %(count)s participant was still answering; their answers do not count.",
        "Provisional: %(count)s participants were still answering; their answers do not count.",
        count,
    )
    return text % {"count": f"{count:,}"}


def _models(facts: ReportFacts) -> Iterator[str]:
    """Yield the name of each run with how many of the questions it answered."""
    titles = names_of_runs(facts.found)
    for row in facts.found["models"]:
        if row["corpus"] is None and row["metric"] == "R@1":
            said = {"name": titles[row["run"]], "n": row["n"], "all": row["n"] + row["without_prediction"]}
            yield _("%(name)s (%(n)s of %(all)s)") % {**said, "n": f"{said['n']:,}", "all": f"{said['all']:,}"}


def _figures(facts: ReportFacts) -> Iterator[str]:
    yield _("R@k is the share of answers with the true line among the first k; ties count by expectation.")
    yield _("MRR@2 is the mean of 1 / rank, 0 beyond the second rank.")
    yield _(
        "Intervals (95 %) take people and questions as samples: Wilson's formula on the two-way effective sample size, "
        "with Student's quantile t(.975; min(people, questions) − 1) in place of 1.96."
    )
    if facts.found["condition"]:
        yield _("Figures are for the whole context only; the table of contexts has those for changed ones.")
    if models := [*_models(facts)]:
        yield _("Models on the questions that people answered: %(models)s.") % {"models": _("; ").join(models)}
        yield _(
            "Intervals of models are over questions: Wilson's where each is worth 0 or 1, the bootstrap's elsewhere."
        )
    if facts.compared["rows"]:
        yield _(
            "Differences between people and a model are means over questions of the share of people right minus the "
            "model, each question with equal weight, with a bootstrap over people and questions together and a "
            "sign-flip test."
        )
        yield _("p is adjusted by Holm over what the plan compares, and by Benjamini and Hochberg over the rest.")
    if facts.study.survey.margin:
        text = _("“Similar” is an equivalence test with a margin of ± %(margin)s points, fixed in the plan.")
        yield text % {"margin": facts.study.survey.margin}
    yield _("These paragraphs are made from the study's settings.")
