"""Texts in the source that people would read in English whatever their language, because they are not marked.

Each kind of source has a rule of thumb: strict for what people read, blind to what they do not (code, keys, commands).
"""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import TokenType

from tests.messages import MARKS, marking_calls, tokens

# The same in both languages: names, formats, signs, and each language's own name on the switch.
SAME_IN_BOTH = {
    "Colloquy",
    "API",
    "OpenAPI",
    "LaTeX",
    "CSV",
    "csv",
    "tsv",
    "xlsx",
    "json",
    "jsonl",
    "mutual",
    "parquet",
    "PARQUET",
    "trec",
    "huggingface",
    "id",
    "Gwet",
    "AC",
    "A",
    "B",
    "C",
    "D",
    "E",
    "n",
    "κ",
    "α",
    "MuTual",
    "plus",
    "DREAM",
    "English",
    "中文",
    "R",
    "MRR",
    "MAP",
    "P",
    "Cut",
    "k",
    "eff",
    "Wald",
    "Wilson",
    "Jeffreys",
    "Agresti",
    "Coull",
    "Clopper",
    "Pearson",
    "SVG",
    "PDF",
    "PNG",
    "ZIP",
    "px",
    "TF",
    "IDF",
    "BM",
    "SVMRank",
    "GBDT",
    "Dual",
    "RNN",
    "LSTM",
    "BiLSTM",
    "CNN",
    "SMN",
    "DAM",
    "BERT",
    "RoBERTa",
    "MC",
    "GPT",
    "FT",
    "CPU",
    "GPU",
    "GB",
    "SD",
    "p",
    "mid",
    "txt",
    "zip",
    "tar",
    "gz",
}

NOT_READ = {"script", "style", "code", "kbd", "pre"}
READ_ALOUD = {"aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt", "label"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def foreign_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text) if word not in SAME_IN_BOTH]


class PageReader(HTMLParser):
    """Reader of a page's text, and of the attributes that are read aloud or shown by the script.

    The content of elements of NOT_READ is left out, and so is content marked as being in `language`.
    """

    def __init__(self, html: str, language: str = "") -> None:
        super().__init__()
        self.said: list[str] = []
        self.language = language
        self.silent, self.depth = "", 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == self.silent:
            self.depth += 1
        elif not self.silent and not self._is_read(tag, attributes):
            if tag not in VOID:
                self.silent, self.depth = tag, 1
        elif not self.silent:
            self.said += [value for name, value in attributes.items() if _is_said(tag, name, attributes)]

    def _is_read(self, tag: str, attributes: dict[str, str]) -> bool:
        return tag not in NOT_READ and (not self.language or attributes.get("lang") != self.language)

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.depth -= 1
            self.silent = self.silent if self.depth else ""

    def handle_data(self, data: str) -> None:
        if not self.silent and data.strip():
            self.said.append(data.strip())


def _is_said(tag: str, name: str, attributes: dict[str, str]) -> bool:
    if name == "value":
        return tag == "input" and attributes.get("type") in {"submit", "button", "reset"}
    is_phrase = re.search(r"^[A-Z][a-z]|[a-z] [a-z]", attributes[name])
    return name in READ_ALOUD or (name.startswith("data-") and name != "data-key" and bool(is_phrase))


def unmarked_in_template(source: str) -> list[str]:
    """Return texts, attributes and arguments of tags that are neither translated nor variables."""
    outside = tokens(source, without=("comment", "blocktranslate", "block page_class"))
    html = "".join(token.contents for token in outside if token.token_type == TokenType.TEXT)
    tags = [token.contents for token in outside if token.token_type != TokenType.TEXT]
    found = PageReader(html).said + [text for tag in tags for text in _texts_in_tag(tag)]
    return [text for text in found if foreign_words(text)]


def _texts_in_tag(tag: str) -> Iterator[str]:
    """Yield texts that a filter shows instead of a value, and texts that look like a sentence or title."""
    if tag.split(maxsplit=1)[0] == "translate":
        return
    for _quote, text in re.findall(r"""\|(?:default|default_if_none|yesno|pluralize):(["'])(.*?)\1""", tag):
        yield text
    for _quote, text in re.findall(r"""(?<!_\()(["'])([A-Z][a-z].*?)\1""", tag):
        yield text


def left_in_english(html: str) -> list[str]:
    """Return the English texts of a Chinese page that are not marked as English (`lang="en"`)."""
    return [text for text in PageReader(html, language="en").said if foreign_words(text) and not has_chinese(text)]


def has_chinese(text: str) -> bool:
    return re.search(r"[㐀-鿿]", text) is not None


# Calls whose texts people read, and the positions of these texts among the arguments.
SAYS = {"Refused": 1, "ChoiceError": 0, "ValidationError": 0, "HttpResponse": 0, "HttpResponseBadRequest": 0} | {
    f"messages.{level}": 1 for level in ("success", "info", "warning", "error")
}
SAID_BY_NAME = {"label", "help_text", "empty_label", "verbose_name"}
SAID_BY_TABLE = {"labels", "help_texts", "error_messages"}


def unmarked_in_module(source: str) -> list[str]:
    """Return unmarked texts of forms, messages and refusals, and marked texts that a catalogue cannot hold."""
    nodes = list(ast.walk(ast.parse(source)))
    found = [text for node in nodes if isinstance(node, ast.Call) for text in _said_by(node)]
    found += [text for node in nodes if isinstance(node, ast.Assign) for text in _in_table(node)]
    found += [text for node in nodes if isinstance(node, ast.ClassDef) for text in _labels_of(node)]
    found += [
        argument for call in marking_calls(source) for argument in call.args[: len(MARKS)] if _is_made_up(argument)
    ]
    return [ast.unparse(text) for text in found]


def _said_by(call: ast.Call) -> Iterator[ast.expr]:
    if ast.unparse(call.func).startswith("models."):
        return iter(())  # help texts of models are for readers of the code
    position = SAYS.get(ast.unparse(call.func), len(call.args))
    said = [*call.args[position : position + 1], *(each.value for each in call.keywords if each.arg in SAID_BY_NAME)]
    said += [text for each in call.keywords if each.arg in SAID_BY_TABLE for text in _values(each.value)]
    return (text for text in said if _is_text(text))


def _in_table(assignment: ast.Assign) -> Iterator[ast.expr]:
    names = {ast.unparse(target) for target in assignment.targets}
    return (text for text in _values(assignment.value) if names & SAID_BY_TABLE and _is_text(text))


def _labels_of(class_: ast.ClassDef) -> Iterator[ast.expr]:
    """Yield the labels, the second of `RATE = "rate", "Rating"`, of a class of choices."""
    if any(ast.unparse(base).endswith("TextChoices") for base in class_.bases):
        for line in class_.body:
            if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
                yield from (text for text in line.value.elts[1:] if _is_text(text))


def _values(table: ast.expr) -> list[ast.expr]:
    return table.values if isinstance(table, ast.Dict) else []


def _is_text(node: ast.expr) -> bool:
    """Tell whether it is a text with letters, or one with values in it."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(foreign_words(node.value))
    )


def _is_made_up(argument: ast.expr) -> bool:
    """Tell whether the text already has values in it, so that no catalogue can hold it."""
    texts = [node for node in ast.walk(argument) if isinstance(node, ast.JoinedStr | ast.Constant)]
    return not isinstance(argument, ast.Constant) and any(_is_text(text) for text in texts)


SHOWN = re.compile(
    r"""(?:\.(?:textContent|innerText|innerHTML|title|placeholder|ariaLabel|alt)\s*\+?=(?!=)"""
    r"""|\b(?:alert|confirm|prompt)\(|setAttribute\("(?:aria-label|title|placeholder|alt)",)([^;]*)"""
)
LOOK_UP = r"\b(?:querySelector(?:All)?|closest|matches|getAttribute|getElementById|replace)\("
LITERAL = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'


def unmarked_in_script(source: str) -> list[str]:
    """Return literals that a script shows, and literals that read like a sentence or are Chinese."""
    code = re.sub(rf"({LITERAL})|//[^\n]*|/\*.*?\*/", r"\1", source, flags=re.DOTALL)
    code = re.sub(rf"({LOOK_UP})(?:{LITERAL})", r"\1", code)
    shown = [literal for statement in SHOWN.findall(code) for literal in _bare_literals(statement)]
    sentences = [text for text in _bare_literals(code) if re.search(r"^[A-Z][a-z]+,? [a-z]|[㐀-鿿]", text)]
    return [text for text in dict.fromkeys([*shown, *sentences]) if foreign_words(text)]


def _bare_literals(code: str) -> list[str]:
    """Return the literals without quotes and placeholders: `${count}` is JavaScript's, `{count}` is filled in by the
    scripts.
    """
    return [re.sub(r"\$\{.*\}|\{\w+\}", "", literal[1:-1], flags=re.DOTALL) for literal in re.findall(LITERAL, code)]
