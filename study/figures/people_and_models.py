"""Figure of people and models: a panel a corpus, a row for each group and model, points with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 8.9, 3.75  # inches
ROW, HEAD, FOOT = 0.31, 0.5, 0.55  # inches
PANELS_A_LINE = 4
LETTER = 0.085  # inches of an average letter of a row's name
LONGEST = 22  # letters of a row's name
BESIDE_NAME = 0.04  # a smaller share's number would overlap the row's name


@dataclass(frozen=True)
class ShareRow:
    """One group of people or one model: a share with its interval, from 0 to 1; None where there is none."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    is_people: bool


@dataclass(frozen=True)
class Panel:
    """One corpus. `note` is opposite its title; `chance` is None where it is unknown."""

    title: str
    note: str
    chance: float | None
    rows: tuple[ShareRow, ...]


def draw_people_and_models(
    panels: Sequence[Panel], *, axis: str, chance: str, theme: str, is_narrow: bool, format: str
) -> bytes:
    """Return the figure as svg, pdf or png. `axis` names the measure, `chance` the dashed line.

    All panels have equally many rows.
    """
    # matplotlib is imported by what draws: it would add half a second to the start of every process.
    from core.figures.canvas import file_of

    names = [row.name for panel in panels for row in panel.rows]
    texts = [axis, chance, *names, *(f"{panel.title}{panel.note}" for panel in panels)]

    def draw(colours: dict[str, str]) -> "Figure":
        figure, spots = _laid_out(panels, names, is_narrow)
        for index, (panel, spot) in enumerate(zip(panels, spots, strict=True)):
            axes = figure.add_axes(spot)
            _draw_panel(axes, panel, colours)
            if index == 0 and panel.chance is not None:
                axes.annotate(
                    chance,
                    (100 * panel.chance, 1),
                    (3, 2),
                    ha="left",
                    va="top",
                    fontsize=9,
                    xycoords=("data", "axes fraction"),
                    textcoords="offset points",
                    color=colours["ink-3"],
                )
            if is_narrow or index % PANELS_A_LINE == 0:
                axes.set_yticks(range(len(panel.rows)), shortened([row.name for row in panel.rows]))
            if index == (len(panels) - 1 if is_narrow else 0):
                axes.set_xlabel(axis, loc="left")
        return figure

    return file_of(draw, texts=texts, theme=theme, format=format)


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
    lines = -(-len(panels) // a_line)
    wide_letters = max((sum(2 if letter > "⺀" else 1 for letter in name) for name in shortened(names)), default=0)
    left = min(0.45 * width, 0.2 + LETTER * wide_letters)
    gap = 0.28
    inner = (width - left - 0.2 - gap * (a_line - 1)) / a_line
    body = ROW * max((len(panel.rows) for panel in panels), default=1)
    line = HEAD + body + (0.3 if is_narrow else FOOT)
    height = line * lines + (0.25 if is_narrow else 0)
    spots = []
    for index in range(len(panels)):
        row, column = divmod(index, a_line)
        bottom = height - row * line - HEAD - body
        spots.append(((left + column * (inner + gap)) / width, bottom / height, inner / width, body / height))
    return Figure(figsize=(width, height)), spots


def _draw_panel(axes: "Axes", panel: Panel, colours: dict[str, str]) -> None:
    axes.set_xlim(0, 100)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks([])
    axes.tick_params(axis="x", labelsize=9)
    axes.xaxis.label.set(color=colours["ink-3"], fontsize=9)
    axes.grid(axis="x")
    axes.set_title(panel.title)
    axes.set_title(panel.note, loc="right", fontsize=9, fontweight="normal", color=colours["ink-3"])
    if panel.chance is not None:
        axes.axvline(100 * panel.chance, color=colours["ink-3"], linewidth=1, linestyle=(0, (3, 3)))
    for index, row in enumerate(panel.rows):
        _draw_row(axes, index, row, colours)


def _draw_row(axes: "Axes", index: int, row: ShareRow, colours: dict[str, str]) -> None:
    colour = colours["people" if row.is_people else "model"]
    if row.interval:
        axes.plot([100 * end for end in row.interval], [index, index], color=colour, solid_capstyle="butt")
    if row.value is None:
        return
    axes.plot([100 * row.value], [index], marker="o" if row.is_people else "s", color=colour, clip_on=False)
    axes.annotate(
        f"{100 * row.value:.0f}",
        (100 * row.value, index),
        (0, 6),
        textcoords="offset points",
        ha="left" if row.value < BESIDE_NAME else "center",
        fontsize=9,
        color=colours["ink-2"],
    )
