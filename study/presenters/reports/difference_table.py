"""The table of a report of differences: the planned comparisons, or people minus each model."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from core.templatetags.figures import p_value, signed_interval, signed_points
from study.domain.results.families import Family
from study.presenters.reports.figure_tables import corpus_title, in_context
from study.presenters.reports.report_table import NONE, ReportTable, Row, count
from study.presenters.results.comparisons import ComparisonRow, model_titles
from study.presenters.results.finding import finding_of
from study.selectors.reports.facts import ReportFacts

ENDS = ("low", "high")
PEOPLE_AND_MODEL = "people and model"


def differences(facts: ReportFacts) -> ReportTable:
    """Return people minus each model: the planned comparisons, else those of the largest group; the file has all."""
    compared, titles = facts.compared, model_titles(facts.compared, facts.found["models"])
    rows = [ComparisonRow(row, titles) for row in compared["rows"]]
    missing = [_missing_row(row) for row in compared["not_carried_out"]]
    planned = [each for each in rows if each.is_planned]
    finding = finding_of(facts.found, None, facts.compared)
    group = finding.group or None if finding else None
    has_plan = bool(planned or missing)
    shown = planned if has_plan else [r for r in rows if _kind(r) == PEOPLE_AND_MODEL and r.row["group"] == group]
    margin = shown[0].row["margin"] if shown else None
    columns = ["", _("corpus"), _("people"), _("questions"), _("difference"), "95 %", "p", _("adjusted p")]
    if margin:
        columns += ["90 %", _("within ± %(margin)s") % {"margin": f"{100 * margin:g}"}]
    caption = _("%(metric)s of the first minus the second, in points. %(adjusted)s The CSV has every comparison.") % {
        "metric": compared["metric"],
        "adjusted": _("Planned comparisons: p by Holm.")
        if has_plan
        else _("None was planned: all are exploratory, p by Benjamini and Hochberg."),
    }
    of_these_people = any(each.is_of_these_people for each in shown)
    if of_these_people:
        columns.append(_("two-way p"))
        told = _(
            "With more than two questions for each person, p is for these people alone; the two-way p is for people in "
            "general."
        )
        caption = sentence_space().join([caption, told])
    if missing:
        counted = _("A planned comparison that was not carried out counts in Holm's adjustment as p = 1.")
        caption = sentence_space().join([caption, counted])
    cells = [(each.row["family"], _printed_difference(each, with_margin=bool(margin))) for each in shown]
    if of_these_people:
        cells = [(family, [*own, each.two_way_p]) for (family, own), each in zip(cells, shown, strict=True)]
    cells += [(row["family"], _printed_missing(row, len(columns))) for row in missing]
    of_file = [*map(_difference_row, rows), *missing]
    return ReportTable("differences", in_context(facts.found, caption), columns, _by_family(cells), of_file, marked=4)


def _by_family(cells: Sequence[tuple[str, list[str]]]) -> list[tuple[str, list[list[str]]]]:
    """Return the printed rows of each family under its title, the primary contrast first."""
    titles = {Family.PRIMARY: _("Primary contrast"), Family.CONFIRMATORY: _("Other planned comparisons")}
    titles[Family.EXPLORATORY] = ""
    found = [(title, [own for family, own in cells if family == each]) for each, title in titles.items()]
    return [(title, rows) for title, rows in found if rows] or [("", [])]


def _missing_row(row: Row) -> Row:
    named = f"{row['group']} − {row['against']}"
    return {"name": named, "kind": "not carried out", **row, "planned": row["against"]}


def _printed_missing(row: Row, columns: int) -> list[str]:
    cells = [row["name"], corpus_title(row["corpus"]), NONE, NONE, _("planned, not carried out")]
    return cells + [NONE] * (columns - len(cells))


def _kind(each: ComparisonRow) -> str:
    if not each.row["model"]:
        return "two groups"
    return "two models" if each.row["against"] else PEOPLE_AND_MODEL


def _difference_row(each: ComparisonRow) -> Row:
    """Return the row of the file, which is named as in print."""
    row = each.row
    seeds = row["seeds"] or []
    return {
        "name": each.name,
        "kind": _kind(each),
        **{name: row[name] for name in ("corpus", "group", "model", "against")},
        "planned": row["planned"],
        "runs": " ".join(str(seed["run"]) for seed in seeds),
        "seeds": len(seeds) or None,
        **{name: row[name] for name in ("first_of", "metric", "estimator")},
        **{name: row[name] for name in ("first", "second", "difference")},
        **_two(row, "ci"),
        **_two(row, "equivalence_ci"),
        **{name: row[name] for name in ("test", "p", "two_way_p", "p_adjusted", "adjusted_by", "family", "verdict")},
        **{name: row[name] for name in ("smallest", "smallest_why", "questions")},
        "questions_asked": each.asked,
        **{name: row[name] for name in ("people", "margin")},
        **{name: row[name] for name in ("equivalence_p", "similar")},
        **_fourfold(row, "mcnemar"),
        **_fourfold(row, "majority"),
        **_two(row, "newcombe"),
        **{f"spread_{name}": (row["spread"] or {}).get(name) for name in ("mean", "sd", "lowest", "highest")},
    }


def _fourfold(row: Row, name: str) -> Row:
    """Return the columns of a table of right and wrong, with its tests; empty where the comparison has none."""
    found = row[name] or {}
    counts = ("both", "first", "second", "neither", "level", "p", "mid_p")
    columns = {key: found.get(key) for key in counts} | _two(found, "newcombe") | _two(found, "tango")
    return {f"{name}_{key}": value for key, value in columns.items()}


def _two(row: Row, name: str) -> Row:
    ends = row.get(name) or (None, None)
    return {f"{name}_{end}": ends[at] for at, end in enumerate(ENDS)}


def _printed_difference(each: ComparisonRow, *, with_margin: bool) -> list[str]:
    row = each.row
    questions = count(row["questions"])
    cells = [
        each.name,
        corpus_title(row["corpus"]),
        count(row["people"]),
        questions if row["questions"] == each.asked else f"{questions}/{count(each.asked)}",
        signed_points(row["difference"]),
        signed_interval(each.ends),
        each.p,
        p_value(row["p_adjusted"]),
    ]
    if with_margin:
        similar = {True: _("shown"), False: _("not shown"), None: NONE}[row["similar"]]
        cells += [signed_interval(row["equivalence_ci"]), similar]
    return cells
