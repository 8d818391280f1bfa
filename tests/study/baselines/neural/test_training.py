"""How networks are trained: the same each time, stopped in time, and taken up where they were cut off."""

import errno
import resource
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from study.baselines.base import Diverged, Lack, NothingToLearn, RankingInstance
from study.baselines.neural.lessons import Lesson, Lessons, batches_by_length
from study.baselines.neural.networks import checkpoints
from study.baselines.neural.networks.training import Course, Plan
from study.baselines.neural.saved import saved_step
from study.baselines.tuning import dev_score
from tests.study.baselines import tasks
from tests.study.baselines.neural.learners import small, taught

KEY = "dual-lstm"


class CutOffError(Exception):
    """What ends a training in these tests."""


def cut_off_at(step):
    def report(done, total=None, **figures):
        if figures.get("step") == step:
            raise CutOffError

    return report


@pytest.mark.parametrize("step", [5, 12, 25])
def test_a_training_that_was_cut_off_ends_as_one_that_was_not(step, tmp_path):
    """Ten updates an epoch: cut off in the first epoch, in the second and in the third."""
    train, dev, asked = tasks.topics(160), tasks.topics(20, seed=1), tasks.topics(20, seed=2)
    whole = taught(KEY, train, dev, epochs=4)
    with pytest.raises(CutOffError):
        taught(KEY, train, dev, epochs=4, report=cut_off_at(step), checkpoints=tmp_path)
    told, begun = [], step // 10
    again = small(KEY, epochs=4)
    again.fit(train, dev, report=lambda done, total=None, **figures: told.append(figures), checkpoints=tmp_path)
    updates = [figures["step"] for figures in told if "loss" in figures]
    assert updates[0] == begun * 10 + 1, "epochs that were complete are not done again"
    if begun:  # of the last of them the process may have died before it was stored how it did on dev
        assert told[0] == {"step": begun * 10, "dev": whole.learned["history"][begun - 1]["dev"]}
    assert again.score(asked) == whole.score(asked)
    assert again.learned == whole.learned


def test_the_update_of_a_checkpoint_is_known_without_its_tensors(tmp_path):
    """Ten updates an epoch, as above."""
    assert saved_step(tmp_path) is None
    with pytest.raises(CutOffError):
        taught(KEY, tasks.topics(160), epochs=4, report=cut_off_at(25), checkpoints=tmp_path)
    assert saved_step(tmp_path) == 20


def test_the_checkpoint_of_another_training_is_not_taken_up(tmp_path):
    train, asked = tasks.topics(60), tasks.topics(20, seed=2)
    taught(KEY, train, epochs=2, rate=0.01, checkpoints=tmp_path)
    assert taught(KEY, train, epochs=1, checkpoints=tmp_path).score(asked) == taught(KEY, train, epochs=1).score(asked)


def test_a_damaged_checkpoint_is_not_taken_up(tmp_path):
    train, asked = tasks.topics(60), tasks.topics(20, seed=2)
    (tmp_path / checkpoints.NAME).write_bytes(b"half of a file")
    assert taught(KEY, train, epochs=1, checkpoints=tmp_path).score(asked) == taught(KEY, train, epochs=1).score(asked)


def test_checkpoints_are_tensors_and_json_alone(tmp_path):
    taught(KEY, tasks.topics(40), epochs=1, checkpoints=tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]


def test_a_full_disk_ends_the_training_and_leaves_the_last_checkpoint(tmp_path, monkeypatch):
    written = []

    def save_or_fail(tensors, path, metadata):
        written.append(path)
        if len(written) > 1:
            Path(path).write_bytes(b"half")
            raise checkpoints.SafetensorError("I/O error: No space left on device (os error 28)")
        save_file(tensors, path, metadata=metadata)

    monkeypatch.setattr(checkpoints, "save_file", save_or_fail)
    with pytest.raises(OSError) as caught:
        taught(KEY, tasks.topics(40), epochs=3, checkpoints=tmp_path)
    assert caught.value.errno == errno.ENOSPC
    assert [path.name for path in tmp_path.iterdir()] == [checkpoints.NAME]
    assert checkpoints.read(tmp_path, "another") is None


def test_what_the_system_says_of_a_file_that_cannot_be_written_is_understood(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        with pytest.raises(OSError) as caught:
            checkpoints.write(tmp_path, {"weights": torch.zeros(1_000)}, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.errno == errno.EFBIG
    assert list(tmp_path.iterdir()) == []


def test_a_loss_that_is_no_number_ends_the_training_with_its_update():
    model = small(KEY, epochs=2)
    losses = iter([1.0, 1.0, float("nan")])
    model.loss = lambda batch: model.network.bias * 0 + next(losses)
    with pytest.raises(Diverged) as caught:
        model.fit(tasks.topics(80))
    assert caught.value.step == 3


def test_progress_tells_updates_loss_and_dev():
    told = []
    taught(
        KEY,
        tasks.topics(64),
        tasks.topics(20, seed=1),
        epochs=2,
        report=lambda *args, **said: told.append((args, said)),
    )
    updates = [(args, said) for args, said in told if "loss" in said]
    assert [args for args, _said in updates] == [(step, 8) for step in range(1, 9)]
    assert all(said["loss"] > 0 for _args, said in updates)
    assert [(args[0], said["step"]) for args, said in told if "dev" in said] == [(4, 4), (8, 8)]


def test_training_ends_when_dev_gets_no_better_and_keeps_the_best_weights():
    train, dev = tasks.guesses(60), tasks.guesses(40, seed=1)
    model = taught(KEY, train, dev, epochs=30, patience=2, rate=0.02)
    devs = [epoch["dev"] for epoch in model.learned["history"]]
    assert len(devs) == model.learned["best_epoch"] + 2 < 30, "answers by heart do not help on others"
    assert model.learned["dev"] == max(devs) == devs[model.learned["best_epoch"] - 1]
    assert dev_score(model.score(dev), dev) == pytest.approx(model.learned["dev"])


def test_without_dev_all_epochs_are_done_and_the_last_weights_count():
    model = taught(KEY, tasks.topics(40), epochs=4, patience=1)
    assert (model.learned["epochs"], model.learned["best_epoch"], model.learned["dev"]) == (4, 4, None)


def test_an_ended_course_ends():
    plan = Plan(epochs=3, patience=2, clip=1, seed=0, device="cpu", identity="")
    course = Course()
    assert [course.add(1.0, dev) for dev in (0.5, 0.4)] == [True, False]
    assert not course.has_ended(plan)
    assert not course.add(1.0, 0.5)
    assert course.has_ended(plan)


def test_the_training_leaves_threads_and_algorithms_as_they_were():
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    taught(KEY, tasks.topics(40), epochs=1, threads=2)
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == before


def four_way(name):
    return RankingInstance(name, ("who?",), (f"{name}a", f"{name}b", f"{name}c", f"{name}d"), 1)


def test_the_right_response_meets_wrong_ones_that_are_drawn_anew():
    lessons = Lessons([four_way("x"), four_way("y")], negatives=2, seed=0)
    drawn = [lessons.of_epoch(epoch) for epoch in range(12)]
    assert drawn == [lessons.of_epoch(epoch) for epoch in range(12)]
    assert {(each.responses[0], each.targets) for epoch in drawn for each in epoch} == {
        ("xb", (1, 0, 0)),
        ("yb", (1, 0, 0)),
    }
    assert {text for epoch in drawn for text in epoch[0].responses[1:]} == {"xa", "xc", "xd"}
    assert all(len(set(each.responses)) == 3 for epoch in drawn for each in epoch)


def test_dialogues_without_candidates_teach_their_last_turn_against_those_of_others():
    lessons = Lessons([RankingInstance(name, ("hi", f"I am {name}")) for name in "abc"], negatives=1, seed=0)
    drawn = [each for epoch in range(20) for each in lessons.of_epoch(epoch)]
    assert {each.context for each in drawn} == {("hi",)}
    against = {each.responses for each in drawn}
    assert ("I am a", "I am b") in against
    assert not any(responses[0] in responses[1:] for responses in against)


def test_grades_are_learned_from_on_a_scale_from_0_to_1():
    train = [
        RankingInstance("i", ("p",), ("x", "y", "z"), grades=(1, 3, 5)),
        RankingInstance("j", ("q",), ("x",), grades=(2,)),
    ]
    assert Lessons(train, negatives=1, seed=0).of_epoch(0) == [
        Lesson(("p",), ("x", "y", "z"), (0, 0.5, 1)),
        Lesson(("q",), ("x",), (0.25,)),
    ]


@pytest.mark.parametrize(
    "train",
    [
        [],
        [RankingInstance("t", ("one turn",))],
        [RankingInstance("t", ("who?",), ("me", "you"))],
        [RankingInstance("t", ("hi", "ho")), RankingInstance("u", ("oh", "ho"))],
        [RankingInstance("t", ("who?",), ("me",), grades=(3,)), RankingInstance("u", ("how?",), ("so",), grades=(3,))],
    ],
)
def test_material_in_which_nothing_is_better_teaches_nothing(train):
    with pytest.raises(NothingToLearn) as caught:
        taught(KEY, train)
    assert caught.value.lack == Lack.PREFERENCES


def test_material_without_words_teaches_nothing():
    with pytest.raises(NothingToLearn) as caught:
        taught(KEY, [RankingInstance("t", ("…",), ("?", "!"), 0)])
    assert caught.value.lack == Lack.WORDS


def test_batches_hold_lessons_of_similar_length_and_every_lesson_once():
    lessons = [Lesson(("word " * length,), ("a", "b")) for length in range(100)]
    batches = batches_by_length(lessons, lambda each: len(each.context[0]), pairs=20, seed=(1,))
    assert [len(batch) for batch in batches] == [10] * 10
    assert sorted((each for batch in batches for each in batch), key=lambda each: len(each.context[0])) == lessons
    assert all(max(len(e.context[0]) for e in batch) - min(len(e.context[0]) for e in batch) == 45 for batch in batches)
    assert batches != batches_by_length(lessons, lambda each: len(each.context[0]), pairs=20, seed=(2,))
