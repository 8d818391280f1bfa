"""How many times as long: against two other implementations, and simulated studies."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from study.domain.results.log_times import times_as_long


def drawn(seed: int, ratio: float = 1.5, people: int = 24, questions: int = 20):
    """Return times of people in two groups at all questions, of two corpora; both people and questions differ."""
    generator = np.random.default_rng(seed)
    person, question = (each.ravel() for each in np.indices((people, questions)))
    group, corpus = (person % 2), (question % 2)
    logs = (
        3
        + np.log(ratio) * group
        + 0.5 * corpus
        + generator.normal(0, 0.4, people)[person]
        + generator.normal(0, 0.3, questions)[question]
        + generator.normal(0, 0.5, person.size)
    )
    return np.exp(logs), group, corpus, person, question


def found(times, is_cut, group, corpus, person, question):
    [one] = times_as_long(times, is_cut, group, beside=[corpus], people=person, questions=question)
    return one


def test_without_a_cut_it_is_least_squares_with_errors_over_people_and_questions():
    times, group, corpus, person, question = drawn(1)
    one = found(times, np.zeros(times.size, dtype=bool), group, corpus, person, question)
    design = sm.add_constant(np.column_stack([group, corpus]))
    model = sm.OLS(np.log(times), design)

    def spread(clusters, count):
        by = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}).cov_params()
        return by[1, 1] * (count / (count - 1) if count else 1)

    variance = spread(person, 24) + spread(question, 20) - model.fit(cov_type="HC0").cov_params()[1, 1]
    effect = model.fit().params[1]
    half = stats.t.ppf(0.975, 11) * variance**0.5  # twelve people in each group
    assert one.ratio == pytest.approx(np.exp(effect))
    assert one.interval == pytest.approx((np.exp(effect - half), np.exp(effect + half)), rel=1e-6)
    assert one.p == pytest.approx(2 * stats.t.sf(abs(effect) / variance**0.5, 11))


def test_cut_times_are_those_of_a_censored_fit():
    """Without another effect and with one spread, the censored fit of scipy of each group is the same."""
    generator = np.random.default_rng(3)
    first = generator.normal(3, 0.5, 400)
    logs = np.concatenate([first, first + 0.4])  # the same shape twice: both groups have the same spread
    limit = np.concatenate([np.full(400, 3.4), np.full(400, 3.8)])
    is_cut = logs > limit
    group = np.repeat([0, 1], 400)
    one = found(np.exp(np.minimum(logs, limit)), is_cut, group, np.zeros(800, int), np.arange(800), np.arange(800) % 9)
    means = []
    for number in (0, 1):
        own, cut = logs[group == number], is_cut[group == number]
        data = stats.CensoredData(uncensored=own[~cut], right=limit[group == number][cut])
        means.append(stats.norm.fit(data)[0])
    assert np.log(one.ratio) == pytest.approx(means[1] - means[0], abs=1e-3)
    assert np.log(one.ratio) == pytest.approx(0.4, abs=1e-3)


def test_cut_times_do_not_make_the_slower_group_look_faster():
    times, *others = drawn(5, ratio=2)
    limit = 40.0
    whole = found(times, np.zeros(times.size, dtype=bool), *others).ratio
    cut = found(np.minimum(times, limit), times > limit, *others).ratio
    as_if_ended = found(np.minimum(times, limit), np.zeros(times.size, dtype=bool), *others).ratio
    assert abs(np.log(cut / whole)) < abs(np.log(as_if_ended / whole)) / 2


@pytest.mark.parametrize("studies", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_the_interval_holds_the_truth_as_often_as_it_says(studies):
    held = 0
    for seed in range(studies):
        times, *others = drawn(seed)
        low, high = found(times, np.zeros(times.size, dtype=bool), *others).interval
        held += low <= 1.5 <= high
    assert stats.binomtest(held, studies, 0.95).pvalue > 1e-4


def test_with_one_question_there_is_no_interval():
    times, group, corpus, person, _question = drawn(2, questions=1)
    nothing = np.zeros(times.size, dtype=int)
    assert found(times, nothing.astype(bool), group, corpus, person, nothing).interval is None
