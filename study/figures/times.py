"""Figure of times: a row for each part of a study, a bar between its quartiles, a point at its median."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from study.figures.people_and_models import LETTER, NARROW, WIDE, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, GAP = 0.3, 0.16  # inches: of a row, before a row that begins a field
HEAD, FOOT = 0.12, 0.55  # inches above the first row, where its number is, and below the last
BEYOND = 1.08  # of the longest time drawn: the end of the axis


@dataclass(frozen=True)
class TimeRow:
    """Quartiles of a part in seconds, None for one beyond the deadline. `begins` marks the first of a field."""

    name: str
    lower: float | None
    median: float | None
    upper: float | None
    begins: bool


def draw_times(rows: Sequence[TimeRow], *, axis: str, theme: str, is_narrow: bool, format: str) -> bytes:
    """Return the figure as svg, pdf or png. `axis` names the measure."""
    # matplotlib is imported by what draws: it would add half a second to the start of every process.
    from core.figures.canvas import file_of

    names = shortened([row.name for row in rows])
    places = _places(rows)
    known = [time for row in rows for time in (row.lower, row.median, row.upper) if time is not None]
    end = BEYOND * max(known, default=1.0)

    def draw(colours: dict[str, str]) -> "Figure":
        figure, axes = _laid_out(names, places[-1] + ROW / 2, is_narrow)
        axes.set_xlim(0, end)
        axes.set_ylim(places[-1] + ROW / 2, 0)
        axes.set_yticks(places, names)
        axes.tick_params(axis="x", labelsize=9)
        axes.set_xlabel(axis, loc="left")
        axes.xaxis.label.set(color=colours["ink-3"], fontsize=9)
        axes.grid(axis="x")
        for row, place in zip(rows, places, strict=True):
            _draw_row(axes, row, place, end, colours)
        return figure

    return file_of(draw, texts=[axis, *names], theme=theme, format=format)


def _places(rows: Sequence[TimeRow]) -> list[float]:
    """Return where each row is, in inches from the top."""
    places: list[float] = []
    place = HEAD - ROW / 2
    for row in rows:
        place += ROW + (GAP if row.begins and places else 0)
        places.append(place)
    return places


def _laid_out(names: Sequence[str], body: float, is_narrow: bool) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    width, height = NARROW if is_narrow else WIDE, body + FOOT
    wide_letters = max(sum(2 if letter > "⺀" else 1 for letter in name) for name in names)
    left = min(0.45 * width, 0.2 + LETTER * wide_letters)
    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes((left / width, FOOT / height, (width - left - 0.2) / width, body / height))


def _draw_row(axes: "Axes", row: TimeRow, place: float, end: float, colours: dict[str, str]) -> None:
    """Draw a row; a quartile beyond the deadline is at the end of the axis."""
    if row.lower is not None:
        upper = end if row.upper is None else row.upper
        axes.plot([row.lower, upper], [place] * 2, color=colours["people"], alpha=0.4, lw=5, solid_capstyle="butt")
    if row.median is not None:
        axes.plot([row.median], [place], marker="o", color=colours["people"])
        axes.annotate(
            f"{row.median:.0f}",
            (row.median, place),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            color=colours["ink-2"],
        )
