"""The checklist for human baselines of Wei et al. (ICML 2025) by item number, filled from what is stored of a study.

What an item asks is said in words of our own: those of the checklist are under a non-commercial licence. Where nothing
is stored that answers it, the item is left blank for the authors.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.domain.statistics import MissingFigure
from study.domain.results.compared import ComparisonTest
from study.domain.results.families import Family
from study.domain.results.paired import POWER
from study.domain.survey.texts import LANGUAGES
from study.presenters.plan import planned_of, rule_in_words, rules_of
from study.presenters.questions.questions import picked_of
from study.presenters.reports.left_out import left_out_of
from study.presenters.reports.recruitment import recruited_by, taken_once
from study.presenters.reports.report_table import percent
from study.presenters.results.results import cells_of_people, signs_of
from study.selectors.reports.facts import ReportFacts
from study.selectors.survey.plans import prospect_of
from study.templatetags.results import half_points

BLANK = ""
TESTS = {
    ComparisonTest.SIGN_FLIP: gettext_lazy("sign-flip test over questions"),
    ComparisonTest.MCNEMAR: gettext_lazy("exact McNemar test"),
    ComparisonTest.TWO_WAY_T: gettext_lazy("t test on two-way variances"),
    Family.PRIMARY.adjustment: gettext_lazy("adjusted by Holm"),
    Family.EXPLORATORY.adjustment: gettext_lazy("adjusted by Benjamini and Hochberg"),
}


@dataclass(frozen=True)
class ChecklistItem:
    """An item: its number in the checklist, what it is about, and what is stored of it; BLANK is for the authors."""

    number: str
    about: str
    told: str = BLANK


def checklist_of(facts: ReportFacts) -> list[ChecklistItem]:
    """Return all items in their order."""
    parts: tuple[Callable[[ReportFacts], Iterator[ChecklistItem]], ...] = (
        _paper,
        _design,
        _registration,
        _recruitment,
        _pay,
        _execution,
        _analysis,
        _documentation,
    )
    return [item for part in parts for item in part(facts)]


def _paper(facts: ReportFacts) -> Iterator[ChecklistItem]:
    models = facts.found["models"]
    yield ChecklistItem("0.1", _("Title of the paper"))
    yield ChecklistItem("0.2", _("Link to the paper"))
    yield ChecklistItem("0.3", _("Year"))
    yield ChecklistItem("0.4", _("Venue"))
    yield ChecklistItem("0.5", _("What is evaluated"))
    language = _("survey: %(name)s") % {"name": LANGUAGES[facts.study.language]}
    yield ChecklistItem("0.6", _("Mode"), _of_own(facts, _("text")))
    yield ChecklistItem("0.7", _("Language"), _of_own(facts, language))
    yield ChecklistItem("0.8", _("Size of the question sets"), _all_questions(facts))
    asked = sorted({row["n"] for row in facts.found["models"] if row["corpus"] is None and row["metric"] == "R@1"})
    yield ChecklistItem("0.9", _("Questions that models answered"), _(", ").join(f"{n:,}" for n in asked))
    text = _("one per run; each seed is a run of its own") if models else BLANK
    yield ChecklistItem("0.10", _("Answers of a model to each question"), text)


def _of_own(facts: ReportFacts, told: str) -> str:
    """Return what is told of a study that was run here; BLANK of answers from elsewhere."""
    return BLANK if facts.study.is_imported else told


def _all_questions(facts: ReportFacts) -> str:
    counts = [f"{each.name}: {each.recipe['count']:,}" for each in facts.sets if "count" in each.recipe]
    return _("; ").join(counts)


def _design(facts: ReportFacts) -> Iterator[ChecklistItem]:
    found, survey = facts.found, facts.study.survey
    people = cells_of_people(found, None)
    named = [f"{name}: {people[name]['R@1']['people']:,}" for name in sorted(name for name in people if name)]
    count = ngettext("%(n)s person counts", "%(n)s people count", facts.counted) % {"n": f"{facts.counted:,}"}
    yield ChecklistItem("1.1", _("Number of people"), _("; ").join([count, *named]))
    yield ChecklistItem("1.2", _("Questions that people answered"), f"{found['questions']:,}")
    drawn = [
        _("%(name)s: %(picked)s, seed %(seed)s, checksum %(checksum)s")
        % {"name": each.name, "picked": picked_of(each), "seed": each.seed, "checksum": each.checksum[:12]}
        for each in facts.sets
        if "count" in each.recipe
    ]
    yield ChecklistItem("1.2.1", _("Sampling of questions"), _("; ").join(drawn))
    yield ChecklistItem("1.3", _("Answers to each question"), _mean(found["answers"], found["questions"]))
    yield ChecklistItem("1.4", _("Questions that a person answered"), _mean(found["answers"], facts.counted))
    yield ChecklistItem("1.5", _("Questions fair to people and models alike"))
    pilots = [*facts.study.copies.all(), *([facts.study.copy_of] if facts.study.copy_of else [])]
    piloted = (
        _("A pilot was run; its answers are left out of all figures.")
        if any(p.survey.pilot and p.opened_at for p in pilots)
        else BLANK
    )
    yield ChecklistItem("1.6", _("Pilot or other trial"), piloted)
    limit = _("people: %(minutes)s minutes for all questions; models: none") % {"minutes": survey.minutes}
    told = limit if survey.minutes else _("no time limit for people or models")
    yield ChecklistItem("1.7", _("Effort of people and models"), _of_own(facts, told))


def _mean(answers: int, units: int) -> str:
    return _("%(mean)s on average") % {"mean": f"{answers / units:.1f}"} if units else BLANK


def _registration(facts: ReportFacts) -> Iterator[ChecklistItem]:
    study = facts.study
    planned = None if study.is_imported else planned_of(study, prospect_of(study))
    width = BLANK
    if planned:
        width = _("planned: ± %(width)s points with %(people)s people in %(group)s, at R@1 of %(share)s %%") % {
            "width": half_points(planned.now.together),
            "people": f"{planned.sizes.people:,}",
            "group": planned.group.name,
            "share": f"{planned.sizes.share:g}",
        }
    yield ChecklistItem("1.8", _("Planned sample size"), width)
    with_model = [row for row in facts.compared["rows"] if row["model"]]
    smallest = [row["smallest"] for row in with_model if row["smallest"] is not None]
    told = BLANK
    if any(row["smallest_why"] == MissingFigure.TOO_FEW for row in with_model):
        told = _("none in some comparisons: too few questions differ, or too few people answered")
    if smallest:
        told = _("%(least)s to %(most)s points, two-sided 5 %%, power %(power)s %%") % {
            "least": percent(min(smallest)),
            "most": percent(max(smallest)),
            "power": f"{100 * POWER:g}",
        }
    yield ChecklistItem("1.8.1", _("Smallest difference that can be detected"), told)
    yield ChecklistItem("1.9", _("Ethics approval"))
    frozen = BLANK
    if study.plan_checksum and study.opened_at:
        frozen = _("plan frozen %(day)s before anyone could answer, checksum %(checksum)s") % {
            "day": f"{study.opened_at:%Y-%m-%d %H:%M} UTC",
            "checksum": study.plan_checksum,
        }
    yield ChecklistItem("1.10", _("Plan fixed beforehand"), frozen)


def _recruitment(facts: ReportFacts) -> Iterator[ChecklistItem]:
    survey = facts.study.survey
    yield ChecklistItem("2.1", _("Population that the participants represent"))
    yield ChecklistItem("2.1.1", _("What defines that population"))
    yield ChecklistItem("2.2", _("Recruitment"), recruited_by(facts))
    yield ChecklistItem("2.3", _("Screening of people"), _of_own(facts, taken_once(facts)))
    platform = [group["name"] for group in facts.planned.get("groups", []) if group["requires_id"]]
    only = _("only people whom a platform sends: %(groups)s") % {"groups": _(", ").join(platform)}
    yield ChecklistItem("2.3.1", _("Eligibility"), only if platform else BLANK)
    yield ChecklistItem("2.3.2", _("People screened out"))
    yield ChecklistItem("2.4", _("Authors as participants"))
    rule = _("left out: %(rule)s") % {"rule": rule_in_words("duplicates", None)}
    yield ChecklistItem("2.5", _("Earlier exposure to the questions"), rule if survey.duplicates else BLANK)
    practised = ngettext("%(n)s practice question", "%(n)s practice questions", survey.practice) % {
        "n": survey.practice
    }
    yield ChecklistItem("2.6", _("Training"), _of_own(facts, practised))
    tutorial = _("instructions, and practice with the right line shown after it: texts/instructions.txt")
    yield ChecklistItem("2.6.1", _("Kind of training"), _of_own(facts, tutorial))


def _pay(facts: ReportFacts) -> Iterator[ChecklistItem]:
    survey = facts.study.survey
    told = survey.pay_in_words
    yield ChecklistItem("2.6.2", _("Pay for the training"), _("part of the pay for the survey") if told else BLANK)
    yield ChecklistItem("2.6.2.1", _("Amount for the training"))
    yield ChecklistItem("2.7", _("Pay"), _("yes") if told else BLANK)
    yield ChecklistItem("2.7.1", _("Amount"), _("; ").join(filter(None, [told, _an_hour(facts)])))
    yield ChecklistItem("2.7.2", _("Bonus for right answers"))
    yield ChecklistItem("2.7.2.1", _("Amount of the bonus"))
    yield ChecklistItem("2.7.3", _("Equal pay for all"), _("yes: the plan has one amount") if told else BLANK)
    yield ChecklistItem("2.7.3.1", _("Why pay differed"))


def _an_hour(facts: ReportFacts) -> str:
    """Return the pay by the hour at the median time of those who completed; "" where either is unknown."""
    survey, minutes = facts.study.survey, facts.fieldwork.median_minutes
    if not survey.pay or not minutes:
        return ""
    amount = Decimal(survey.pay) * 60 / Decimal(str(minutes))
    return _("%(amount)s an hour at the median of %(minutes)s minutes") % {
        "amount": f"{survey.currency} {amount:.2f}".strip(),
        "minutes": f"{minutes:.1f}",
    }


def _execution(facts: ReportFacts) -> Iterator[ChecklistItem]:
    study = facts.study
    is_own = not study.is_imported
    sizes = sorted({len(form) for form in facts.planned.get("forms", [])})
    length = _("questions: %(questions)s; attention checks: %(checks)s") % {
        "questions": "–".join(f"{size:,}" for size in (sizes[:1] + sizes[1:][-1:])),
        "checks": study.survey.checks_asked,
    }
    yield ChecklistItem("3.1", _("Length of a sitting"), length if sizes and not study.survey.is_signed_in else BLANK)
    order = _("of questions and of lines, for each person; what was shown is stored")
    yield ChecklistItem("3.1.1", _("Order drawn at random"), order if is_own else BLANK)
    rules = rules_of(study) if is_own else []
    yield ChecklistItem("3.2", _("Quality rules"), _("fixed beforehand") if rules and study.plan_checksum else BLANK)
    yield ChecklistItem("3.2.1", _("Which rules"), _("; ").join(rules))
    yield ChecklistItem("3.2.2", _("Share excluded"), _of_own(facts, left_out_of(facts)))
    page = _("no: people read a page, models are given the same texts") if is_own and facts.found["models"] else BLANK
    yield ChecklistItem("3.3", _("Equal presentation for people and models"), page)
    yield ChecklistItem("3.3.1", _("A page for people, text only for models"), _("yes") if page else BLANK)
    yield ChecklistItem("3.3.2", _("What was done about the difference"))
    yield ChecklistItem("3.4", _("Equal instructions"))
    yield ChecklistItem("3.4.1", _("What was done about the difference"))
    yield ChecklistItem("3.5", _("Equal tools"))
    yield ChecklistItem("3.5.1", _("How the use of tools was observed"), _signs(facts))
    yield ChecklistItem("3.6", _("Explanations of answers"), _("none were asked for") if is_own else BLANK)


def _signs(facts: ReportFacts) -> str:
    if facts.found.get("signs") is None:
        return BLANK
    noted = _("leaving the page, copying and pasting are noted, never prevented")
    return _("; ").join([noted, *(f"{title}: {people:,}" for title, people in signs_of(facts.found))])


def _analysis(facts: ReportFacts) -> Iterator[ChecklistItem]:
    rows = [row for row in facts.compared["rows"] if row["p"] is not None]
    used = {row["test"] for row in rows} | {row["adjusted_by"] for row in rows}
    has_models = bool(facts.found["models"])
    yield ChecklistItem("4.1", _("Test of the difference"), _("yes: table of differences") if rows else BLANK)
    told = [str(title) for name, title in TESTS.items() if name in used]
    yield ChecklistItem("4.1.1", _("Which test"), _(", ").join(told))
    has_intervals = any(cell["headline"] for cell in facts.found["cells"])
    uncertainty = _("yes: 95 % intervals over people and questions") if has_intervals else BLANK
    yield ChecklistItem("4.2", _("Uncertainty"), uncertainty)
    yield ChecklistItem("4.2.1", _("Kind of estimate"), _("point and interval") if has_intervals else BLANK)
    yield ChecklistItem("4.3", _("Equal metric for people and models"), _("yes") if has_models else BLANK)
    same = _("yes: one scorer, ties by expectation") if has_models else BLANK
    yield ChecklistItem("4.4", _("Equal criteria of scoring"), same)
    yield ChecklistItem("4.5", _("Equal way of scoring"), same)
    under_rules = _of_own(facts, _("table of the rules, each alone and all"))
    yield ChecklistItem("4.6", _("Robust to the exclusion rules"), under_rules)


def _documentation(facts: ReportFacts) -> Iterator[ChecklistItem]:
    is_own = not facts.study.is_imported
    about = any(row["label"].startswith("says_") for row in facts.found["looks"])
    yield ChecklistItem("5.1.1", _("Demographics"), _("table of people") if about else BLANK)
    yield ChecklistItem("5.1.2", _("Instructions"), "texts/instructions.txt" if is_own else BLANK)
    yield ChecklistItem("5.1.3", _("Time"), _seconds(facts))
    yield ChecklistItem("5.1.4", _("AI tools available to people"))
    complete = facts.fieldwork.total.outcomes["complete"]
    said = {"complete": f"{complete:,}", "joined": f"{facts.joined:,}"}
    rate = _("%(complete)s of %(joined)s people who joined") % said
    yield ChecklistItem("5.1.5", _("Completion"), rate if is_own else BLANK)
    yield ChecklistItem("5.2", _("Data are public"))
    yield ChecklistItem("5.2.1", _("Data of each person"), _("data/answers.csv, with random ids, unless removed"))
    yield ChecklistItem("5.2.2", _("Why data are not public"))
    materials = _of_own(facts, _("in this folder: data/questions.csv, texts/"))
    yield ChecklistItem("5.3", _("Materials are public"), materials)
    yield ChecklistItem(
        "5.4", _("Code of the analysis"), _("Colloquy, free software; its docs/metrics.md has each formula")
    )


def _seconds(facts: ReportFacts) -> str:
    whole = facts.times["questions"][0]  # of all people who count
    if not whole["quartiles"] or whole["quartiles"][1] is None:
        return BLANK
    return _("median %(seconds)s s at a question: table of times") % {"seconds": f"{whole['quartiles'][1] / 1000:.1f}"}
