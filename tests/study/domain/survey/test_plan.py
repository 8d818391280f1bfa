"""Distribution of questions over forms."""

from collections import Counter

import pytest
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st

from core.domain.wording import ChoiceError
from study.domain.survey.mix import counts_in_form, mix_as_typed, mix_as_written
from study.domain.survey.plan import (
    PlannedQuestion,
    TooFewOfCorpus,
    checksum,
    deal_forms,
    in_conditions,
    shares_in_forms,
)


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


@given(
    sizes=st.lists(st.integers(1, 40), min_size=2, max_size=4),
    forms=st.integers(1, 3),
    per_form=st.integers(1, 12),
    mix=st.sampled_from([{}, {}, {"c0": 25}, {"c0": 60}, {"c0": 20, "c1": 50}]),
)
@example(sizes=[40, 4], forms=2, per_form=10, mix={})  # the small corpus gives all it has
def test_the_shares_told_are_those_that_are_dealt(sizes, forms, per_form, mix):
    """Where questions are used again the shares are those of a whole round, so there are enough here."""
    of_corpus = {f"c{number}": size for number, size in enumerate(sizes)}
    assume(forms * per_form <= sum(sizes))
    try:
        dealt = deal_forms(questions(**of_corpus), forms=forms, per_form=per_form, seed=0, mix=mix)
    except ValueError:  # too few of a corpus for the mix
        reject()
    counts = Counter(question.corpus for form in dealt for question in form)
    told = shares_in_forms(of_corpus, forms=forms, per_form=per_form, mix=mix)
    assert told == pytest.approx({corpus: counts[corpus] / (forms * per_form) for corpus in of_corpus})


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


def test_the_lab_of_the_study_gets_half_ubuntu_and_the_rest_split():
    """NUC, 4.4: the forms of lab experts are half Ubuntu, the rest movie and Twitter."""
    drawn = questions(movie=40, twitter=40, ubuntu=80)
    forms = deal_forms(drawn, forms=4, per_form=40, seed=0, mix={"ubuntu": 50})
    assert [Counter(question.corpus for question in form) for form in forms] == [
        {"movie": 10, "twitter": 10, "ubuntu": 20}
    ] * 4
    assert len({question for form in forms for question in form}) == 160


def test_groups_of_different_mixes_are_asked_many_of_the_same_questions():
    drawn = questions(movie=40, twitter=40, ubuntu=80)
    lab = deal_forms(drawn, forms=2, per_form=40, seed=0, mix={"ubuntu": 50})
    crowd = deal_forms(drawn, forms=4, per_form=30, seed=0)
    asked_of_crowd = {question for form in crowd for question in form}
    shared = Counter(each.corpus for form in lab for each in form if each in asked_of_crowd)
    assert shared == {"movie": 20, "twitter": 20, "ubuntu": 40}


@given(
    sizes=st.lists(st.integers(6, 12), min_size=2, max_size=3),
    share=st.integers(0, 100),
    conditions=st.integers(1, 4),
    forms=st.integers(1, 6),
    seed=st.integers(0, 20),
)
def test_with_a_mix_nobody_meets_a_question_twice_and_conditions_rotate(sizes, share, conditions, forms, seed):
    drawn = questions(**{f"c{number}": size for number, size in enumerate(sizes)})
    own = dict.fromkeys(drawn, CONDITIONS[:conditions])
    asked = in_conditions(deal_forms(drawn, forms=forms, per_form=6, seed=seed, mix={"c0": share}), own)
    times: Counter = Counter()
    for form in asked:
        assert len({each.question for each in form}) == len(form) == 6
        times.update(form)
    for question in {each.question for each in times}:
        counts = [times[each] for each in times if each.question == question]
        assert max(counts) - min(counts) <= 1


def test_a_mix_of_more_questions_than_a_corpus_has_names_the_corpus():
    with pytest.raises(TooFewOfCorpus) as found:
        deal_forms(questions(movie=40, ubuntu=9), forms=1, per_form=20, seed=0, mix={"ubuntu": 50})
    assert (found.value.corpus, found.value.wanted, found.value.there) == ("ubuntu", 10, 9)
    with pytest.raises(ValueError, match="radio"):
        deal_forms(questions(movie=40), forms=1, per_form=20, seed=0, mix={"radio": 50})


@pytest.mark.parametrize(
    ("mix", "counts"),
    [
        ({"c": 50}, {"a": 5, "b": 5, "c": 10}),
        ({"c": 100}, {"a": 0, "b": 0, "c": 20}),
        ({"a": 33, "b": 33}, {"a": 7, "b": 6, "c": 7}),  # 6.6, 6.6, 6.8: the two largest remainders are c and a
        ({}, {"a": 7, "b": 7, "c": 6}),
    ],
)
def test_shares_become_counts_by_largest_remainders(mix, counts):
    assert counts_in_form(mix, ["a", "b", "c"], 20) == counts


@pytest.mark.parametrize("text", ["lab", "lab:", "lab:ubuntu", "lab:ubuntu=half", "lab:a=60,b=60", "a:b=1;a:b=2"])
def test_what_is_no_mix_is_refused(text):
    with pytest.raises(ChoiceError):
        mix_as_typed(text)


def test_a_mix_is_written_as_it_is_read():
    assert mix_as_written(mix_as_typed(" lab: ubuntu = 50, movie=30 ; crowd:ubuntu=40")) == (
        "lab:ubuntu=50,movie=30;crowd:ubuntu=40"
    )
