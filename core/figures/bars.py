"""Bar chart of a distribution: the share of all that falls on each number."""

from collections.abc import Mapping
from dataclasses import dataclass

WIDE, NARROW, HEIGHT = 5.4, 3.75, 2.6  # inches
MOST_NUMBERED = 10  # with more bars their numbers would touch
TICKS = 10  # at most
ROOM = 1.15  # above the highest bar, for its number


@dataclass(frozen=True)
class Bars:
    """Shares (0 to 1) by number, in bars as wide as `step`, on an axis that spans `ends`.

    `across` and `up` name the axes.
    """

    shares: Mapping[float, float]
    ends: tuple[float, float]
    step: float
    across: str
    up: str


def draw_bars(bars: Bars, *, theme: str, is_narrow: bool, format: str) -> bytes:
    """Return the figure as svg, pdf or png."""
    # matplotlib is imported by what draws: it would add half a second to the start of every process.
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from core.figures.canvas import file_of

    def draw(colours: dict[str, str]) -> Figure:
        figure = Figure(figsize=(NARROW if is_narrow else WIDE, HEIGHT), layout="constrained")
        axes = figure.add_subplot()
        heights = [100 * share for share in bars.shares.values()]
        drawn = axes.bar(list(bars.shares), heights, width=0.8 * bars.step, color=colours["people"])
        if len(heights) <= MOST_NUMBERED:
            axes.bar_label(
                drawn, [f"{height:.1f}" for height in heights], padding=2, fontsize=9, color=colours["ink-2"]
            )
        axes.set_xlim(bars.ends[0] - 0.6 * bars.step, bars.ends[1] + 0.6 * bars.step)
        axes.set_ylim(0, ROOM * max(heights))
        axes.xaxis.set_major_locator(MaxNLocator(TICKS, steps=[1, 2, 5, 10], integer=True))
        axes.set_xlabel(bars.across, loc="left")
        axes.set_ylabel(bars.up, loc="top")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_tick_params(labelsize=9, labelcolor=colours["ink-3"])
            axis.label.set(color=colours["ink-3"], fontsize=9)
        axes.grid(axis="y")
        return figure

    return file_of(draw, texts=[bars.across, bars.up], theme=theme, format=format)
