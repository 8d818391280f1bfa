"""The table of a report of differences: the planned comparisons, or people minus each model."""

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from core.templatetags.figures import p_value, signed_interval, signed_points
from study.domain.results.families import Family
from study.presenters.reports.figure_tables import corpus_title, in_context
from study.presenters.reports.report_table import NONE, ReportTable, Row, count
from study.presenters.results.comparisons import ComparisonRow, model_title
from study.presenters.results.finding import finding_of
from study.presenters.results.run_names import names_of_runs
from study.presenters.runs.words import title_of
from study.selectors.reports.facts import ReportFacts

ENDS = ("low", "high")


def differences(facts: ReportFacts) -> ReportTable:
    """Return people minus each model: the planned comparisons, else those of the largest group; the file has all."""
    compared, of_runs = facts.compared, names_of_runs(facts.found)
    rows = [_difference_row(row, model_title(row, of_runs)) for row in compared["rows"]]
    missing = [_missing_row(row) for row in compared["not_carried_out"]]
    planned = [row for row in rows if row["family"] != Family.EXPLORATORY]
    finding = finding_of(facts.found, None, facts.compared)
    group = finding.group or None if finding else None
    has_plan = bool(planned or missing)
    shown = planned if has_plan else [r for r in rows if r["kind"] == "people and model" and r["group"] == group]
    margin = shown[0]["margin"] if shown else None
    columns = ["", _("corpus"), _("people"), _("questions"), _("difference"), "95 %", "p", _("adjusted p")]
    if margin:
        columns += ["90 %", _("within ± %(margin)s") % {"margin": f"{100 * margin:g}"}]
    caption = _("%(metric)s of the first minus the second, in points. %(adjusted)s The CSV has every comparison.") % {
        "metric": compared["metric"],
        "adjusted": _("Planned comparisons: p by Holm.")
        if has_plan
        else _("None was planned: all are exploratory, p by Benjamini and Hochberg."),
    }
    of_these_people = any(ComparisonRow(row).is_of_these_people for row in shown)
    if of_these_people:
        columns.append(_("two-way p"))
        told = _(
            "With more than two questions for each person, p is for these people alone; the two-way p is for people in "
            "general."
        )
        caption = sentence_space().join([caption, told])
    if missing:
        counted = _("A planned comparison that was not carried out counts in Holm’s adjustment as p = 1.")
        caption = sentence_space().join([caption, counted])
    cells = [_printed_difference(row, with_margin=bool(margin)) for row in shown]
    if of_these_people:
        cells = [[*own, p_value(row["two_way_p"])] for own, row in zip(cells, shown, strict=True)]
    cells += [_printed_missing(row, len(columns)) for row in missing]
    caption, groups = in_context(facts.found, caption), [("", cells)]
    return ReportTable("differences", caption, columns, groups, [*rows, *missing], marked=4)


def _missing_row(row: Row) -> Row:
    named = f"{row['group']} − {row['against']}"
    return {"name": named, "kind": "not carried out", **row, "planned": row["against"]}


def _printed_missing(row: Row, columns: int) -> list[str]:
    cells = [row["name"], corpus_title(row["corpus"]), NONE, NONE, _("planned, not carried out")]
    return cells + [NONE] * (columns - len(cells))


def _difference_row(row: Row, title: str) -> Row:
    """Return the row of the file, which is named as in print; `title` is what its model is called."""
    kind = "two models" if row["model"] and row["against"] else "people and model" if row["model"] else "two groups"
    seeds = row["seeds"] or []
    return {
        "name": " − ".join(_two_sides(row, title)),
        "kind": kind,
        **{name: row[name] for name in ("corpus", "group", "model", "against")},
        "planned": row["planned"],
        "runs": " ".join(str(seed["run"]) for seed in seeds),
        "seeds": len(seeds) or None,
        **{name: row[name] for name in ("first_of", "metric", "estimator")},
        **{name: row[name] for name in ("first", "second", "difference")},
        **_two(row, "ci"),
        **_two(row, "equivalence_ci"),
        **{name: row[name] for name in ("test", "p", "two_way_p", "p_adjusted", "adjusted_by", "family", "verdict")},
        **{name: row[name] for name in ("smallest", "smallest_why", "questions", "people", "margin")},
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


def _two_sides(row: Row, title: str) -> tuple[str, str]:
    if row["model"] and row["against"]:
        return title_of(row["model"]), title_of(row["against"])
    return row["group"] or _("All people"), row["against"] or title


def _printed_difference(row: Row, *, with_margin: bool) -> list[str]:
    cells = [
        row["name"],
        corpus_title(row["corpus"]),
        count(row["people"]),
        count(row["questions"]),
        signed_points(row["difference"]),
        signed_interval(_between(row, "ci")),
        p_value(row["p"]),
        p_value(row["p_adjusted"]),
    ]
    if with_margin:
        similar = {True: _("shown"), False: _("not shown"), None: NONE}[row["similar"]]
        cells += [signed_interval(_between(row, "equivalence_ci")), similar]
    return cells


def _between(row: Row, name: str) -> tuple[float, float] | None:
    low, high = (row[f"{name}_{end}"] for end in ENDS)
    return None if low is None else (low, high)
