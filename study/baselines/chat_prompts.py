"""Prompts of the chat model, by version, and the reading of its replies.

A version that was used never changes: another wording is another version.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from study.baselines.base import RankingInstance


@dataclass(frozen=True)
class ChatPrompt:
    """`{dialogue}` and `{options}` are filled in; `alone` is asked of candidates without a context."""

    text: str
    alone: str


PROMPTS = {
    "en-1": ChatPrompt(
        "Here is a dialogue.\n\n{dialogue}\n\nWhich of these options is the best next turn of it?\n\n{options}\n\n"
        "Answer with the letter of one option and nothing else.",
        "The next turn of a dialogue that you do not see is one of these options. Which one?\n\n{options}\n\n"
        "Answer with the letter of one option and nothing else.",
    ),
    "zh-1": ChatPrompt(
        "下面是一段对话。\n\n{dialogue}\n\n以下选项中，哪一个最适合作为对话的下一句？\n\n{options}\n\n"
        "只回答一个选项的字母，不要写其他内容。",
        "以下选项之一是一段对话的下一句，但你看不到这段对话。是哪一个？\n\n{options}\n\n"
        "只回答一个选项的字母，不要写其他内容。",
    ),
}

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)  # which some models put before their answer
_ALONE = re.compile(r"[\W_]*([A-Za-z]+|\d+)[\W_]*")
_FIRST = re.compile(r"[\W_]*([A-Z]+|\d+)[\W_]*?(?:[.:)\]、。：）]|\n)")
_NAMED = re.compile(
    r"(?i:\bis|\banswer|\bchoice|\bchoose|\boption|\bpick|选项|答案|选择|选|是|为)[\W_]{0,4}([A-Z]+|\d+)(?![A-Za-z\d])"
)


def prompt_for(instance: RankingInstance, order: Sequence[int], version: str) -> str:
    """Return what is asked of an instance whose candidates stand in this order."""
    names = letters(len(order))
    options = "\n".join(
        f"{name}. {_on_one_line(instance.candidates[number])}" for name, number in zip(names, order, strict=True)
    )
    speakers = instance.speakers or ("",) * len(instance.context)
    turns = [
        f"{speaker}: {_on_one_line(turn)}" if speaker else f"- {_on_one_line(turn)}"
        for speaker, turn in zip(speakers, instance.context, strict=True)
    ]
    prompt = PROMPTS[version]
    return (prompt.text if turns else prompt.alone).format(dialogue="\n".join(turns), options=options)


def letters(count: int) -> list[str]:
    """Return the names of the options: letters, or numbers from 1 where there are more than 26."""
    if count <= len(ascii_uppercase):
        return [*ascii_uppercase[:count]]
    return [str(number) for number in range(1, count + 1)]


def option_in(text: str, options: Sequence[str]) -> int | None:
    """Return which of the options, as they were lettered, a reply names; None unless it names exactly one.

    A reply is read where it is one letter, where it begins with a letter and a mark ("B."), where it says "answer: B"
    or the like, and where it is an option word for word.
    """
    said, names = _THOUGHT.sub("", text).strip(), letters(len(options))
    named = _named(said)
    if len(named) > 1:
        return None
    for name in named.intersection(names):
        return names.index(name)
    repeated = [number for number, option in enumerate(options) if _folded(option) == _folded(said)]
    return repeated[0] if repeated and _folded(said) else None


def _named(said: str) -> set[str]:
    """Return all that may be the name of an option."""
    if alone := _ALONE.fullmatch(said):
        return {alone[1].upper()}
    first = _FIRST.match(said)
    return {*_NAMED.findall(said), *([first[1]] if first else [])}


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    return _on_one_line(text).casefold().strip(" \"'.“”。")
