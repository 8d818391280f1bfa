"""The columns of a table of dialogues: what they are usually called, and which of them are read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO, NamedTuple

from annotation.importers.columns import ALIASES, LEFT_OUT, Schema, folded_name
from annotation.importers.dialogues import LONGEST_LINE, MOST_FACTS, Recipe
from annotation.importers.headers import sniff
from annotation.importers.layout import Layout, LayoutChoice, ParsedHeader
from annotation.importers.preview import ROWS
from annotation.importers.reasons import RowRefused

DIALOGUE_NAMES = (
    "dialog_id",
    "conversation_id",
    "conv_id",
    "session_id",
    "conversation",
    "session",
    "dialog",
    "对话编号",
    "对话id",
    "会话编号",
    "会话id",
    "对话",
    "会话",
)
TURN_LISTS = (
    "dialogue",
    "dialog",
    "conversation",
    "utterances",
    "messages",
    "history",
    "对话",
    "对话内容",
    "会话",
    "会话内容",
)
OTHERS: Mapping[str, Sequence[str]] = {"split": ("set", "fold", "划分", "数据集")}
A_LINE = Schema(
    required=("dialogue_id", "text"),
    optional=("speaker", "turn", "split"),
    aliases={
        **OTHERS,
        "dialogue_id": ("dialogue", *DIALOGUE_NAMES),
        "text": ("utterance", "content", "message", "sentence", "内容", "文本", "话语", "发言", "句子", "台词"),
        "speaker": ("role", "from", "author", "sender", "user", "说话人", "说话者", "发言人", "角色", "用户"),
        "turn": ("turn_id", "turn_number", "utterance_id", "index", "轮次", "话轮", "轮", "序号", "句序"),
    },
)
A_DIALOGUE = Schema(
    required=("turns",),
    optional=("dialogue_id", "split"),
    aliases={**OTHERS, "turns": TURN_LISTS, "dialogue_id": ("id", "编号", "序号", *DIALOGUE_NAMES)},
)
TWO_TURNS = Schema(
    required=("prompt", "response"),
    optional=("dialogue_id", "split"),
    aliases={
        **OTHERS,
        "prompt": tuple(name for name in ALIASES["prompt"] if name not in (*TURN_LISTS, "上下文", "context")),
        "response": ALIASES["response"],
        "dialogue_id": A_DIALOGUE.aliases["dialogue_id"],
    },
)
ANY = Schema(  # to find a header, and what can be matched
    required=("turns", "dialogue_id", "text", "prompt", "response"),
    optional=("speaker", "turn", "split"),
    aliases={**TWO_TURNS.aliases, **A_LINE.aliases, "turns": TURN_LISTS},
)
WAYS = {"text": A_LINE, "turns": A_DIALOGUE, "prompt": TWO_TURNS, "response": TWO_TURNS}  # by a column chosen for them
ID = re.compile(r"[\w.:-]+", re.ASCII)
SPLITS = {"valid": "dev", "validation": "dev", "训练": "train", "训练集": "train", "验证": "dev", "验证集": "dev"}
SPLITS |= {"开发集": "dev", "测试": "test", "测试集": "test"}


class DialogueTable(NamedTuple):
    """A file whose columns are known: which of the three schemas its rows have, and what other columns are kept."""

    layout: Layout
    row_is: Schema
    others: Mapping[str, str]  # folded names, and as written


def choice_of(recipe: Recipe) -> LayoutChoice:
    """Return what a person chose about the layout, as the recipe keeps it."""
    return replace(LayoutChoice(**recipe.choice), longest_line=LONGEST_LINE)


def header_of(file: BinaryIO, choice: LayoutChoice) -> ParsedHeader:
    """Return the header of a table before its columns are matched. Raises RowRefused."""
    header = sniff(file, "auto", ANY, choice)
    if header.format == "zip":
        raise RowRefused("archive", kind="zip")
    return header


def table_of(header: ParsedHeader, choice: LayoutChoice) -> DialogueTable:
    """Return the layout by which the file is read. Raises RowRefused where it has no columns of dialogues."""
    chosen = {ours for ours, theirs in choice.columns.items() if theirs != LEFT_OUT}
    ways = [WAYS[ours] for ours in WAYS if ours in chosen]
    if any(way is not ways[0] for way in ways):
        raise RowRefused("turns_and_text")
    schema = ways[0] if ways else _likely_way(header, choice.columns)
    columns = {ours: theirs for ours, theirs in choice.columns.items() if ours in schema.known}
    layout = header.layout(schema, replace(choice, columns=columns))
    return DialogueTable(layout, schema, _others(header, layout, schema) if choice.keeps_others else {})


def _likely_way(header: ParsedHeader, chosen: Mapping[str, str]) -> Schema:
    """Return what a row is by the names of the columns; two columns without names are two turns, unless one has ids."""
    if not (header.has_header or header.has_keys):
        has_ids = all(ID.fullmatch(row[0].strip()) for row in header.first[:ROWS])
        return TWO_TURNS if len(header.names) == len(TWO_TURNS.required) and not has_ids else A_LINE
    ways = (A_LINE, A_DIALOGUE, TWO_TURNS)
    return next((way for way in ways if {*way.required} <= way.found_in(header.names, chosen).keys()), A_LINE)


def _others(header: ParsedHeader, layout: Layout, schema: Schema) -> dict[str, str]:
    """Return the columns that are none of ours, by the names of their cells. Raises RowRefused where they are many."""
    read_as = [layout.renaming.get(name, name) for name in map(folded_name, header.names)]
    cells = zip(read_as if header.has_keys else layout.columns, header.names, strict=True)
    others = {cell: name for cell, name in cells if cell and cell not in schema.known}
    if len(others) > MOST_FACTS:
        raise RowRefused("many_other_columns", found=len(others), limit=MOST_FACTS)
    return others
