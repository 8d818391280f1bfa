"""The texts the source marks for translation, read without gettext: templates as Django runs them, modules by ast."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.template import engines
from django.template.base import Lexer, Token, TokenType
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).resolve().parent.parent
HOUSES = ("annotation", "config", "study")

# Where the texts stand among a call's arguments: context, one, several.
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
    """What a catalogue is asked for: the text in English, for several things as well, and where it would be unclear
    its context."""

    text: str
    plural: str = ""
    context: str = ""


def source_files(pattern: str) -> dict[str, str]:
    """Names below the repository's root, and what stands in them."""
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
    """The last name of what is called: `gettext` of `translation.gettext(...)`."""
    return ast.unparse(call.func).rpartition(".")[2]


def _message(call: ast.Call) -> Message | None:
    """None where the text is not in the call: it is marked elsewhere, and this only looks it up."""
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
    """The template's tokens, without the blocks that begin with one of these tags and what stands in them."""
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
    """Texts marked as `_("…")` in a tag or a variable."""
    if token.token_type == TokenType.TEXT:
        return []
    return [text.replace("%", "%%") for _quote, text in re.findall(r"""\b_\((["'])(.*?)\1\)""", token.contents)]
