"""Shared parts of all figures: colours of both themes, installed fonts, files without a date and with fixed ids."""

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from core.figures.typeface import FAMILIES, unpacked

STYLE = Path(__file__).with_name("colloquy.mplstyle")
LATIN = (*FAMILIES, "DejaVu Sans")  # the last comes with matplotlib
CHINESE = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "SimHei",
)

# --ink, --ink-2, --ink-3, --line, --line-strong, --accent, --model of static/css/tokens.css
THEMES = {
    "light": {
        "ink": "#1b2124",
        "ink-2": "#474f53",
        "ink-3": "#646a6c",
        "line": "#e2dfd7",
        "line-strong": "#878379",
        "people": "#0b5f73",
        "model": "#6b5b45",
    },
    "dark": {
        "ink": "#e7eae8",
        "ink-2": "#b6bfc1",
        "ink-3": "#929da0",
        "line": "#2b3438",
        "line-strong": "#6f7b80",
        "people": "#74c7d8",
        "model": "#cdb798",
    },
}
# Metadata of a file: no date and no version of the library, so that equal data give equal bytes.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
DOTS_PER_INCH = 200

_one_at_a_time = threading.Lock()  # matplotlib keeps its style for the whole process


@cache
def families() -> tuple[str, ...]:
    """Return the installed fonts in order of preference; each glyph comes from the first that has it."""
    unpacked()
    installed = set(fontManager.get_font_names())
    return tuple(name for name in (*LATIN, *CHINESE) if name in installed)


def file_of(draw: Callable[[dict[str, str]], Figure], *, texts: Iterable[str], theme: str, format: str) -> bytes:
    """Return the figure that `draw` makes with a theme's colours, as svg, pdf or png.

    `texts` are the words in it: where this machine has no font for them, an svg keeps them as text, for the reader's
    fonts.
    """
    is_chinese = any("㐀" <= letter <= "鿿" for text in texts for letter in text)
    has_font = not is_chinese or any(name in CHINESE for name in families())
    buffer = BytesIO()
    with _style(theme, "path" if has_font else "none"):
        figure = draw(THEMES[theme])
        ground = "white" if format == "png" else "none"
        figure.savefig(buffer, format=format, metadata=METADATA[format], dpi=DOTS_PER_INCH, facecolor=ground)
    return buffer.getvalue()


@contextmanager
def _style(theme: str, text: str) -> Iterator[None]:
    colours = THEMES[theme]
    changed: dict[Any, Any] = {
        "font.family": list(families()),
        "axes.facecolor": "none",
        "svg.fonttype": text,
        "axes.edgecolor": colours["line-strong"],
        "text.color": colours["ink"],
        "xtick.color": colours["ink-3"],
        "ytick.color": colours["ink"],
        "grid.color": colours["line"],
        "savefig.transparent": False,
        "text.parse_math": False,
    }
    with _one_at_a_time, mpl.rc_context(fname=STYLE, rc=changed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield
