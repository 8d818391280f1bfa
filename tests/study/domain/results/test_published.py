"""Published figures, and which of them cannot be."""

from itertools import combinations_with_replacement, product

import pytest

from study.domain.results.feasibility import Impossible, feasibility
from study.domain.results.published import PUBLISHED, PUBLISHED_CUTS, published_for, published_on


# MuTual's tables as printed: R@1, R@2, MRR. Outside the bounds lie random, test dual LSTM and SMN, dev SMN and DAM, and
# on the plus variant test and dev of TF-IDF, SMN and DAM; nothing else.
@pytest.mark.parametrize(
    ("figures", "is_possible"),
    [
        ((".250", ".500", ".604"), False),
        ((".260", ".491", ".743"), False),
        ((".299", ".585", ".595"), False),
        ((".274", ".524", ".575"), False),
        ((".239", ".463", ".575"), False),
        ((".283", ".530", ".763"), False),
        ((".278", ".529", ".764"), False),
        ((".264", ".524", ".578"), False),
        ((".265", ".516", ".627"), False),
        ((".261", ".520", ".645"), False),
        ((".272", ".523", ".695"), False),
        ((".276", ".541", ".541"), True),
        ((".279", ".536", ".542"), True),
        ((".266", ".528", ".538"), True),
        ((".241", ".465", ".518"), True),
        ((".657", ".867", ".803"), True),
        ((".648", ".847", ".795"), True),
        ((".695", ".878", ".824"), True),
        ((".713", ".892", ".836"), True),
        ((".335", ".595", ".586"), True),
        ((".332", ".602", ".584"), True),
        ((".398", ".646", ".628"), True),
        ((".392", ".670", ".629"), True),
        ((".661", ".871", ".806"), True),
        ((".667", ".878", ".810"), True),
        ((".693", ".887", ".825"), True),
        ((".686", ".887", ".822"), True),
        ((".514", ".787", ".715"), True),
        ((".622", ".853", ".782"), True),
        ((".626", ".866", ".787"), True),
        ((".305", ".565", ".562"), True),
        ((".316", ".574", ".568"), True),
        ((".226", ".577", ".528"), True),
        ((".226", ".611", ".535"), True),
        ((".586", ".791", ".751"), True),
        ((".580", ".792", ".749"), True),
        ((".621", ".830", ".778"), True),
        ((".643", ".845", ".792"), True),
        ((".559", ".827", ".746"), True),
        ((".558", ".827", ".746"), True),
        ((".384", ".815", ".656"), True),
        ((".402", ".845", ".673"), True),
        ((".938", ".971", ".964"), True),
        ((".930", ".972", ".961"), True),
    ],
)
def test_which_figures_of_mutual_can_be(figures, is_possible):
    assert feasibility(*figures, 4).is_possible is is_possible


def test_of_both_tables_exactly_the_named_figures_cannot_be():
    both = {(split, corpus) for split in ("dev", "test") for corpus in ("mutual", "mutual-plus")}
    named = {
        *(("Random", *where) for where in both),
        ("Dual LSTM", "test", "mutual"),
        *(("SMN", split, "mutual") for split in ("dev", "test")),
        ("DAM", "dev", "mutual"),
        *((who, split, "mutual-plus") for who in ("TF-IDF", "SMN", "DAM") for split in ("dev", "test")),
    }
    checked = [(row.who, row.split, row.corpus) for row in PUBLISHED]
    marked = {(row.who, row.split, row.corpus) for row in PUBLISHED if not row.check.is_possible}
    assert marked == named
    assert len(checked) == len(set(checked)) > 3 * len(marked)


def test_the_interval_is_that_of_the_figures_as_printed():
    # .26 + .231/2 + .509/4 and .26 + .231/2 + .509/3
    found = feasibility(".260", ".491", ".743", 4)
    assert found.between == (pytest.approx(0.50275), pytest.approx(0.545167, abs=1e-6))


# Worked by hand, with n candidates: .5 + .2/2 = .6 and .3/n to .3/3 more; without R@2, from .5 + .5/n to .5 + .5/2;
# without R@1, from .7/2 + .3/n to .7 + .3/3; of two candidates R@2 is 1, and MRR is R@1 + (1 - R@1)/2.
@pytest.mark.parametrize(
    ("r1", "r2", "mrr", "candidates", "why"),
    [
        (".50", ".40", ".60", 4, Impossible.ORDER),
        (".50", ".40", "", None, Impossible.ORDER),
        (".5", ".46", ".60", 4, None),  # .45 to .55 and .455 to .465
        ("", ".7", "", 2, Impossible.TWO),
        (".5", ".999", "", 2, Impossible.TWO),
        (".5", ".95", "", 2, Impossible.TWO),
        (".50", "1.00", ".75", 2, None),
        (".50", "", ".76", 2, Impossible.MRR),  # .7475 to .7525, and .755 to .765
        (".50", "", ".75", 2, None),
        (".5", ".7", ".1", None, Impossible.MRR),
        (".500", ".700", ".598", None, Impossible.MRR),
        (".500", ".700", ".602", None, None),
        (".500", ".700", ".702", None, Impossible.MRR),
        (".500", "", ".622", 4, Impossible.MRR),
        (".500", "", ".752", None, Impossible.MRR),
        (".500", "", ".750", None, None),
        ("", ".700", ".424", 4, Impossible.MRR),
        ("", ".700", ".426", 4, None),
        ("", ".700", ".802", 4, Impossible.MRR),
        ("", "", ".24", 4, Impossible.MRR),  # at least 1/4
        ("", "", ".25", 4, None),
        (".5", ".7", "", 4, None),
        ("", "", "", None, None),
    ],
)
def test_figures_are_checked_with_what_is_printed(r1, r2, mrr, candidates, why):
    assert feasibility(r1, r2, mrr, candidates).why == why


def test_every_ranking_of_a_few_questions_is_possible_as_rounded_in_any_way():
    for candidates in (2, 3, 5):
        for ranks in combinations_with_replacement(range(1, candidates + 1), 3):
            r1, r2 = (sum(rank <= k for rank in ranks) / 3 for k in (1, 2))
            mrr = sum(1 / rank for rank in ranks) / 3
            for digits in (1, 2, 4):
                printed = [f"{figure:.{digits}f}" for figure in (r1, r2, mrr)]
                for shown in product((True, False), repeat=3):
                    texts = [text if is_shown else "" for text, is_shown in zip(printed, shown, strict=True)]
                    assert feasibility(*texts, candidates).is_possible
                    assert feasibility(*texts, None).is_possible


@pytest.mark.parametrize("figures", [("1.2", ".5", ".5"), ("-.1", ".5", ".5"), ("nan", ".5", ".5")])
def test_what_is_no_share_is_refused(figures):
    with pytest.raises(ValueError, match="no share"):
        feasibility(*figures, 4)


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ("movie", "movie"),
        ("Film", "movie"),
        ("mutual:test", "mutual"),
        ("mutual-plus:test", "mutual-plus"),
        ("MuTual_plus", "mutual-plus"),
        ("Ubuntu IRC", "ubuntu"),
        ("twitter", "twitter"),
    ],
)
def test_a_corpus_is_known_by_its_name(corpus, expected):
    assert {row.corpus for row in published_for(corpus)} == {expected}


def test_no_study_has_another_corpus():
    assert published_for("listening") == published_for("") == []


def test_published_people_stand_before_models():
    for corpus in {row.corpus for row in PUBLISHED}:
        models = [row.is_model for row in published_for(corpus)]
        assert models == sorted(models)


def test_each_split_of_mutual_has_its_own_figures_and_impossible_ones_are_known():
    dev, test = ({row.model: row for row in published_on(f"mutual:{split}")} for split in ("dev", "test"))
    assert (dev["dam"].r1, test["dam"].r1, dev["roberta-mc"].mrr) == (".239", ".241", ".825")
    assert "Human" not in {row.who for row in published_on("mutual:dev")}  # people are published on test alone
    impossible = {key for key, row in dev.items() if not row.check.is_possible}
    assert impossible == {"random", "smn", "dam"}
    assert {key for key, row in test.items() if not row.check.is_possible} == {
        "random",
        "smn",
        "dual-lstm",
    }


def test_six_models_are_published_on_rated_pairs():
    assert list(PUBLISHED_CUTS) == ["tfidf", "bm25", "svmrank", "gbdt", "bilstm", "cnn"]
    assert PUBLISHED_CUTS["cnn"]["5"] == {"P@1": 0.705, "MAP": pytest.approx(0.812), "MRR": pytest.approx(0.83)}
