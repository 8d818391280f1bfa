"""Agreement against published numbers and against other people's and slower implementations."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from annotation.domain.agreement import FIGURES, pairs_of_raters, partner_agreement
from tests.annotation.domain.agreement import agreement_reference as reference
from tests.annotation.domain.agreement.agreement_cases import (
    ITEMS,
    TWENTY,
    block_of,
    krippendorff_example,
    patterns_of,
    seeded_items,
    two_raters,
    values,
)


def test_twenty_items_of_two_raters_give_the_published_pooled_kappas():
    figures = values(block_of(two_raters(*TWENTY)))
    assert figures["percent"] == pytest.approx(0.65)
    assert figures["kappa"] == pytest.approx(0.561815, abs=5e-7)
    assert figures["kappa_linear"] == pytest.approx(0.743178, abs=5e-7)
    assert figures["kappa_quadratic"] == pytest.approx(0.868248, abs=5e-7)


def test_twenty_items_of_two_raters_give_the_published_cohen_kappas_and_error():
    (pair,) = pairs_of_raters(patterns_of(two_raters(*TWENTY)))
    assert (pair.raters, pair.n, pair.percent) == (("A", "B"), 20, pytest.approx(0.65))
    assert pair.kappa.value == pytest.approx(0.5625)
    assert pair.kappa.standard_error == pytest.approx(0.133373, abs=5e-7)
    assert pair.kappa_linear.value == pytest.approx(0.743590, abs=5e-7)
    assert pair.kappa_quadratic.value == pytest.approx(0.868421, abs=5e-7)
    assert pair.kappa.asymptotic == pytest.approx(
        (0.5625 - 1.959964 * 0.133373, 0.5625 + 1.959964 * 0.133373), abs=1e-6
    )


def test_high_agreement_on_a_rare_grade_has_negative_kappa_and_high_ac1():
    figures = values(block_of(two_raters("1" * 80 + "1" * 10 + "2" * 10, "1" * 80 + "2" * 10 + "1" * 10)))
    assert figures["percent"] == pytest.approx(0.8)
    assert figures["kappa"] == pytest.approx(-1 / 9)
    assert figures["ac1"] == pytest.approx(0.756098, abs=5e-7)


def test_krippendorffs_example_gives_his_alphas_and_gwets_coefficients():
    block = block_of(krippendorff_example())
    figures = values(block)
    assert block.n == 11
    assert figures["alpha_nominal"] == pytest.approx(0.743421, abs=5e-7)
    assert figures["alpha_ordinal"] == pytest.approx(0.815388, abs=5e-7)
    assert figures["alpha_interval"] == pytest.approx(0.849107, abs=5e-7)
    assert figures["ac1"] == pytest.approx(0.77544, abs=5e-6)
    assert figures["ac2"] == pytest.approx(0.91400, abs=5e-6)


@given(ITEMS)
def test_every_figure_equals_the_textbook_definition(items):
    block = block_of(items, draws=0)
    if not any(len(item) > 1 for item in items):
        assert block.n == 0
        return
    expected = reference.block(items, sorted({grade for item in items for grade in item.values()}))
    assert tuple(block.figures) == FIGURES
    assert {name: value for name, value in values(block).items() if not reference.same(value, expected[name])} == {}


def test_pairs_of_raters_equal_scikit_learn_and_statsmodels():
    items = seeded_items(400, "ABCD", each=2)
    pairs = pairs_of_raters(patterns_of(items))
    assert [pair.raters for pair in pairs] == [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]
    for pair in pairs:
        shared = [[item[rater] for rater in pair.raters] for item in items if item.keys() == set(pair.raters)]
        first, second = np.array(shared).T
        assert pair.n == len(shared)
        assert pair.percent == pytest.approx((first == second).mean())
        for figure, weights in ((pair.kappa, None), (pair.kappa_linear, "linear"), (pair.kappa_quadratic, "quadratic")):
            assert figure.value == pytest.approx(cohen_kappa_score(first, second, weights=weights))
        assert_equals_statsmodels(pair, table_of(first, second))


def assert_equals_statsmodels(pair, table):
    assert pair.kappa.standard_error == pytest.approx(cohens_kappa(table).std_kappa)
    assert pair.kappa_linear.standard_error == pytest.approx(cohens_kappa(table, wt="linear").std_kappa)
    assert pair.kappa_quadratic.standard_error == pytest.approx(cohens_kappa(table, wt="quadratic").std_kappa)


def table_of(first, second):
    table = np.zeros((5, 5))
    np.add.at(table, (np.array(first) - 1, np.array(second) - 1), 1)
    return table


def test_three_raters_on_every_item_give_fleiss_kappa_of_statsmodels():
    items = seeded_items(300, "ABCDE", each=3)
    counts = [[list(item.values()).count(grade) for grade in range(1, 6)] for item in items]
    assert block_of(items).figures["kappa"].value == pytest.approx(fleiss_kappa(counts))


def test_asymptotic_errors_equal_gwets_closed_forms_where_all_items_have_equally_many_grades():
    items = seeded_items(300, "ABCDE", each=3)
    figures = block_of(items).figures
    shares = np.array([[list(item.values()).count(grade) / 3 for grade in range(1, 6)] for item in items])
    agreed = ((3 * shares) * (3 * shares - 1)).sum(axis=1) / 6
    mean = shares.mean(axis=0)
    assert figures["kappa"].standard_error == pytest.approx(gwet_error(agreed, shares @ mean))
    assert figures["ac1"].standard_error == pytest.approx(gwet_error(agreed, shares @ (1 - mean) / 4))


def gwet_error(agreed, chance_by_item):
    """Gwet (2008, 2021) for an infinite population, with n for his n - 1."""
    chance = chance_by_item.mean()
    coefficient = (agreed.mean() - chance) / (1 - chance)
    by_item = (agreed - chance) / (1 - chance) - 2 * (1 - coefficient) * (chance_by_item - chance) / (1 - chance)
    return np.sqrt(((by_item - coefficient) ** 2).sum()) / len(agreed)


def test_the_error_of_a_share_is_binomial():
    items = seeded_items(200, "AB", each=2)
    for name in ("percent", "gap_le_1"):
        figure = block_of(items).figures[name]
        assert figure.standard_error == pytest.approx(np.sqrt(figure.value * (1 - figure.value) / 200))


def test_a_rater_with_one_partner_an_item_has_the_kappa_and_error_of_the_table_of_own_and_partners_grades():
    items = seeded_items(400, "ABCD", each=2)
    for row in partner_agreement(patterns_of(items)):
        own = [item[row.rater] for item in items if row.rater in item]
        partners = [grade for item in items if row.rater in item for rater, grade in item.items() if rater != row.rater]
        expected = cohens_kappa(table_of(own, partners), wt="quadratic")
        assert row.n == len(own)
        assert row.kappa_quadratic.value == pytest.approx(expected.kappa)
        assert row.kappa_quadratic.standard_error == pytest.approx(expected.std_kappa)


def test_a_partner_who_copies_the_other_partner_adds_no_certainty():
    items = seeded_items(100, "AB", each=2)
    alone, *_ = partner_agreement(patterns_of(items))
    copied, *_ = partner_agreement(patterns_of([{**item, "C": item["B"]} for item in items]))
    assert copied.rater == alone.rater == "A"
    assert copied.n == alone.n == 100
    assert copied.kappa_quadratic.value == pytest.approx(alone.kappa_quadratic.value)
    assert copied.kappa_quadratic.standard_error == pytest.approx(alone.kappa_quadratic.standard_error)
