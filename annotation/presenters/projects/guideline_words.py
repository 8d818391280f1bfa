"""Texts of a guideline in the reader's language."""

from typing import Any

from django.utils.translation import get_language

from annotation.domain.rating.guideline import TypeWords, no_words
from annotation.models import Project


def in_own_language(words: TypeWords) -> str:
    """Return the text in the language of the page, or in the other one if it is empty."""
    own, other = (words["zh"], words["en"]) if get_language() == "zh-hans" else (words["en"], words["zh"])
    return own or other


def for_readers(project: Project, readers: str) -> dict[str, Any]:
    """Return the number and the words of a rewriting project's guideline for its authors or inspectors.

    Without words in a project from before there were any.
    """
    newest = project.guidelines.first()
    return {"number": newest.number, "words": newest.content[readers]} if newest else {"number": 0, "words": no_words()}


def type_names(project: Project) -> dict[str, str]:
    """Return the names of the response types by key, in the guideline's order."""
    guideline = project.guidelines.first()
    grades = guideline.content["grades"] if guideline else []
    return {kind["key"]: in_own_language(kind["name"]) for grade in grades for kind in grade["types"]}
