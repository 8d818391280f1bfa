"""What is resampled for intervals of agreement: the pair, its prompt, or its dialogue."""

import pytest

from annotation.actions.rating import imported_ratings
from annotation.selectors.agreement.agreement import agreement_report
from core.domain.statistics import wilson
from tests import factories


@pytest.fixture
def turns(project, researcher, tmp_path):
    """Create ratings from elsewhere: twelve turns of four dialogues, and six prompts."""
    rows = [
        f"t{number},{rater},{1 + (number + shift * (number % 4 == 0)) % 5},"
        f"prompt {number // 2},response {number},d{number // 3}"
        for number in range(12)
        for rater, shift in (("x", 0), ("y", 1))
    ]
    path = tmp_path / "turns.csv"
    path.write_text("\n".join(["item,rater,grade,prompt,response,dialogue", *rows]))
    imported_ratings.import_ratings(project=project, path=path, report=factories.no_progress, by=researcher)
    return project


@pytest.mark.parametrize(
    ("by", "unit", "units"),
    [
        ((), "dialogue", 4),
        (("--by", "dialogue"), "dialogue", 4),
        (("--by", "prompt"), "prompt", 6),
        (("--by", "item"), "item", 12),
    ],
)
def test_what_several_pairs_share_is_resampled(turns, shell, by, unit, units):
    found = shell("agreement", "weibo", *by, "--json").json["before"]
    assert (found["n"], found["unit"], found["units"]) == (12, unit, units)
    same = found["percent"]
    error = found["percent_se"]
    effective = same * (1 - same) / error**2
    assert found["percent_ci"] == pytest.approx(wilson(same * effective, effective))
    assert f"over {units} {unit}s" in shell("agreement", "weibo", *by).out


def test_without_a_name_of_a_dialogue_none_is_resampled(project, shell):
    printed = shell("agreement", "weibo", "--by", "dialogue")
    assert printed.code == 1
    assert "column dialogue" in printed.err


def test_the_order_of_a_file_is_no_stretch_of_time(turns):
    assert agreement_report(turns)["stretches"] == []
