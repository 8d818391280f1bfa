r"""Tables in LaTeX with the rules of booktabs, to be put into a paper.

Every text is escaped here, so that no name or label is a command. A row cannot begin with a bracket or a star, which
`\\` would read as its option. Signs that pdfLaTeX does not know are spelled; what is beyond them (Chinese) needs
XeLaTeX or LuaLaTeX with ctex, as the first line says. A first column of long texts breaks their lines. A table that is
wider than a column of a paper with two spans both, in smaller letters where it must.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

LETTERS = "αβγδεθκλμνπρστφχψωΔΣΩ"
NAMES = "alpha beta gamma delta epsilon theta kappa lambda mu nu pi rho sigma tau phi chi psi omega Delta Sigma Omega"
ESCAPED = str.maketrans(
    {
        **{letter: f"$\\{name}$" for letter, name in zip(LETTERS, NAMES.split(), strict=True)},
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "*": "{*}",
        "–": "--",
        "−": "$-$",
        "±": r"$\pm$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "≈": r"$\approx$",
        "≠": r"$\neq$",
        "→": r"$\rightarrow$",
    }
)
LATIN = 0x180  # characters below need no other engine,
PUNCTUATION = "‘’“”—…†‡•‰€™"  # nor do these
LONG = 30  # letters of a first cell; longer ones are broken into lines
LONG_COLUMN, SHARE = r"p{.3\linewidth}", 0.3  # a first column of these, and its share of the width
NARROW = frozenset(" .,:;()|'/il")
COLUMN, PAGE = 219, 455  # points that such papers leave (ACL, IEEE)
FIGURE = 0.5  # its width, of the height of letters; narrow signs have .3, Chinese ones all of it
CHINESE = 0x2E80  # characters from here on


class LatexLayout(NamedTuple):
    """An environment `points` wide, the height of its letters, the space beside a column, and how to get these."""

    environment: str
    points: int
    height: int
    space: int
    commands: str


LAYOUTS = (
    LatexLayout("table", COLUMN, 10, 6, ""),
    LatexLayout("table", COLUMN, 9, 4, r"\small\setlength{\tabcolsep}{4pt}"),
    LatexLayout("table*", PAGE, 10, 6, ""),
    LatexLayout("table*", PAGE, 9, 4, r"\small\setlength{\tabcolsep}{4pt}"),
    LatexLayout("table*", PAGE, 8, 3, r"\footnotesize\setlength{\tabcolsep}{3pt}"),
)


@dataclass(frozen=True)
class LatexTable:
    """A table: columns, of which the first is one of texts, and rows in groups, each with a title or without.

    `above` are titles over several columns, each with how many.
    """

    label: str
    caption: str
    columns: Sequence[str]
    groups: Iterable[tuple[str, Iterable[Sequence[str]]]]
    above: Sequence[tuple[str, int]] = field(default=())


def escaped(text: str) -> str:
    """Return a text as LaTeX prints it, on one line."""
    return " ".join(text.split()).translate(ESCAPED)


def written(table: LatexTable) -> bytes:
    """Return the table as a file."""
    groups = [(title, [*rows]) for title, rows in table.groups]
    is_long = any(len(cells[0]) > LONG for _title, rows in groups for cells in rows)
    body = [*_head(table)]
    for title, rows in groups:
        lines = [(r"\raggedright " if is_long else "") + _row(cells) for cells in rows]
        if lines:
            body += [r"\midrule", *([_over([(title, len(table.columns))], "l")] if title else []), *lines]
    first = LONG_COLUMN if is_long else "l"
    layout = _layout([table.columns, *(cells for _title, rows in groups for cells in rows)], is_long=is_long)
    lines = [
        rf"\begin{{{layout.environment}}}",
        rf"\centering{layout.commands}",
        rf"\begin{{tabular}}{{{first}{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(table.caption)}}}",
        rf"\label{{tab:{''.join(sign if sign.isascii() and sign.isalnum() else '-' for sign in table.label)}}}",
        rf"\end{{{layout.environment}}}",
    ]
    needed = "booktabs, ctex} % XeLaTeX or LuaLaTeX" if any(map(_needs_another_engine, lines)) else "booktabs}"
    return "\n".join([rf"% \usepackage{{{needed}", *lines, ""]).encode()


def _layout(rows: Sequence[Sequence[str]], *, is_long: bool) -> LatexLayout:
    """Return the first layout that the widest cell of each column fits into; the last where none is enough."""
    widths = [max(map(_width, cells)) for cells in zip(*rows, strict=True)]

    def has_room(layout: LatexLayout) -> bool:
        first = SHARE * layout.points / layout.height if is_long else widths[0]
        return layout.height * (first + sum(widths[1:])) + 2 * layout.space * len(widths) <= layout.points

    return next(filter(has_room, LAYOUTS), LAYOUTS[-1])


def _width(cell: str) -> float:
    """Return how wide a cell is, as a part of the height of its letters."""
    return sum(0.3 if sign in NARROW else FIGURE if ord(sign) < CHINESE else 1.0 for sign in cell)


def _needs_another_engine(line: str) -> bool:
    return any(ord(sign) >= LATIN and sign not in PUNCTUATION for sign in line)


def _head(table: LatexTable) -> Iterable[str]:
    if table.above:
        yield _over(table.above, "c")
        first = 1
        for title, columns in table.above:
            if title:
                yield rf"\cmidrule(lr){{{first}-{first + columns - 1}}}"
            first += columns
    yield _row(table.columns)


def _over(titles: Sequence[tuple[str, int]], side: str) -> str:
    cells = (rf"\multicolumn{{{columns}}}{{{side}}}{{{escaped(title)}}}" for title, columns in titles)
    return f"{' & '.join(cells)} \\\\"


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(escaped, cells))} \\\\"
