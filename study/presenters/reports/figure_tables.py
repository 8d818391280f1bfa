"""Tables of a report about figures: people and models, their differences, exclusion rules, contexts."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from core.templatetags.figures import p_value, signed_interval, signed_points
from study.domain.results.families import Family
from study.presenters.reports.report_table import (
    NONE,
    Groups,
    ReportTable,
    Row,
    count,
    interval,
    percent,
)
from study.presenters.results.comparisons import ComparisonRow, model_title
from study.presenters.results.conditions import condition_table
from study.presenters.results.finding import finding_of
from study.presenters.results.looks import name_of_set
from study.presenters.results.published import rows_published
from study.presenters.results.results import (
    ResultRow,
    Results,
    cells_of_people,
    corpora_of,
    groups_shown,
)
from study.presenters.results.run_names import names_of_runs
from study.presenters.runs.words import title_of
from study.selectors.reports.facts import ReportFacts

METRICS = ("R@1", "R@2", "MRR@2", "MRR")
WITH_INTERVAL = METRICS[:2]  # in print: the file has all of them
ENDS = ("low", "high")


def people_and_models(facts: ReportFacts) -> ReportTable:
    """Return R@1, R@2 and MRR of each group and model, by corpus and over all of them."""
    found = facts.found
    rows = [row for corpus in [*corpora_of(found), None] for row in _figures(found, corpus)]
    metrics = [name for name in METRICS if any(row[name] is not None for row in rows if row["kind"] == "people")]
    columns = ["", _("people"), "k/n"]
    for metric in metrics:
        columns += [metric, "95 %"] if metric in WITH_INTERVAL else [metric]
    return ReportTable(
        "people-and-models",
        in_context(
            found,
            _(
                "People, models and published figures of other studies (with their source, on other questions), %. "
                "Right answers k of n; a figure over fewer answers says its own n; n_eff is the effective sample size."
            ),
        ),
        [*columns, "n_eff"],
        _by_title(rows, lambda row: _corpus(row["corpus"]), lambda row: _printed_figures(row, metrics)),
        rows,
        marked=3,
    )


def in_context(found: Results, caption: str) -> str:
    """Return the caption of figures that name no condition: they are of the whole context where there are others."""
    if not found["condition"]:
        return caption
    said = _("In whole context alone; the table of contexts has the changed ones.")
    return sentence_space().join([caption, said])


def _figures(found: Results, corpus: str | None) -> Iterator[Row]:
    if corpus is None and len(corpora_of(found)) == 1:
        return
    people = cells_of_people(found, corpus)
    for name in groups_shown(found, corpus):
        yield _figure_row(name or _("All people"), "people", corpus, people[name])
    models: dict[int, dict[str, Row]] = {}
    titles = names_of_runs(found)
    for row in found["models"]:
        if row["corpus"] == corpus:
            models.setdefault(row["run"], {})[row["metric"]] = row
    for of_run in sorted(models.values(), key=lambda of_run: -(of_run["R@1"]["p"] or 0)):
        yield _figure_row(titles[of_run["R@1"]["run"]], "model", corpus, of_run)
    for printed in rows_published(found, corpus):
        yield _published_row(printed, corpus)


def _figure_row(who: str, kind: str, corpus: str | None, cells: dict[str, Row]) -> Row:
    first = cells["R@1"]
    row = {"corpus": corpus, "who": who, "kind": kind, "people": first.get("people"), "k": first["k"], "n": first["n"]}
    for metric in METRICS:
        cell = cells.get(metric) or {}
        low, high = cell.get("headline") or cell.get("ci") or (None, None)
        row |= {metric: cell.get("p"), f"{metric}_low": low, f"{metric}_high": high, f"{metric}_n": cell.get("n")}
    return row | {"n_eff": first.get("n_eff") if kind == "people" else first["n"] or None}


def _published_row(printed: ResultRow, corpus: str | None) -> Row:
    """Return what another study printed: other questions, and without right answers or effective sample size."""
    counts = dict.fromkeys(("people", "k", "n", "n_eff"))
    row = {"corpus": corpus, "who": f"{printed.name} ({printed.note})", "kind": printed.kind, **counts}
    for metric in METRICS:
        found = printed.figures.get(metric)
        low, high = (found and found.ends) or (None, None)
        row |= {metric: found and found.value, f"{metric}_low": low, f"{metric}_high": high}
    return row | {"impossible": printed.impossible or None}


def _printed_figures(row: Row, metrics: Sequence[str]) -> list[str]:
    name = _("%(name)s: impossible") % {"name": row["who"]} if row.get("impossible") else row["who"]
    right = NONE if row["n"] is None else f"{count(row['k'])}/{row['n']:,}"
    cells = [name, count(row["people"]), right]
    for metric in metrics:
        own = percent(row[metric])
        cells.append(f"{own} (n {row[f'{metric}_n']:,})" if _is_over_fewer(row, metric) else own)
        if metric in WITH_INTERVAL:
            cells.append(interval(row[f"{metric}_low"], row[f"{metric}_high"]))
    return [*cells, NONE if row["n_eff"] is None else f"{row['n_eff']:,.0f}"]


def _is_over_fewer(row: Row, metric: str) -> bool:
    return 0 < (row.get(f"{metric}_n") or 0) < (row["n"] or 0)


def differences(facts: ReportFacts) -> ReportTable:
    """Return people minus each model: the planned comparisons, else those of the largest group; the file has all."""
    compared = facts.compared
    rows = [_difference_row(row) for row in compared["rows"]]
    of_runs = names_of_runs(facts.found)
    titles = [model_title(row, of_runs) for row in compared["rows"]]
    planned = [row for row in rows if row["family"] != Family.EXPLORATORY]
    finding = finding_of(facts.found, None, facts.compared)
    group = finding.group or None if finding else None
    shown = planned or [row for row in rows if row["kind"] == "people and model" and row["group"] == group]
    printed = [(row, title) for row, title in zip(rows, titles, strict=True) if row in shown]
    margin = printed[0][0]["margin"] if printed else None
    columns = ["", _("corpus"), _("difference"), "95 %", "p", _("adjusted p")]
    if margin:
        columns += ["90 %", _("within ± %(margin)s") % {"margin": f"{100 * margin:g}"}]
    caption = _("%(metric)s of the first minus the second, in points. %(adjusted)s The CSV has every comparison.") % {
        "metric": compared["metric"],
        "adjusted": _("Planned comparisons: p by Holm.")
        if planned
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
    cells = [_printed_difference(row, title, with_margin=bool(margin)) for row, title in printed]
    if of_these_people:
        cells = [[*own, p_value(row["two_way_p"])] for own, (row, _title) in zip(cells, printed, strict=True)]
    caption, groups = in_context(facts.found, caption), [("", cells)]
    return ReportTable("differences", caption, columns, groups, rows, marked=2)


def _difference_row(row: Row) -> Row:
    kind = "two models" if row["model"] and row["against"] else "people and model" if row["model"] else "two groups"
    return {
        "kind": kind,
        **{name: row[name] for name in ("corpus", "group", "model", "against", "metric", "estimator")},
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


def _printed_difference(row: Row, title: str, *, with_margin: bool) -> list[str]:
    first = title_of(row["model"]) if row["kind"] == "two models" else row["group"] or _("All people")
    second = row["against"] or title
    pair = (first, title_of(second) if row["kind"] == "two models" else second)
    cells = [
        " − ".join(pair),
        _corpus(row["corpus"]),
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


def exclusion_rules(facts: ReportFacts) -> ReportTable:
    """Return R@1 of each group of the first table under no rule, each rule alone, the planned ones and all.

    Empty for answers from elsewhere: by which rules they were chosen is not known here.
    """
    found = facts.found
    corpora = [*(corpora_of(found) if len(corpora_of(found)) > 1 else []), None]
    rows: list[Row] = []
    groups = []
    for group in [] if facts.study.is_imported else groups_shown(found, None):
        own, printed = _rules_of_group(found, group, corpora)
        rows += own
        groups.append((group or _("All people"), printed))
    columns = ["", _("people"), *(text for corpus in corpora for text in (_corpus(corpus), "95 %"))]
    caption = in_context(found, _("R@1 of each group under each exclusion rule, %."))
    return ReportTable("exclusion-rules", caption, columns, groups, rows)


def _rules_of_group(
    found: Results, group: str | None, corpora: Sequence[str | None]
) -> tuple[list[Row], list[list[str]]]:
    """Return the rows of the file and those in print."""
    rows: list[Row] = []
    printed = []
    for one in found["every_rule"]["sets"]:
        of_corpora = {cell["corpus"]: cell for cell in one["cells"] if cell["group"] == group}
        if not of_corpora:
            continue
        name = name_of_set(found, one)
        cells = [of_corpora.get(corpus) or {} for corpus in corpora]
        same = {"rules": name, "keys": " ".join(one["rules"]), "group": group}
        rows += [{**same, **_rule_figures(corpus, cell)} for corpus, cell in zip(corpora, cells, strict=True)]
        figures = [text for cell in cells for text in (percent(cell.get("p")), interval(*_ends(cell)))]
        printed.append([name, count((of_corpora.get(None) or {}).get("people")), *figures])
    return rows, printed


def _rule_figures(corpus: str | None, cell: Row) -> Row:
    low, high = _ends(cell)
    figures = {key: cell.get(key) for key in ("people", "questions", "k", "n")}
    return {"corpus": corpus, **figures, "R@1": cell.get("p"), "low": low, "high": high}


def contexts(facts: ReportFacts) -> ReportTable:
    """Return R@1 of people and models in each condition; empty where questions are in one."""
    table = condition_table(facts.found)
    rows: list[Row] = []
    printed = []
    for who in table.rows if table else []:
        cells = [cell or {} for cell in who.cells]
        rows += [
            {"who": who.name, "kind": who.kind, "condition": name, "k": cell.get("k"), "n": cell.get("n")}
            | {"R@1": cell.get("p"), "low": _ends(cell)[0], "high": _ends(cell)[1]}
            for name, cell in zip(table.conditions if table else [], cells, strict=True)
        ]
        printed.append(
            [who.name, *(text for cell in cells for text in (percent(cell.get("p")), interval(*_ends(cell))))]
        )
    columns = ["", *(text for title in (table.titles if table else []) for text in (title, "95 %"))]
    return ReportTable(
        "contexts", _("R@1 with whole and altered context, all corpora, %."), columns, [("", printed)], rows
    )


def _by_title(rows: Sequence[Row], title: Callable[[Row], str], printed: Callable[[Row], list[str]]) -> Groups:
    titles = dict.fromkeys(map(title, rows))
    return [(name, [printed(row) for row in rows if title(row) == name]) for name in titles]


def _corpus(name: str | None) -> str:
    return name or _("all corpora")


def _ends(cell: Row) -> tuple[Any, Any]:
    low, high = cell.get("headline") or cell.get("ci") or (None, None)
    return low, high
