"""A model's grades move no figure of people, and have their own columns in what goes out."""

import json
import re
from typing import Any

import pytest

from annotation.actions.releases import releases
from annotation.exporters.canonical import checksum
from annotation.exporters.card import data_card
from annotation.models import Item, Project, Purpose
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.projects.board import board_of
from annotation.selectors.projects.progress import progress_of
from annotation.selectors.quality.quality import quality_report
from annotation.selectors.rating.rating_rows import rating_rows, written
from annotation.selectors.releases.releases import instances_of, manifest_of, prospect_of, unchanged_since, write
from core.actions import jobs
from tests import factories
from tests.factories import no_progress, stored

KEYS = 16  # of `agreement --json`, about people
FIRST = [1, 1, 2, 3, 3, 4, 5, 5, 2, 4, 3, 1]
SECOND = [1, 2, 2, 3, 4, 4, 5, 1, 2, 4, 5, 1]
CONTRARY = [6 - grade for grade in FIRST]
OWN = ("models", "model_grades")


@pytest.fixture
def rated(project: Project, annotator, partner) -> Project:
    """Twelve pairs, three to a prompt, with two grades each."""
    stored(project, "".join(f"第{number // 3}问\t第{number}答\n" for number in range(12)))
    factories.grade_next(project, annotator, *FIRST)
    factories.grade_next(project, partner, *SECOND)
    return project


def freeze(project: Project):
    return releases.freeze(project=project, seed=0, report=no_progress, by=project.created_by)


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def of_people(project: Project) -> dict[str, Any]:
    """Return everything that is said about people and their work."""
    agreement = without(agreement_report(project, draws=100), "models")
    assert len(agreement) == KEYS
    release = freeze(project)
    card = data_card({**manifest_of(release), "release": "", "frozen_at": "2026", "checksum": "0" * 64})
    board = board_of(project)
    return {
        "agreement": agreement,
        "release": checksum(without(instance, *OWN) for instance in instances_of(release)),
        "counts": without(release.counts, "models"),
        "statistics": release.statistics,
        "frozen": release.agreement,
        "card": re.sub(r"\n## Grades by models\n.*?(?=\n## )", "", card, flags=re.DOTALL),
        "quality": quality_report(project),
        "progress": progress_of(project),
        "board": (board.funnel, board.pace.missing, [person.person for person in board.people]),
        "ratings": [row[: -len(OWN)] for row in rating_rows(project)],
        "prospect": without(vars(prospect_of(project)), "number"),
    }


def test_a_model_moves_no_figure_of_people(rated):
    before = of_people(rated)
    factories.model_grades(rated, "contrary", *CONTRARY)
    factories.model_grades(rated, "twin", *FIRST)
    after = of_people(rated)
    assert [name for name in before if before[name] != after[name]] == []


def test_only_grades_of_pairs_that_count_are_set_beside_people(rated, annotator, partner):
    factories.model_grades(rated, "twin", *FIRST)
    found = agreement_report(rated, draws=0)["models"]
    pilot = factories.plant(rated, Purpose.PILOT, annotator, partner)
    Item.objects.filter(pk=pilot.pk).update(purpose=Purpose.WORK, external_id="pilot")
    factories.model_grades(rated, "twin", *FIRST, 5)
    Item.objects.filter(pk=pilot.pk).update(purpose=Purpose.PILOT)
    again = agreement_report(rated, draws=0)["models"]
    assert [without(model, "imported_at") for model in again] == [without(model, "imported_at") for model in found]


def test_the_report_has_every_model_with_each_person_and_in_each_place(rated):
    factories.model_grades(rated, "twin", *FIRST)
    factories.model_grades(rated, "brief", *FIRST[:3])
    brief, twin = agreement_report(rated, draws=100)["models"]
    assert (brief["model"], brief["n"], twin["n"], twin["units"], twin["unit"]) == ("brief", 3, 12, 4, "prompt")
    assert twin["grades"] == {"1": 3, "2": 2, "3": 3, "4": 2, "5": 2}
    assert [(each["rater"], each["n"]) for each in twin["raters"]] == [("An", 12), ("Bo", 12)]
    an, bo = twin["places"]
    assert (an["rater"], an["verdict"], an["difference"]) == ("An", "unclear", 0)
    assert bo["model"] == 1.0 and bo["person"] == an["person"] == an["model"]


def test_a_model_of_pairs_that_people_have_not_graded_yet(project):
    stored(project, "吃了吗?\t吃了。\n")
    factories.model_grades(project, "early", 4)
    [early] = agreement_report(project, draws=0)["models"]
    assert (early["n"], early["mean"], "places" in early) == (0, 4.0, False)


def test_a_release_has_models_in_columns_of_their_own(rated, tmp_path):
    plain = freeze(rated)
    assert not set(OWN) & {key for instance in instances_of(plain) for key in instance}
    assert "models" not in plain.counts
    factories.model_grades(rated, "zeta", *CONTRARY)
    factories.model_grades(rated, "alpha", 2, 3)
    release = freeze(rated)
    assert release.counts["models"] == {"alpha": 2, "zeta": release.counts["instances"]}
    by_text = {instance["response"]: instance for instance in instances_of(release)}
    in_order = [item.content["response"] for item in rated.items.order_by("position")]
    given = {response: {"zeta": grade} for response, grade in zip(in_order, CONTRARY, strict=True)}
    for response, grade in zip(in_order, (2, 3), strict=False):
        given[response] = {"alpha": grade, **given[response]}
    for response, instance in by_text.items():
        assert list(zip(instance["models"], instance["model_grades"], strict=True)) == list(given[response].items())
        assert instance["raters"] == ["r1", "r2"]
    assert "| alpha | 2 |" in data_card(manifest_of(release))
    for format in ("csv", "jsonl", "parquet", "trec", "huggingface"):
        write(release, format=format, folder=tmp_path / format)
    line = json.loads((tmp_path / "jsonl" / "train.jsonl").read_text().splitlines()[0])
    assert list(line)[-2:] == list(OWN)


def test_a_release_of_before_is_out_of_date_when_grades_of_a_model_come(rated, researcher):
    job = releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    jobs.start(job_pk=job.pk)
    releases.run_freeze(job, no_progress)
    release = rated.releases.get()
    assert unchanged_since(release, prospect_of(rated)) == release
    factories.model_grades(rated, "twin", *FIRST)
    assert unchanged_since(release, prospect_of(rated)) is None


def test_all_grades_out_have_what_models_gave_in_columns_of_their_own(rated):
    factories.model_grades(rated, "zeta", *CONTRARY)
    factories.model_grades(rated, "alpha", 2)
    found = [json.loads(line) for line in b"".join(written(rated, format="jsonl")).decode().splitlines()]
    assert len(found) == 24
    assert sum(row["models"] == ["alpha", "zeta"] for row in found) == 2
    assert all(row["models"] == ["alpha", "zeta"] or row["models"] == ["zeta"] for row in found)
    assert {row["rater"] for row in found} == {"r1", "r2"}
