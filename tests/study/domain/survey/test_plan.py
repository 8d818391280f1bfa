"""Distribution of questions over forms."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study.domain.survey.plan import PlannedQuestion, checksum, deal_forms, in_conditions


def questions(**sizes: int) -> list[PlannedQuestion]:
    return [PlannedQuestion(corpus, f"q{number}") for corpus, size in sizes.items() for number in range(size)]


def test_the_crowd_of_the_study_gets_three_corpora_evenly():
    """NUC: four forms of thirty questions from three corpora, ten of each."""
    forms = deal_forms(questions(movie=60, twitter=45, ubuntu=500), forms=4, per_form=30, seed=0)
    assert [Counter(question.corpus for question in form) for form in forms] == [
        {"movie": 10, "twitter": 10, "ubuntu": 10}
    ] * 4
    assert len({question for form in forms for question in form}) == 120


@given(
    sizes=st.lists(st.integers(1, 12), min_size=1, max_size=4),
    forms=st.integers(1, 5),
    per_form=st.integers(1, 12),
    seed=st.integers(0, 99),
)
def test_a_form_never_holds_a_question_twice_and_questions_are_used_evenly(sizes, forms, per_form, seed):
    drawn = questions(**{f"c{number}": size for number, size in enumerate(sizes)})
    if len(drawn) < per_form:
        with pytest.raises(ValueError, match="do not fill"):
            deal_forms(drawn, forms=forms, per_form=per_form, seed=seed)
        return
    dealt = deal_forms(drawn, forms=forms, per_form=per_form, seed=seed)
    assert [len(form) for form in dealt] == [per_form] * forms
    assert all(len(set(form)) == per_form for form in dealt)
    times = Counter(question for form in dealt for question in form)
    assert max(times.values()) - min(times.values()) <= 1
    if forms * per_form <= len(drawn):
        assert max(times.values()) == 1
    else:
        assert len(times) == len(drawn)


def test_the_order_in_which_questions_come_changes_nothing():
    drawn = questions(movie=20, twitter=20)
    assert deal_forms(drawn, forms=2, per_form=7, seed=3) == deal_forms(drawn[::-1], forms=2, per_form=7, seed=3)


CONDITIONS = ["", "first:1", "all", "shuffle"]


@given(
    sizes=st.lists(st.integers(1, 12), min_size=1, max_size=3),
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=5),
    forms=st.integers(1, 6),
    seed=st.integers(0, 20),
)
def test_a_form_has_each_question_in_one_of_its_own_conditions(sizes, counts, forms, seed):
    drawn = questions(**{f"c{number}": size for number, size in enumerate(sizes)})
    own = {question: CONDITIONS[: counts[index % len(counts)]] for index, question in enumerate(drawn)}
    dealt = deal_forms(drawn, forms=forms, per_form=len(drawn), seed=seed)
    asked = in_conditions(dealt, own)
    assert [[each.question for each in form] for form in asked] == dealt
    assert all(each.condition in own[each.question] for form in asked for each in form)
    for question in drawn:
        times = Counter(each.condition for form in asked for each in form if each.question == question)
        assert max(times.values()) - min(times[condition] for condition in own[question]) <= 1


def test_each_condition_of_each_corpus_is_in_a_form_equally_often():
    drawn = questions(movie=24, twitter=24)
    own = dict.fromkeys(drawn, CONDITIONS)
    for form in in_conditions(deal_forms(drawn, forms=4, per_form=48, seed=1), own):
        assert set(Counter((each.question.corpus, each.condition) for each in form).values()) == {6}


def test_the_checksum_does_not_depend_on_the_order_of_keys():
    assert checksum({"a": 1, "b": [2]}) == checksum({"b": [2], "a": 1}) != checksum({"a": 1, "b": [3]})
