"""Tables of a release of rated pairs: statistics beside the study's, types, and agreement at the time of freezing."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating.rating import RatingSettings, Scale
from annotation.domain.releases.splitting import Split
from annotation.domain.releases.statistics import STUDY_STATISTICS
from annotation.models import Release
from annotation.presenters.agreement import BRIEFLY, LABELS
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.releases.distributions import distributions_of
from core.domain.statistics import MissingFigure
from core.presenters.axis import Axis
from core.presenters.files import FORMATS

BLOCKS = (*map(str, Split), "all")
STATISTICS: dict[str, str | Promise] = {
    "prompts": _("prompts"),
    "responses": _("responses"),
    "prompt_words_mean": _("words of a prompt, mean"),
    "response_words_mean": _("words of a response, mean"),
    "vocabulary": _("different words"),
    "prompt_characters_mean": _("characters of a prompt, mean"),
    "response_characters_mean": _("characters of a response, mean"),
    "responses_per_prompt.mean": _("responses per prompt, mean"),
    "responses_per_prompt.min": _("responses per prompt, fewest"),
    "responses_per_prompt.max": _("responses per prompt, most"),
}
SHARES: dict[str, str | Promise] = {
    "final_grades.share_to_2_5": _("mean grade up to 2.5, %"),
    "final_grades.share_2_5_to_3_5": _("mean grade from 2.5 to 3.5, %"),
}
STUDY_SCALE = Scale(1, 5)  # the shares are only comparable on this scale


@dataclass(frozen=True)
class PairStatisticsRow:
    """One figure in train, dev, test and all, here and as published, formatted in the page's language."""

    label: str | Promise
    here: list[str]
    published: list[str]


@dataclass(frozen=True)
class ResponseTypeRow:
    grade: int
    name: str
    ratings: int
    share: float


@dataclass(frozen=True)
class FrozenFigure:
    """A frozen figure of agreement, with the attributes of a live one."""

    value: float | None
    interval: tuple[float, float] | None
    asymptotic: tuple[float, float] | None


@dataclass(frozen=True)
class AgreementRow:
    label: str | Promise
    before: FrozenFigure
    after: FrozenFigure
    reasons: tuple[MissingFigure, ...] = ()


def context(release: Release) -> dict[str, Any]:
    """Return what annotation/releases/release.html shows besides the release."""
    rows = agreement_rows(release)
    return {
        "statistics": statistics_rows(release),
        "with_study": is_on_the_study_s_scale(release),
        "distributions": distributions_of(release).values(),
        "figure_formats": list(FORMATS),
        # The language is in the address, because browsers cache the figures.
        "figure_query": urlencode({"lang": get_language()}),
        "types": type_rows(release),
        "agreement": release.agreement,
        "figures": rows,
        "axis": agreement_axis(rows),
    }


def is_on_the_study_s_scale(release: Release) -> bool:
    return RatingSettings.from_mapping(release.settings).grades == STUDY_SCALE


def statistics_rows(release: Release) -> list[PairStatisticsRow]:
    labels = STATISTICS | SHARES if is_on_the_study_s_scale(release) else STATISTICS
    return [
        PairStatisticsRow(
            label,
            [written_figure(release.statistics[block], path, SHARES) for block in BLOCKS],
            [written_figure(STUDY_STATISTICS[block], path, SHARES) for block in BLOCKS],
        )
        for path, label in labels.items()
    ]


def type_rows(release: Release) -> list[ResponseTypeRow]:
    """Return single ratings by grade and type, in the guideline's order, named in the reader's language."""
    rows = release.statistics["all"]["grades_by_type"]
    total = sum(row["count"] for row in rows)
    names = type_names(release.project)
    order = list(names)
    rows.sort(key=lambda row: (row["grade"], order.index(row["type"]) if row["type"] in names else len(order)))
    return [
        ResponseTypeRow(row["grade"], names.get(row["type"], row["type"] or ""), row["count"], row["count"] / total)
        for row in rows
    ]


def agreement_rows(release: Release) -> list[AgreementRow]:
    before, after = release.agreement["before"], release.agreement["after"]
    return [AgreementRow(LABELS[name], _frozen(before, name), _frozen(after, name)) for name in BRIEFLY]


def agreement_axis(rows: list[AgreementRow]) -> Axis:
    figures = [figure for row in rows for figure in (row.before, row.after)]
    return Axis.around(number for figure in figures for number in (figure.value, *(figure.interval or ())))


def _frozen(block: dict[str, Any], name: str) -> FrozenFigure:
    return FrozenFigure(block[name], block[f"{name}_ci"], block.get(f"{name}_asymptotic"))


def written_figure(block: Any, path: str, shares: Collection[str]) -> str:
    """Format the figure at a path such as ``vocabulary.both``; a dash if it is unknown. `shares` are shown as
    percentages.
    """
    value: Any = block
    for step in path.split("."):
        value = value.get(step) if value else None
    if value is None:
        return "–"
    if path in shares:
        value = 100 * value
    digits = 0 if isinstance(value, int) else 1 if path in shares else 2
    return number_format(f"{value:.{digits}f}", decimal_pos=digits, force_grouping=True)
