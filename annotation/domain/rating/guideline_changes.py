"""What differs between two versions of a guideline."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.domain.rating.guideline import Guideline, TypeWords, texts_of

TICK = "✓"
_Which = tuple[str, int | None, str, str]


class GuidelineChange(NamedTuple):
    """A text that differs: its kind (prose, prompt, name, meaning, failed, type, example, retired, order), its grade.

    ``before`` is empty for a new text, ``after`` for one that is gone. Of a retired type, ``after`` is its name; of a
    grade that counts as failed, a tick. Of the order of types both are their names.
    """

    kind: str
    grade: int | None
    before: str
    after: str


def changes(before: Guideline, after: Guideline) -> list[GuidelineChange]:
    """Return the differences: first those of the later version in its order, then what it has no more."""
    old, new = dict(_texts(before)), dict(_texts(after))
    of_texts = [
        GuidelineChange(which[0], which[1], old.get(which, ""), new.get(which, ""))
        for which in dict.fromkeys([*new, *old])
        if old.get(which, "") != new.get(which, "")
    ]
    return [*of_texts, *_of_order(before, after)]


def _of_order(before: Guideline, after: Guideline) -> Iterator[GuidelineChange]:
    """Yield the grades whose types are in another order, of those that both versions have."""
    kinds = [kind for guide in after["grades"] for kind in guide["types"]]
    names = {kind["key"]: kind["name"]["en"] or kind["name"]["zh"] for kind in kinds}
    earlier = {guide["grade"]: [kind["key"] for kind in guide["types"]] for guide in before["grades"]}
    for guide in after["grades"]:
        was, now = earlier.get(guide["grade"], []), [kind["key"] for kind in guide["types"]]
        shared = [[key for key in keys if key in was and key in now] for keys in (was, now)]
        if shared[0] != shared[1]:
            said = [", ".join(names[key] for key in keys) for keys in shared]
            yield GuidelineChange("order", guide["grade"], *said)


def texts_before(before: Guideline, after: Guideline) -> dict[str, str | None]:
    """Return what each text of ``after`` was, by its place with a language (``g0-t1-name-en``).

    None in a grade or a type that was not there.
    """
    old = dict(_texts(before))
    places = [f"{place}-{language}" for place, _kind, _words in texts_of(after) for language in ("zh", "en")]
    known_as = [which for which, _text in _texts(after) if which[0] not in ("failed", "retired")]
    return {place: old.get(which) for place, which in zip(places, known_as, strict=True)}


def _texts(guideline: Guideline) -> Iterator[tuple[_Which, str]]:
    """Yield every text by kind, grade, type and language. A type that has no key yet is known by its place."""
    yield from _spoken(("prose", None, ""), guideline["prose"])
    yield from _spoken(("prompt", None, ""), guideline["prompt"])
    for guide in guideline["grades"]:
        grade = guide["grade"]
        yield from _spoken(("name", grade, ""), guide["name"])
        yield from _spoken(("meaning", grade, ""), guide["meaning"])
        if guide["is_failed"]:
            yield ("failed", grade, "", ""), TICK
        for number, kind in enumerate(guide["types"]):
            key = kind["key"] or f"new {number}"
            yield from _spoken(("type", grade, key), kind["name"])
            yield from _spoken(("example", grade, key), kind["example"])
            if kind["is_retired"]:
                yield ("retired", grade, key, ""), kind["name"]["en"] or kind["name"]["zh"]


def _spoken(which: tuple[str, int | None, str], words: TypeWords) -> Iterator[tuple[_Which, str]]:
    yield (*which, "zh"), words["zh"]
    yield (*which, "en"), words["en"]
