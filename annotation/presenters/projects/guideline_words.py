"""The words of a guideline in the reader's language."""

from django.utils.translation import get_language

from annotation.domain.rating.guideline import TypeWords
from annotation.models import Project


def in_own_language(words: TypeWords) -> str:
    """The words in the language of the page, or in the other one where there are none."""
    own, other = (words["zh"], words["en"]) if get_language() == "zh-hans" else (words["en"], words["zh"])
    return own or other


def type_names(project: Project) -> dict[str, str]:
    """What the types of responses are called, by key, in the guideline's order."""
    guideline = project.guidelines.first()
    grades = guideline.content["grades"] if guideline else []
    return {kind["key"]: in_own_language(kind["name"]) for grade in grades for kind in grade["types"]}
