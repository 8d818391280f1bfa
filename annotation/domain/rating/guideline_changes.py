"""What differs between two versions of a guideline."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.domain.rating.guideline import Guideline, TypeWords

_Which = tuple[str, int | None, str, str]


class GuidelineChange(NamedTuple):
    """A text that differs: its kind (prose, prompt, name, meaning, type, example, retired) and its grade, if any.

    ``before`` is empty for a new text, ``after`` for one that is gone. Of a retired type, ``after`` is its name.
    """

    kind: str
    grade: int | None
    before: str
    after: str


def changes(before: Guideline, after: Guideline) -> list[GuidelineChange]:
    """Return the differences: first those of the later version in its order, then what it has no more."""
    old, new = dict(_texts(before)), dict(_texts(after))
    return [
        GuidelineChange(which[0], which[1], old.get(which, ""), new.get(which, ""))
        for which in dict.fromkeys([*new, *old])
        if old.get(which, "") != new.get(which, "")
    ]


def _texts(guideline: Guideline) -> Iterator[tuple[_Which, str]]:
    """Yield every text by kind, grade, type and language. A type that has no key yet is known by its place."""
    yield from _spoken(("prose", None, ""), guideline["prose"])
    yield from _spoken(("prompt", None, ""), guideline["prompt"])
    for guide in guideline["grades"]:
        grade = guide["grade"]
        yield from _spoken(("name", grade, ""), guide["name"])
        yield from _spoken(("meaning", grade, ""), guide["meaning"])
        for number, kind in enumerate(guide["types"]):
            key = kind["key"] or f"new {number}"
            yield from _spoken(("type", grade, key), kind["name"])
            yield from _spoken(("example", grade, key), kind["example"])
            if kind["is_retired"]:
                yield ("retired", grade, key, ""), kind["name"]["en"] or kind["name"]["zh"]


def _spoken(which: tuple[str, int | None, str], words: TypeWords) -> Iterator[tuple[_Which, str]]:
    yield (*which, "zh"), words["zh"]
    yield (*which, "en"), words["en"]
