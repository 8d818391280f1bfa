"""Tables of a report about people: how they ended, what they say about themselves, how long they took."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from study.domain.results.labels import SAYS
from study.presenters.reports.report_table import NONE, ReportTable, Row, count
from study.presenters.results.times import FIELDS, rows_of_questions
from study.selectors.reports.facts import ReportFacts
from study.selectors.results.export import SMALL
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.fieldwork import FieldworkRow

TIMES = ("", "group", "corpus")


def outcomes(facts: ReportFacts) -> ReportTable:
    """Return how many people of each group joined, and how they ended; empty for answers from elsewhere."""
    shown = [] if facts.study.is_imported else [*facts.fieldwork.groups, facts.fieldwork.total]
    columns = {
        "complete": _("complete"),
        "too_few_answers": _("too few answers"),
        "failed_checks": _("failed checks"),
        "timed_out": _("timed out"),
        "withdrawn": _("withdrew"),
        "agreed": _("agreed, never began"),
        "answering": _("answering"),
    }
    rows = [_outcome_row(row, _("All people") if row is facts.fieldwork.total else row.name) for row in shown]
    printed = [
        [
            row["group"],
            *(count(row[name]) for name in ("joined", *columns)),
            NONE if row["median_minutes"] is None else f"{row['median_minutes']:.1f}",
        ]
        for row in rows
    ]
    titles = ["", pgettext("people", "joined"), *columns.values(), _("minutes, median")]
    return ReportTable("outcomes", _("People who joined, and how they ended."), titles, [("", printed)], rows)


def _outcome_row(row: FieldworkRow, name: str) -> Row:
    return {"group": name, "joined": row.joined, **row.outcomes, "median_minutes": row.median_minutes}


def about_people(facts: ReportFacts) -> ReportTable:
    """Return what the people who count say about themselves; numbers below SMALL are not told."""
    said: dict[str, dict[str, int]] = {}
    for row in facts.found["looks"]:
        if row["label"].startswith(SAYS) and row["corpus"] is None and row["group"] is None:
            said.setdefault(row["label"].removeprefix(SAYS), {})[row["name"]] = row["people"]
    rows: list[Row] = []
    groups = []
    for question in demographics_of(facts.study):
        if question.key in said:
            named = {text: said[question.key].get(key, 0) for key, text in question.answers.items()}
            told = told_counts({**named, _("not answered"): facts.counted - sum(named.values())})
            rows += [{"question": question.text, "answer": text, "people": n} for text, n in told.items()]
            groups.append((question.text, [[text, n] for text, n in told.items()]))
    caption = _(
        "What the people who count say about themselves. Numbers below %(small)s are hidden; “–”: this number "
        "would reveal a hidden one."
    )
    return ReportTable("people", caption % {"small": SMALL}, ["", _("people")], groups, rows, is_short=True)


def told_counts(counts: dict[str, int]) -> dict[str, str]:
    """Return the counts as they are told: “< 5” for few, and for the next smallest where one alone would be hidden.

    Their total is known, so that a single hidden number could be computed. 0 is told.

    >>> told_counts({"a": 90, "b": 3, "c": 12, "d": 0})
    {'a': '90', 'b': '< 5', 'c': '–', 'd': '0'}
    """
    told = {name: f"< {SMALL}" if 0 < count < SMALL else f"{count:,}" for name, count in counts.items()}
    hidden = [name for name, count in counts.items() if 0 < count < SMALL]
    others = sorted((count, name) for name, count in counts.items() if count >= SMALL)
    if len(hidden) == 1 and others:
        told[others[0][1]] = NONE
    return told


def times(facts: ReportFacts) -> ReportTable:
    """Return the quartiles of seconds at a question by group and corpus; empty where no time is known."""
    found = [row for row in rows_of_questions(facts.times) if row.field in TIMES and row.times and row.quartiles]
    rows: list[Row] = [
        {"field": row.field, "name": row.name, "people": row.people, "times": row.times, "cut": row.cut}
        | dict(zip(("lower_quartile", "median", "upper_quartile"), row.quartiles or (), strict=True))
        for row in found
    ]
    printed = [
        (
            str(FIELDS[row["field"]]) if row["field"] else "",
            [row["name"] or _("all"), count(row["people"]), f"{row['times']:,}"]
            + [
                NONE if row[name] is None else f"{row[name]:.1f}"
                for name in ("lower_quartile", "median", "upper_quartile")
            ],
        )
        for row in rows
    ]
    groups = [
        (title, [cells for of, cells in printed if of == title]) for title in dict.fromkeys(t for t, _c in printed)
    ]
    titles = ["", _("people"), _("times"), _("lower quartile"), _("median"), _("upper quartile")]
    return ReportTable("times", _("Seconds per question, for people who count."), titles, groups, rows, marked=4)
