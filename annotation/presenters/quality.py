"""Quality of the raters' work: the drift of their grades in words, the rows of the table to download."""

from collections.abc import Iterator
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.domain.quality.drift import Drift, Trend

HEADER = ["person", "partner", "figure", "of", "value"]


def drift_words(found: Drift | None) -> str:
    """Describe how far the grades lay from others' early and late. Empty for too few grades."""
    if found is None:
        return ""
    means = {"early": _signed(found.early_mean), "late": _signed(found.late_mean)}
    sentences = {
        Trend.STEADY: _("steady: %(early)s early, %(late)s late"),
        Trend.MILDER: _("milder: %(early)s early, %(late)s late"),
        Trend.STRICTER: _("stricter: %(early)s early, %(late)s late"),
    }
    return sentences[found.trend] % means


def _signed(mean: float) -> str:
    number = number_format(f"{abs(mean):.2f}", decimal_pos=2)  # it truncates, so round first
    return f"−{number}" if mean <= -0.005 else f"+{number}"


def csv_rows(report: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the rows of the table to download."""
    for person in report["people"]:
        for figure, value in person.items():
            if figure not in ("user", "name"):
                yield from ([person["name"], "", *row] for row in _flat(figure, value))
    for pair in report["pairs"]:
        for figure, value in pair.items():
            if figure != "raters":
                yield from ([*pair["raters"], *row] for row in _flat(figure, value))


def _flat(figure: str, value: Any) -> Iterator[list[Any]]:
    """Yield a row for each number; a table or an interval has several."""
    if isinstance(value, dict):
        for of, part in value.items():
            nested = isinstance(part, dict | list)
            yield from _flat(f"{figure} {of}", part) if nested else [[figure, of, part]]
    elif isinstance(value, list):
        yield from ([figure, end, number] for end, number in zip(("low", "high"), value, strict=True))
    else:
        yield [figure, "", value]
