"""Texts marked for translation, found without gettext: templates as Django parses them, modules by ast."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.template import engines
from django.template.base import Lexer, Token, TokenType
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).resolve().parent.parent
HOUSES = ("annotation", "config", "core", "study")

# Positions of the texts among a call's arguments: context, singular, plural.
MARKS: dict[str, tuple[int | None, int, int | None]] = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
}


class Message(NamedTuple):
    """Entry of the catalogue: the English text, its plural if it has one, and its context if the text is ambiguous."""

    text: str
    plural: str = ""
    context: str = ""


def source_files(pattern: str) -> dict[str, str]:
    """Return the source files by name below the repository's root."""
    folders = {"*.py": HOUSES, "*.html": ("templates",), "*.js": ("static/js",)}[pattern]
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob(pattern)))
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in paths
        if "migrations" not in path.parts
    }


def all_messages() -> set[Message]:
    modules = (messages_of_module(source) for source in source_files("*.py").values())
    templates = (messages_of_template(source) for source in source_files("*.html").values())
    return set().union(*modules, *templates)


def messages_of_module(source: str) -> set[Message]:
    return {message for call in marking_calls(source) if (message := _message(call))}


def marking_calls(source: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and called(node) in MARKS)


def called(call: ast.Call) -> str:
    """Return the last name of what is called: `gettext` of `translation.gettext(...)`."""
    return ast.unparse(call.func).rpartition(".")[2]


def _message(call: ast.Call) -> Message | None:
    """Return the marked text; None if the call holds no literal, which means that it only looks up one marked
    elsewhere.
    """
    context, text, plural = (_literal(call, position) for position in MARKS[called(call)])
    return Message(text, plural, context) if text else None


def _literal(call: ast.Call, position: int | None) -> str:
    argument = call.args[position] if position is not None and position < len(call.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def messages_of_template(source: str) -> set[Message]:
    nodes = engines["django"].from_string(source).template.nodelist
    found = {_of_translate(node) for node in nodes.get_nodes_by_type(TranslateNode)}
    found |= {_of_blocktranslate(node) for node in nodes.get_nodes_by_type(BlockTranslateNode)}
    return found | {Message(text) for token in tokens(source) for text in _of_arguments(token)}


def tokens(source: str, without: tuple[str, ...] = ("comment",)) -> list[Token]:
    """Return the template's tokens, without the blocks that begin with one of these tags, and their content."""
    kept, closing = [], ""
    for token in Lexer(source).tokenize():
        tag = token.contents if token.token_type == TokenType.BLOCK else ""
        opened = next((name for name in without if f"{tag} ".startswith(f"{name} ")), "")
        if not closing and opened:
            closing = f"end{opened.split()[0]}"
        elif not closing and token.token_type != TokenType.COMMENT:
            kept.append(token)
        elif closing and tag.startswith(closing):
            closing = ""
    return kept


def _of_translate(node: TranslateNode) -> Message:
    return Message(node.filter_expression.var.literal.replace("%", "%%"), context=_context(node))


def _of_blocktranslate(node: BlockTranslateNode) -> Message:
    text, _names = node.render_token_list(node.singular)
    plural, _names = node.render_token_list(node.plural) if node.plural else ("", [])
    return Message(text, plural, _context(node))


def _context(node: Any) -> str:
    return str(node.message_context.var) if node.message_context else ""


def _of_arguments(token: Token) -> list[str]:
    """Return the texts marked as `_("…")` in a tag or a variable."""
    if token.token_type == TokenType.TEXT:
        return []
    return [text.replace("%", "%%") for _quote, text in re.findall(r"""\b_\((["'])(.*?)\1\)""", token.contents)]
