r"""Tables in LaTeX with the rules of booktabs, to be put into a paper.

Every text is escaped here, so that no name or label is a command. A row cannot begin with a bracket, which `\\` would
read as its option. Signs that pdfLaTeX does not know are spelled; what is beyond them (Chinese) needs XeLaTeX or
LuaLaTeX with ctex, as the first line says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

ESCAPED = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "–": "--",
        "−": "$-$",
        "±": r"$\pm$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "κ": r"$\kappa$",
        "α": r"$\alpha$",
    }
)
LATIN = 0x250  # characters below need no other engine


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
    body = [*_head(table)]
    for title, rows in table.groups:
        lines = [_row(cells) for cells in rows]
        if lines:
            body += [r"\midrule", *([_over([(title, len(table.columns))], "l")] if title else []), *lines]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(table.caption)}}}",
        rf"\label{{tab:{''.join(sign if sign.isascii() and sign.isalnum() else '-' for sign in table.label)}}}",
        r"\end{table}",
    ]
    packages = "booktabs, ctex" if any(ord(sign) >= LATIN for line in lines for sign in line) else "booktabs"
    return "\n".join([f"% \\usepackage{{{packages}}}", *lines, ""]).encode()


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
