"""Stages of a job: the training of one that trains, and then what it trained for."""

import pytest

from core.domain.stages import Stage, StageKind, stage_of


@pytest.mark.parametrize(
    ("told", "stage", "share"),
    [
        ((30, 100, None), Stage(StageKind.WHOLE, 30, 100), 0.3),
        ((0, None, None), Stage(StageKind.WHOLE, 0, 0), 0.0),
        ((30, 100, 0), Stage(StageKind.WHOLE, 30, 100), 0.3),  # a model that learns nothing
        ((30, 100, 60), Stage(StageKind.TRAINING, 30, 60), 0.5),
        ((60, 100, 60), Stage(StageKind.SCORING, 0, 40), 0.0),
        ((90, 100, 60), Stage(StageKind.SCORING, 30, 40), 0.75),
        ((100, 100, 60), Stage(StageKind.SCORING, 40, 40), 1.0),
    ],
)
def test_a_job_is_in_one_stage_and_so_far_in_it(told, stage, share):
    assert (stage_of(*told), stage_of(*told).share) == (stage, share)


@pytest.mark.parametrize(
    ("told", "share"),
    [
        ((30, 100, None), 0.3),
        ((0, 100, 60), 0.0),
        ((30, 100, 60), 0.45),
        ((60, 100, 60), 0.9),
        ((80, 100, 60), 0.95),
        ((100, 100, 60), 1.0),
    ],
)
def test_a_bar_of_all_stages_goes_on_from_training_to_scoring(told, share):
    assert stage_of(*told).share_of_all == pytest.approx(share)
