"""docs/data-formats.md names every key that the reports print."""

import re
from pathlib import Path
from typing import Any

import pytest

from annotation.api.examples import QUALITY
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.quality.quality import quality_report
from study.models import Study
from study.selectors.results.results import results_of
from tests import factories
from tests.samples import SampleData

TEXT = (Path(__file__).parent.parent / "docs" / "data-formats.md").read_text(encoding="utf-8")
SUFFIX = re.compile(r"_(?:ci|asymptotic|se|why)$")
BY_NAME = ("grades", "types", "settings")  # their keys are grades, types and names, or what a person named


def told(heading: str) -> set[str]:
    """Return all words that the tables of a section set as code."""
    section = TEXT.partition(f"\n## {heading}")[2].partition("\n## ")[0]
    return set(re.findall(r"`([\w@]+)`", "\n".join(re.findall(r"^\|.*", section, re.MULTILINE))))


def keys(report: Any) -> set[str]:
    if isinstance(report, list):
        return set().union(*map(keys, report))
    if not isinstance(report, dict):
        return set()
    return {*report, *(key for name, value in report.items() if name not in BY_NAME for key in keys(value))}


def undocumented(report: Any, words: set[str]) -> set[str]:
    return {key for key in keys(report) if key not in words and SUFFIX.sub("", key) not in words}


@pytest.mark.django_db
def test_every_key_of_agreement_is_told(sample: SampleData) -> None:
    factories.model_grades(sample.project, "judge-1", *[3] * sample.project.items.work().count())
    report = agreement_report(sample.project)
    judge = next(model for model in report["models"] if model["model"] == "judge-1")
    assert judge["places"] and judge["raters"]
    assert report["sources"] and report["stretches"] and report["discussions"] and report["type_confusions"]
    assert not undocumented(report, told("Agreement out"))


@pytest.mark.django_db
def test_every_key_of_quality_is_told(sample: SampleData) -> None:
    report = [quality_report(sample.project), QUALITY]  # nobody in the sample has graded enough to drift
    assert not undocumented(report, told("Quality out") | told("Agreement out"))


@pytest.mark.django_db
def test_every_key_of_results_is_told(sample: SampleData) -> None:
    report = results_of(Study.objects.get(slug=sample.arguments["results"][0]))
    assert report["cells"] and report["models"] and report["differences"]
    assert not undocumented(report, told("Results out"))
