"""Figures by any crossing of labels: in the command, in the file and in the API, bounded."""

import csv
import io

import pytest
from django.urls import reverse

from study.selectors.results import crossings
from tests.study.results_cases import answer_all, closed_study, question_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    """Corpora take turns: of eight questions the first four are in the first half."""
    study = closed_study(researcher, question_set(researcher, 8, corpora=("movie", "ubuntu")))
    answer_all(study, ["1111----", "1-1-1-1-"], group="crowd")
    answer_all(study, ["-1-1-1-1"], group="lab")
    return study


def counted(cells, *labels):
    return {tuple(cell[label] for label in labels): (cell["k"], cell["n"]) for cell in cells if cell["metric"] == "R@1"}


def test_the_command_has_a_cell_for_each_crossing(shell, study):
    """Counted by hand: the first half has questions 0 to 3, of which 0 and 2 are of movie."""
    printed = shell("results", "summer", "--by", "corpus,half", "--json")
    assert printed.code == 0, printed.err
    assert printed.json["by"] == ["corpus", "half"]
    assert counted(printed.json["cells"], "corpus", "half") == {
        ("movie", "first"): (4, 6),
        ("movie", "second"): (2, 6),
        ("ubuntu", "first"): (4, 6),
        ("ubuntu", "second"): (2, 6),
    }
    assert "movie, first" in shell("results", "summer", "--by", "corpus,half").out


def test_a_single_label_has_the_cells_that_the_results_have(shell, study):
    by = shell("results", "summer", "--by", "group", "--json").json["cells"]
    cells = shell("results", "summer", "--json").json["cells"]
    others = ("corpus", "form", "condition", "turns", "type")
    whole = [cell for cell in cells if cell["group"] and not any(cell[label] for label in others) and cell["n"]]
    assert [cell | {"bootstrap": None} for cell in whole] == by


def test_the_file_and_the_api_have_the_same(client, researcher, study):
    client.force_login(researcher)
    file = client.get(reverse("results_csv", args=["summer"]), {"by": "group,half"})
    rows = list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))
    found = {(row["group"], row["half"]): (row["k"], row["n"]) for row in rows if row["metric"] == "R@1"}
    assert found == {
        ("crowd", "first"): ("6", "8"),
        ("crowd", "second"): ("2", "8"),
        ("lab", "first"): ("2", "4"),
        ("lab", "second"): ("2", "4"),
    }
    cells = client.get(reverse("study-results", args=["summer"]), {"by": "group,half"}).json()["cells"]
    assert counted(cells, "group", "half")[("crowd", "first")] == (6, 8)


def test_an_unknown_label_is_answered_with_those_there_are(client, shell, researcher, study):
    printed = shell("results", "summer", "--by", "corpus,hafl,nothing")
    assert printed.code == 2
    for said in ("hafl", "nothing", "At most 4 labels", "corpus", "form", "group", "half", "turns"):
        assert said in printed.err
    client.force_login(researcher)
    refused = client.get(reverse("results_csv", args=["summer"]), {"by": "hafl"})
    assert refused.status_code == 422
    assert "corpus, form, group, half" in refused.content.decode()
    assert client.get(reverse("study-results", args=["summer"]), {"by": "hafl"}).status_code == 400


def test_a_crossing_is_bounded(client, shell, researcher, study, monkeypatch):
    monkeypatch.setattr(crossings, "MOST_PARTS", 3)
    assert shell("results", "summer", "--by", "corpus,half").code == 2
    client.force_login(researcher)
    assert client.get(reverse("results_csv", args=["summer"]), {"by": "corpus,half"}).status_code == 422
    assert client.get(reverse("study-results", args=["summer"]), {"by": "corpus,half"}).status_code == 400
    printed = shell("results", "summer", "--by", "corpus,group,form,turns,half")
    assert printed.code == 2
    assert "5 labels" in printed.err and "At most 4 labels" in printed.err and "says_age" in printed.err
