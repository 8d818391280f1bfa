"""Figure of people and models: a panel a corpus, a row for each group and model, points with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 8.9, 3.75  # inches
ROW, HEAD, FOOT = 0.31, 0.5, 0.55  # inches
PANELS_A_LINE = 4
LETTER = 0.085  # inches of an average letter of a row's name
NAME_PAD = 8  # points from a row's name to the axis: a mark at 0 needs half of its own width
LONGEST = 22  # letters of a row's name
KEY_BELOW = 0.33  # inches from the axis to the key of the dashed line, which is beside the axis' name
BESIDE_CHANCE = 0.05  # a number nearer to the dashed line would be on it
BESIDE_NAME = 0.04  # a smaller share's number would overlap the row's name


@dataclass(frozen=True)
class ShareRow:
    """One group of people or one model: a share with its interval, from 0 to 1; None where there is none.

    What is published of other questions is drawn hollow.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None
    is_people: bool
    is_published: bool = False


@dataclass(frozen=True)
class Panel:
    """One corpus. `note` is opposite its title; `chance` is None where it is unknown, a pair where it is a range."""

    title: str
    note: str
    chance: float | tuple[float, float] | None
    rows: tuple[ShareRow, ...]

    @property
    def chances(self) -> list[float]:
        """Where chance is drawn: at both ends of a range."""
        if self.chance is None:
            return []
        return sorted({*self.chance}) if isinstance(self.chance, tuple) else [self.chance]


def draw_people_and_models(
    panels: Sequence[Panel], *, axis: str, chance: str, theme: str, is_narrow: bool, format: str
) -> bytes:
    """Return the figure as svg, pdf or png. `axis` names the measure, `chance` the dashed line.

    All panels have equally many rows; one below the other, each leaves out those that have no figure in it.
    """
    # matplotlib is imported by what draws: it would add half a second to the start of every process.
    from core.figures.canvas import file_of

    if is_narrow:
        panels = [_without_empty_rows(panel) for panel in panels]
    names = [row.name for panel in panels for row in panel.rows]
    texts = [axis, chance, *names, *(f"{panel.title}{panel.note}" for panel in panels)]

    has_chance = any(panel.chances for panel in panels)

    def draw(colours: dict[str, str]) -> "Figure":
        figure, spots = _laid_out(panels, names, is_narrow)
        for index, (panel, spot) in enumerate(zip(panels, spots, strict=True)):
            axes = figure.add_axes(spot)
            _draw_panel(axes, panel, colours)
            if is_narrow or index % PANELS_A_LINE == 0:
                axes.set_yticks(range(len(panel.rows)), shortened([row.name for row in panel.rows]))
            if index == (len(panels) - 1 if is_narrow else 0):
                axes.set_xlabel(axis, loc="left")
                if has_chance:
                    _add_key(figure, axes, chance, colours)
        return figure

    return file_of(draw, texts=texts, theme=theme, format=format)


def _without_empty_rows(panel: Panel) -> Panel:
    return replace(panel, rows=tuple(row for row in panel.rows if row.value is not None) or panel.rows)


def shortened(names: Sequence[str]) -> list[str]:
    """Return the names without the end of long ones, or without their middle where two would then be alike."""
    begun = [name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…" for name in names]
    if len(set(begun)) == len(set(names)):
        return begun
    half = LONGEST // 2
    return [name if len(name) <= LONGEST else f"{name[: half - 1]}…{name[-half:]}" for name in names]


def _laid_out(
    panels: Sequence[Panel], names: Sequence[str], is_narrow: bool
) -> tuple["Figure", list[tuple[float, float, float, float]]]:
    """Return an empty figure and its panels' rectangles, in shares of it: side by side, or one below the other."""
    from matplotlib.figure import Figure

    width = NARROW if is_narrow else WIDE
    a_line = 1 if is_narrow else min(PANELS_A_LINE, len(panels))
    wide_letters = max((sum(2 if letter > "⺀" else 1 for letter in name) for name in shortened(names)), default=0)
    left = min(0.45 * width, 0.26 + LETTER * wide_letters)
    gap = 0.28
    inner = (width - left - 0.2 - gap * (a_line - 1)) / a_line
    rows = [len(panel.rows) for panel in panels]
    bodies = [ROW * max(1, *rows[first : first + a_line]) for first in range(0, len(rows), a_line)]
    below = 0.3 if is_narrow else FOOT
    height = sum(HEAD + body + below for body in bodies) + (0.25 if is_narrow else 0)
    spots = []
    for index in range(len(panels)):
        line, column = divmod(index, a_line)
        bottom = height - sum(HEAD + body for body in bodies[: line + 1]) - below * line
        place = (left + column * (inner + gap)) / width, bottom / height
        spots.append((*place, inner / width, bodies[line] / height))
    return Figure(figsize=(width, height)), spots


def _add_key(figure: "Figure", axes: "Axes", chance: str, colours: dict[str, str]) -> None:
    """Say what the dashed line is, below the axis: among the points the word would be on a line or on a number."""
    from matplotlib.lines import Line2D

    axes.legend(
        [Line2D([], [], **_dashes(colours))],
        [chance],
        loc="upper right",
        bbox_to_anchor=(1, -KEY_BELOW / (axes.get_position().height * figure.get_figheight())),
        borderaxespad=0,
        borderpad=0,
        frameon=False,
        fontsize=9,
        handlelength=1.6,
        handletextpad=0.5,
        labelcolor=colours["ink-3"],
    )


def _dashes(colours: dict[str, str]) -> dict[str, Any]:
    return {"color": colours["ink-3"], "linewidth": 1, "linestyle": (0, (3, 3))}


def _draw_panel(axes: "Axes", panel: Panel, colours: dict[str, str]) -> None:
    axes.set_xlim(0, 100)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks([])
    axes.tick_params(axis="x", labelsize=9)
    axes.tick_params(axis="y", pad=NAME_PAD)
    axes.xaxis.label.set(color=colours["ink-3"], fontsize=9)
    axes.grid(axis="x")
    axes.set_title(panel.title)
    axes.set_title(panel.note, loc="right", fontsize=9, fontweight="normal", color=colours["ink-3"])
    for chance in panel.chances:
        axes.axvline(100 * chance, **_dashes(colours))
    for index, row in enumerate(panel.rows):
        _draw_row(axes, index, row, panel.chances, colours)


def _draw_row(axes: "Axes", index: int, row: ShareRow, chances: Sequence[float], colours: dict[str, str]) -> None:
    colour = colours["ink-2" if row.is_published else "people" if row.is_people else "model"]
    if row.interval:
        axes.plot([100 * end for end in row.interval], [index, index], color=colour, solid_capstyle="butt")
    if row.value is None:
        return
    marker = "o" if row.is_people else "s"
    face = "none" if row.is_published else colour
    axes.plot([100 * row.value], [index], marker=marker, color=colour, markerfacecolor=face, clip_on=False)
    axes.annotate(
        f"{100 * row.value:.0f}",
        (100 * row.value, index),
        (0, 6),
        textcoords="offset points",
        ha=_side(row.value, chances),
        fontsize=9,
        color=colours["ink-2"],
    )


def _side(value: float, chances: Sequence[float]) -> str:
    """Return how a number is aligned with its point: away from the row's name and from the nearest dashed line."""
    nearest = min(chances, key=lambda chance: abs(value - chance), default=None)
    if value < BESIDE_NAME:
        return "left"
    if nearest is None or abs(value - nearest) >= BESIDE_CHANCE:
        return "center"
    return "left" if value >= nearest else "right"
