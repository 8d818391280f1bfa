"""Tables of models to download: all models on one body of instances, and models beside the people of a study."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actions.refusals import sentence_space
from core.exporters.latex import LatexTable
from core.templatetags.figures import in_percent, interval, percent_interval, share
from study.presenters.results.results import Estimate
from study.presenters.runs.models import GRADED_SHOWN, METRICS_SHOWN, FamilyRows, MetricCell, ModelRow
from study.presenters.runs.models_summary import CUTS, PublishedPeople
from study.presenters.runs.study_models import BesideRow
from study.selectors.runs.sources import Source

CSV_HEADER = [
    "model",
    "metric",
    "value",
    "low",
    "high",
    "seeds",
    "chance",
    "published",
    "published_is_possible",
    "name",
]
UNREAD, MISSING = "unread", "without_prediction"
BESIDE_METRICS = ("R@1", "R@2", "MRR@2")
BESIDE_HEADER = ["who", "note", "kind"]
BESIDE_HEADER += [f"{metric}{end}" for metric in BESIDE_METRICS for end in ("", "_low", "_high")]
BESIDE_HEADER += ["n", "n_eff", "people_minus_model", "difference_low", "difference_high"]


def name_of(source: Source) -> str:
    return f"models-on-{source.name.replace(':', '-')}"


def csv_of(families: Sequence[FamilyRows], *, is_rated: bool) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the header and a row for each figure.

    With how many instances are unread, and how many have no prediction, where there are some.
    """
    rows = [row for family in families for row in family.rows]
    also = [UNREAD] if any(row.unread for row in rows) else []
    also += [MISSING] if any(row.missing_predictions for row in rows) else []
    return [*CSV_HEADER, *also], _csv_rows(rows, also, is_rated=is_rated)


def _csv_rows(rows: Sequence[ModelRow], also: Sequence[str], *, is_rated: bool) -> Iterator[list[Any]]:
    for row in rows:
        counts = {UNREAD: row.unread, MISSING: row.missing_predictions}
        counted = [counts[name] if row.run else "" for name in also]
        for position, cell in enumerate(row.cells):
            name = f"{cell.metric} · Cut@{CUTS[position // len(GRADED_SHOWN)]}" if is_rated else cell.metric
            low, high = cell.interval or ("", "")
            possible = "" if cell.published is None else int(not cell.is_impossible)
            value, guess, printed = ("" if each is None else each for each in (cell.value, cell.chance, cell.published))
            yield [row.key, name, value, low, high, len(row.runs.seeds), guess, printed, possible, row.title, *counted]


def latex_of(
    families: Sequence[FamilyRows], source: Source, asked: int, people: Sequence[PublishedPeople], published: str
) -> LatexTable:
    """Return the models that were run or published; on rated prompts in per cent, at each cut."""
    groups = [(family.title, list(_model_rows(family, is_rated=source.is_rated))) for family in families]
    with_people = [[f"{row.who} ({row.source})", *map(_printed, row.cells), ""] for row in people]
    groups.append((_("People, published: different questions, not directly comparable"), with_people))
    columns = GRADED_SHOWN * len(CUTS) if source.is_rated else METRICS_SHOWN
    over_cuts = [("", 1), *((f"Cut@{cut} (%)", len(GRADED_SHOWN)) for cut in CUTS), ("", 1)]
    return LatexTable(
        f"models on {source.name}",
        sentence_space().join(_caption(families, source, asked, published)),
        [_("Model"), *columns, _("Seeds")],
        groups,
        over_cuts if source.is_rated else (),
    )


def _caption(families: Sequence[FamilyRows], source: Source, asked: int, published: str) -> Iterator[str]:
    said = {"name": source.name, "n": f"{asked:,}"}
    if source.is_rated:
        yield _("Models on %(name)s; 95 %% intervals of P@1 over prompts.") % said
    else:
        yield (
            ngettext(
                "Models on %(name)s, %(n)s instance; 95 %% intervals.",
                "Models on %(name)s, %(n)s instances; 95 %% intervals.",
                asked,
            )
            % said
        )
        yield _("Over instances: Wilson for R@1 and R@2 where no instance is tied, the bootstrap elsewhere.")
    rows = [row for family in families for row in family.rows]
    if any(len(row.runs.seeds) > 1 for row in rows):
        yield _("With several seeds: means of figures and intervals, and the standard deviation.")
    for row in rows:
        yield from row.unread_sentences
        if missing := row.missing_predictions:
            text = ngettext(
                "%(title)s: %(n)s instance without a prediction, left out of all figures.",
                "%(title)s: %(n)s instances without a prediction, left out of all figures.",
                missing,
            )
            yield text % {"title": row.title, "n": f"{missing:,}"}
    if published:
        yield _("Published: %(source)s.") % {"source": published}
    if any(row.possible for row in rows):
        yield _("An asterisk: no ranking could give this MRR with the R@1 and R@2 beside it.")


def _model_rows(family: FamilyRows, *, is_rated: bool) -> Iterator[list[str]]:
    for row in family.rows:
        if row.run:
            own = (_own(cell, position, is_rated=is_rated) for position, cell in enumerate(row.cells))
            yield [row.title, *own, _seeds(row)]
        if any(cell.published is not None for cell in row.cells):
            printed = (_printed(cell, is_rated=is_rated) for cell in row.cells)
            yield [_("%(title)s, published") % {"title": row.model}, *printed, ""]


def _own(cell: MetricCell, position: int, *, is_rated: bool) -> str:
    """Return a figure with its interval; on rated prompts only P@1 has room for one."""
    value = in_percent(cell.value) if is_rated else share(cell.value)
    if cell.interval is None or (is_rated and position % len(GRADED_SHOWN)):
        return value
    return f"{value} ({percent_interval(cell.interval) if is_rated else interval(cell.interval)})"


def _printed(cell: MetricCell, *, is_rated: bool = False) -> str:
    return f"{in_percent(cell.published) if is_rated else share(cell.published)}{'*' if cell.is_impossible else ''}"


def _seeds(row: ModelRow) -> str:
    spread = row.spread
    return f"{spread.count} (SD {share(spread.deviation)})" if spread and spread.deviation is not None else ""


def beside_csv(people: Sequence[BesideRow], models: Sequence[BesideRow]) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the header, and a row for each group of people, then each model."""
    header = [*BESIDE_HEADER, UNREAD] if any(each.row.unread for each in models) else BESIDE_HEADER
    return header, (row[: len(header)] for row in _beside_rows(people, models))


def _beside_rows(people: Sequence[BesideRow], models: Sequence[BesideRow]) -> Iterator[list[Any]]:
    for each in (*people, *models):
        found = [each.row.figures.get(metric, Estimate()) for metric in BESIDE_METRICS]
        numbers = [number for one in found for number in (one.value, *(one.ends or (None, None)))]
        numbers += [each.row.n, each.row.n_eff, each.difference, *(each.ends or (None, None))]
        told = ["" if number is None else number for number in numbers]
        yield [each.row.name, each.row.note, each.row.kind, *told, each.row.unread if each.row.run else ""]


def beside_latex(slug: str, corpus: str | None, people: Sequence[BesideRow], models: Sequence[BesideRow]) -> LatexTable:
    """Return people and models on the same questions, in per cent."""
    groups = [(_("People"), list(map(_beside, people))), (_("Models"), list(map(_beside, models)))]
    caption = [
        _("People and models on the same questions (%(name)s), percent, with 95 %% intervals; n answers or questions.")
    ]
    columns = [_("Who"), "n", *BESIDE_METRICS, _("People minus model, R@1")]
    name = " ".join(filter(None, (slug, corpus)))
    caption = [caption[0] % {"name": name}, *(each.row.unread_sentence for each in models if each.row.unread)]
    return LatexTable(f"people and models {name}", sentence_space().join(caption), columns, groups)


def _beside(each: BesideRow) -> list[str]:
    found = [each.row.figures.get(metric, Estimate()) for metric in BESIDE_METRICS]
    figures = [_in_percent(one.value, one.ends) + (f" (n {one.n:,})" if one.n else "") for one in found]
    return [each.row.name, f"{each.row.n or 0:,}", *figures, _in_percent(each.difference, each.ends)]


def _in_percent(value: float | None, ends: Sequence[float] | None) -> str:
    return f"{in_percent(value)} ({percent_interval((ends[0], ends[1]))})" if ends else in_percent(value)
