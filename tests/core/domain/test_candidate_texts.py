"""Texts of an instance: the same for people and models."""

import pytest

from core.domain.text import candidate_texts


@pytest.mark.parametrize(
    ("candidates", "speaker", "texts"),
    [
        (["f : yes .", "f : no ."], "f", ("yes .", "no .")),
        (["M: Yes.", "m:  No."], "m", ("Yes.", "No.")),
        (["m ; f : both .", "m ; f : none ."], "m ; f", ("both .", "none .")),
        (["m : yes .", "f : no ."], "", ("yes .", "no .")),
        (["Man: Yes.", "Man:  No."], "man", ("Yes.", "No.")),
        (["note: yes", "no"], "", ("note: yes", "no")),
        (["at 10:30", "at 11:30"], "", ("at 10:30", "at 11:30")),
        ([], "", ()),
    ],
)
def test_a_label_that_each_candidate_has_becomes_the_speaker(candidates, speaker, texts):
    assert candidate_texts(candidates) == (speaker, texts)


def test_taking_labels_off_twice_changes_nothing_more():
    once = candidate_texts(["f : i do n't .", "f : at 10:30 ."]).texts
    assert candidate_texts(once).texts == once
