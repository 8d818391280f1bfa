"""Labels of answers: several names or none, their order, places in a person's own order, and crossings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from study.domain.results.answer_table import Answered, Table
from study.domain.results.labels import HALVES, Label, ResultPart, halves_label, places_label, places_of
from study.domain.results.metrics import Ranked
from study.domain.results.results import cells_of

RIGHT, WRONG = Ranked(0, 0, 2, 5), Ranked(None, 0, 2, 5)


def cells(answers: list[Answered], *crossings: tuple[str, ...]) -> dict[tuple, tuple[int, int]]:
    found = cells_of(Table.of(answers), crossings, ("R@1",))
    return {cell.part.labels: (cell.k or 0, cell.n) for cell in found}


def test_a_question_of_two_types_is_in_the_cells_of_both():
    answers = [
        Answered("a", "1", RIGHT, {"type": ("algebraic", "other")}),
        Answered("a", "2", WRONG, {"type": ("other",)}),
        Answered("b", "3", RIGHT),
    ]
    assert cells(answers, ("type",)) == {(("type", "algebraic"),): (1, 1), (("type", "other"),): (1, 2)}


def test_a_label_that_no_answer_has_makes_no_cells():
    assert cells([Answered("a", "1", RIGHT)], ("type",), ("corpus", "half")) == {}


def test_a_crossing_of_three_labels_has_a_cell_for_each_of_their_names():
    rows = [("a", "crowd", "movie", "first"), ("b", "lab", "ubuntu", "second"), ("c", "crowd", "movie", "second")]
    answers = [
        Answered(person, str(number), RIGHT, {"group": group, "corpus": corpus, "half": half})
        for number, (person, group, corpus, half) in enumerate(rows)
    ]
    found = cells(answers, ("corpus", "group", "half"))
    assert len(found) == 8
    assert found[("corpus", "movie"), ("group", "crowd"), ("half", "second")] == (1, 1)
    assert sum(n for _k, n in found.values()) == 3


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", ""])), min_size=1, max_size=20))
def test_cells_of_one_label_add_up_to_the_answers_that_have_it(rows):
    answers = [Answered(person, str(number), RIGHT, {"says_age": said}) for number, (person, said) in enumerate(rows)]
    assert sum(n for _k, n in cells(answers, ("says_age",)).values()) == sum(bool(said) for _person, said in rows)


def test_the_order_of_labels_in_a_part_changes_nothing():
    part, same = (ResultPart.of(dict(pairs)) for pairs in ([("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]))
    assert part == same


def test_names_are_in_the_order_given_then_sorted_with_numbers_by_size():
    assert Label.of(["10", "9", "low", "b", ""], order=["low"]).names == ("low", "b", "9", "10")


def test_names_of_some_corpora_alone_are_in_crossings_with_these_only():
    belongs = np.array([[True, True], [True, False]])
    group = Label(("crowd", "crowd experts"), belongs, np.array([0, 1]), frozenset({"crowd experts"}))
    said = [{"corpus": corpus, "half": "first"} for corpus in "mu"]
    table = Table.of([Answered(person, "1", RIGHT, labels) for person, labels in zip("ab", said, strict=True)])
    table = Table(
        table.people, table.questions, table.asked, {**table.labels, "group": group}, table.ranked, table.ranking
    )
    assert table.parts(("group",)) == [ResultPart.of({"group": "crowd"})]
    assert table.parts(("half", "group")) == [ResultPart.of({"half": "first", "group": "crowd"})]
    assert [dict(part.labels) for part in table.parts(("corpus", "group"))] == [
        {"corpus": "m", "group": "crowd"},
        {"corpus": "m", "group": "crowd experts"},
        {"corpus": "u", "group": "crowd"},
    ]


def test_places_are_those_in_a_persons_own_order():
    places, counts = places_of(np.array([1, 0, 1, 0, 1]), np.array([7, 4, 2, 1, 9]))
    assert places.tolist() == [1, 1, 0, 0, 2]
    assert counts.tolist() == [3, 2, 3, 2, 3]


@pytest.mark.parametrize(("asked", "first"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_the_middle_question_of_an_odd_number_is_in_the_first_half(asked, first):
    label = halves_label(np.arange(asked), np.full(asked, asked))
    assert label.names == HALVES
    assert label.are("first").tolist() == [place < first for place in range(asked)]
    assert (label.are("first") ^ label.are("second")).all()


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (3, ["1-5"]),
        (12, ["1-5", "6-10", "11-15"]),
        (886, [f"{first}-{first + 110}" for first in range(1, 887, 111)]),
    ],
)
def test_classes_of_places_are_equally_long_and_few(asked, names):
    label = places_label(np.arange(asked))
    assert label.occurring == names
    assert sum(int(label.are(name).sum()) for name in names) == asked
    assert label.are(names[0])[0]
