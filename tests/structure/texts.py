"""Measures of texts: switches of the formatter and the checkers, words, docstrings, long lines of templates."""

import hashlib
import re

FORMATTER_OFF = re.compile(r"#\s*fmt:\s*(?:skip|off)\b")
TYPE_IGNORED = re.compile(r"#\s*type:\s*ignore\b")
LINT_IGNORED = re.compile(r"#\s*noqa\b", re.IGNORECASE)
RIDDLE = re.compile(r"(?:Of|As|To|What|How|Who|Whom|Whose|Whoever|Whether|That|Those|Where|Why|When)\b")
WORDS = {
    word: re.compile(rf"\b(?:{forms})\b", re.IGNORECASE)
    for word, forms in {
        "nobody": "nobody",
        "somebody": "somebody",
        "everybody": "everybody",
        "whoever": "whoever",
        "stands": "stands",
        "meanwhile": "meanwhile",
        "anew": "anew",
        "mend": "mend|mends|mended|mending",
    }.items()
}
LONGEST_LINE = 120

# Pieces of a template's line. A Django tag cannot be broken; an element breaks between its attributes.
PIECE = re.compile(
    r"""(?P<tag>\{%.*?%\}|\{\#.*?\#\})"""
    r"""|(?P<variable>\{\{.*?\}\})"""
    r"""|(?P<attribute>(?:^|(?<=\s))[\w:@.-]+="(?:\{%.*?%\}|\{\{.*?\}\}|[^"])*")"""
    r"""|(?P<element></?[a-zA-Z][\w-]*(?:\s*/?>)?|/?>)"""
    r"""|(?P<text>(?:(?!\{[%#{]|</?[a-zA-Z]|/?>|\s[\w:@.-]+=").)+)""",
    re.VERBOSE,
)

TRANSLATED = re.compile(r"""\{%\s*translate\s+["']|_\(["']""")
TAG = r"\{%.*?%\}|\{\{.*?\}\}"
AS_WRITTEN = re.compile(
    rf"""(?P<whole><(?P<name>textarea|pre)\b(?:{TAG}|"(?:{TAG}|[^"])*"|[^">])*>(?P<content>.*?)</(?P=name)>)""",
    re.DOTALL,
)


def count(pattern: re.Pattern[str], sources: list[str]) -> int:
    return sum(len(pattern.findall(source)) for source in sources)


def begins_as_a_riddle(docstring: str) -> bool:
    """Tell whether the first word makes a reader need the name to understand the sentence."""
    return bool(RIDDLE.match(docstring))


def drawn(docstrings: list[tuple[str, str, str]], number: int, seed: int) -> list[tuple[str, str, str]]:
    """Return so many docstrings at random. The draw of each depends only on its file's name and its own name, so that a
    move to another folder changes nothing.
    """

    def lot(docstring: tuple[str, str, str]) -> tuple[str, str]:
        path, name, _text = docstring
        key = f"{seed}/{path.rpartition('/')[2]}/{name}"
        return hashlib.sha256(key.encode()).hexdigest(), path

    return sorted(docstrings, key=lot)[:number]


def long_lines(template: str) -> list[str]:
    return [line for line in template.splitlines() if len(line) > LONGEST_LINE]


def is_single_text(line: str) -> bool:
    """The line is one piece: a text with its variables, or one tag or attribute with one text to translate. An element
    without attributes or a tag without arguments directly before and directly after it does not count: a break there
    could change the text."""
    pieces: list[tuple[str, str]] = []
    for piece in PIECE.finditer(line.strip()):
        text = piece.group().strip()
        kind = "text" if piece.lastgroup in ("text", "variable") else str(piece.lastgroup)
        if kind == "element" or (kind == "tag" and len(text.split()) <= len(["{%", "name", "%}"])):
            pieces.append(("bare", text))
        elif text and not (kind == "text" and pieces and pieces[-1][0] == "text"):
            pieces.append((kind, text))
    if pieces[0][0] == "bare":
        del pieces[0]
    if pieces and pieces[-1][0] == "bare":
        del pieces[-1]
    if len(pieces) != 1:
        return False
    [(kind, text)] = pieces
    return kind == "text" or (kind != "bare" and len(TRANSLATED.findall(text)) == 1)


def indents(template: str) -> list[str]:
    """Return the elements whose blanks are shown, and which begin or end with a blank. HTML drops a line break directly
    after the opening tag.
    """
    found = [(each["whole"], each["content"].removeprefix("\n")) for each in AS_WRITTEN.finditer(template)]
    return [whole for whole, content in found if content != content.strip()]
