"""Parts of the data card about who made a release, and under which guideline."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.exporters.markdown import plain

About = Mapping[str, Any]


def rating_guideline(versions: Sequence[About]) -> Iterator[str]:
    """Yield the versions that grades were given under, and what the last one says."""
    for version in versions:
        graded = "" if version["ratings"] is None else f", {version['ratings']:,} grades were given under it"
        yield f"- Version {version['number']} of {version['created_at'][:10]}{graded}.{_why(version)}"
    for grade in versions[-1]["grades"] if versions else ():
        types = "; ".join(plain(_either(kind["name"])) for kind in grade["types"])
        meaning = plain(_either(grade.get("meaning", {})))
        named = f"{plain(_either(grade['name']))}{f': {meaning}' if meaning else ''}"
        failed = " – counts as failed" if grade.get("is_failed") else ""
        yield f"- Grade {grade['grade']}: {named}{f' ({types})' if types else ''}{failed}"
    if versions and (prose := _either(versions[-1].get("prose", {}))):
        yield from _quoted("Raters read first", prose)


def rewriting_guideline(versions: Sequence[About]) -> Iterator[str]:
    """Yield the versions that instances were written under, and what the last one says."""
    for version in versions:
        written = f"{version['instances']:,} of the instances were written under it"
        yield f"- Version {version['number']} of {version['created_at'][:10]}, {written}.{_why(version)}"
    for reader in ("authors", "inspectors") if versions else ():
        if text := _either(versions[-1][reader]):
            yield from _quoted(f"What {reader} read", text)


def annotators(people: About) -> Iterator[str]:
    """Yield who made the release, as the project says and as was counted; releases of before say nothing."""
    counted = [f"{people[role]:,} {role}" for role in ("raters", "authors", "inspectors") if role in people]
    if counted:
        yield f"- People: {', '.join(counted)}."
        yield f"- Who they are: {plain(people['profile']) or 'not recorded. Ask before you generalise from them.'}"


def _why(version: About) -> str:
    return f" {plain(version['why'])}" if version.get("why") else ""


def _either(words: About) -> str:
    return words.get("en") or words.get("zh") or ""


def _quoted(title: str, text: str) -> Iterator[str]:
    yield ""
    yield f"{title} (version in force last):"
    yield ""
    yield from (f"> {plain(line)}" if line else ">" for line in text.split("\n"))
