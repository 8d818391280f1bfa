"""Tables of a report about figures: people and models, exclusion rules, contexts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from study.presenters.reports.report_table import (
    NONE,
    Groups,
    ReportTable,
    Row,
    count,
    interval,
    percent,
)
from study.presenters.results.conditions import condition_table
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
from study.selectors.reports.facts import ReportFacts

METRICS = ("R@1", "R@2", "MRR@2", "MRR")
WITH_INTERVAL = METRICS[:2]  # in print: the file has all of them


def people_and_models(facts: ReportFacts) -> ReportTable:
    """Return R@1, R@2 and MRR of each group and model, by corpus and over all of them."""
    found = facts.found
    rows = [row for corpus in [*corpora_of(found), None] for row in _figures(found, corpus)]
    metrics = [name for name in METRICS if any(row[name] is not None for row in rows if row["kind"] != "model")]
    columns = ["", _("people"), "k/n"]
    for metric in metrics:
        columns += [metric, "95 %"] if metric in WITH_INTERVAL else [metric]
    caption = _(
        "People, models and published figures of other studies (with their source, on other questions), %. "
        "Right answers k of n; a figure over fewer answers says its own n; n_eff is the effective sample size."
    )
    impossible = [row for row in rows if row.get("impossible")]
    reasons = dict.fromkeys(
        _("%(name)s: %(why)s") % {"name": row["who"], "why": row["why_impossible"]} for row in impossible
    )
    return ReportTable(
        "people-and-models",
        sentence_space().join([in_context(found, caption), *reasons]),
        [*columns, "n_eff"],
        _by_title(rows, lambda row: corpus_title(row["corpus"]), lambda row: _printed_figures(row, metrics)),
        rows,
        marked=3,
    )


def in_context(found: Results, caption: str) -> str:
    """Return the caption of figures that name no condition: they are of the whole context where there are others."""
    if not found["condition"]:
        return caption
    said = _("With the whole context only; the table of contexts has the changed ones.")
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
    return row | {"impossible": printed.impossible or None, "why_impossible": printed.why_impossible or None}


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


def exclusion_rules(facts: ReportFacts) -> ReportTable:
    """Return R@1 of each group under no rule, each rule alone, the planned ones and all.

    Empty for answers from elsewhere: by which rules they were chosen is not known here.
    """
    found = facts.found
    corpora = corpora_of(found) if len(corpora_of(found)) == 1 else [*corpora_of(found), None]
    rows: list[Row] = []
    groups = []
    for group in [] if facts.study.is_imported else _groups_under_rules(found, corpora):
        own, printed = _rules_of_group(found, group, corpora)
        rows += own
        groups.append((group or _("All people"), printed))
    columns = ["", _("people"), *(text for corpus in corpora for text in (corpus_title(corpus), "95 %"))]
    caption = in_context(found, _("R@1 of each group under each exclusion rule, %."))
    return ReportTable("exclusion-rules", caption, columns, groups, rows)


def _groups_under_rules(found: Results, corpora: Sequence[str | None]) -> list[str | None]:
    """Return the groups of the first table, those of some corpora alone after the others, then None for all people."""
    shown = groups_shown(found, None)
    of_corpora = {group for corpus in corpora for group in groups_shown(found, corpus) if group}
    everyone = [group for group in shown if group is None]
    own = [group for group in shown if group]
    return [*own, *sorted(of_corpora.difference(own)), *everyone]


def _rules_of_group(
    found: Results, group: str | None, corpora: Sequence[str | None]
) -> tuple[list[Row], list[list[str]]]:
    """Return the rows of the file, one for each corpus that the group is of, and those in print."""
    rows: list[Row] = []
    printed = []
    for one in found["every_rule"]["sets"]:
        of_corpora = {cell["corpus"]: cell for cell in one["cells"] if cell["group"] == group}
        if not of_corpora:
            continue
        name = name_of_set(found, one)
        same = {"rules": name, "keys": " ".join(one["rules"]), "group": group}
        cells = [of_corpora.get(corpus) or {} for corpus in corpora]
        rows += [{**same, **_rule_figures(corpus, of_corpora[corpus])} for corpus in corpora if corpus in of_corpora]
        figures = [text for cell in cells for text in (percent(cell.get("p")), interval(*_ends(cell)))]
        printed.append([name, count(_people_of(of_corpora)), *figures])
    return rows, printed


def _people_of(cells: Mapping[str | None, Row]) -> int | None:
    """Return how many people a group has; None where it is of some corpora alone, with other numbers in each."""
    found = {cell["people"] for corpus, cell in cells.items() if corpus is None or None not in cells}
    return found.pop() if len(found) == 1 else None


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


def corpus_title(name: str | None) -> str:
    """Return the name of a corpus, or what all together are called."""
    return name or _("all corpora")


def _ends(cell: Row) -> tuple[Any, Any]:
    low, high = cell.get("headline") or cell.get("ci") or (None, None)
    return low, high
