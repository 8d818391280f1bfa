"""A reader computes each number of a report's tables again from the files beside it.

The figures of people and models come from the person-level files by a second implementation of METHODS 1; of the other
tables each printed number is the one of its CSV file, rounded.
"""

from collections import defaultdict
from itertools import chain
from math import sqrt
from statistics import fmean

import pytest
from scipy.stats import t

from study.models import Study
from study.presenters.reports.tables import tables_of
from study.selectors.reports.facts import facts_of
from study.selectors.results import comparisons, export, results, times
from tests.factories import no_progress
from tests.study.report_cases import folder_of, frozen, reported_study, rows_of
from tests.study.results_cases import answer_all

pytestmark = pytest.mark.django_db
SCORES = {"R@1": "correct", "MRR@2": "reciprocal_rank_at_2"}


@pytest.fixture
def study(researcher) -> Study:
    study = reported_study(researcher)
    answer_all(study, ["........"], group="crowd")  # left out: fewer answers than 1
    return study


@pytest.fixture
def files(study, researcher) -> dict[str, bytes]:
    return folder_of(frozen(study, researcher))


def counted_answers(files: dict[str, bytes]) -> list[dict[str, str]]:
    """Return the answers of people who count, in time, with the group of the person and the corpus of the question."""
    groups = {row["person"]: row["group"] for row in rows_of(files["data/people.csv"]) if row["counted"] == "true"}
    corpora = {row["question"]: row["corpus"] for row in rows_of(files["data/questions.csv"])}
    return [
        {**row, "group": groups[row["person"]], "corpus": corpora[row["question"]]}
        for row in rows_of(files["data/answers.csv"])
        if row["person"] in groups and row["late"] == "false"
    ]


def headline(answers: list[tuple[str, str, float]]) -> tuple[float, float, float]:
    """Return n_eff and the ends of the headline interval of (person, question, value), as METHODS 1 has it."""
    n, u = len(answers), fmean(value for _person, _question, value in answers)
    people, questions = ({answer[place] for answer in answers} for place in (0, 1))

    def variance(place: int, groups: set[str]) -> float:
        sums = defaultdict(float)
        for answer in answers:
            sums[answer[place]] += answer[2] - u
        return sum(each**2 for each in sums.values()) / n**2 * len(groups) / (len(groups) - 1)

    cell = sum((value - u) ** 2 for _person, _question, value in answers) / n**2
    total = max(variance(0, people) + variance(1, questions) - cell, cell)
    n_eff = u * (1 - u) / total
    z = t.ppf(0.975, min(len(people), len(questions)) - 1)
    middle, width = u + z**2 / (2 * n_eff), z * sqrt(u * (1 - u) / n_eff + z**2 / (4 * n_eff**2))
    return n_eff, (middle - width) / (1 + z**2 / n_eff), (middle + width) / (1 + z**2 / n_eff)


def test_figures_of_people_follow_from_the_answers(files):
    answers = counted_answers(files)
    rows = [row for row in rows_of(files["tables/people-and-models.csv"]) if row["kind"] == "people"]
    assert len(rows) == 9  # two corpora and all, each by group and together
    for row in rows:
        own = [
            answer
            for answer in answers
            if row["corpus"] in ("", answer["corpus"]) and row["who"] in ("All people", answer["group"])
        ]
        right = [answer["correct"] == "1.0" for answer in own]
        assert (int(row["people"]), int(row["k"]), int(row["n"])) == (
            len({answer["person"] for answer in own}),
            sum(right),
            len(own),
        )
        for metric, column in SCORES.items():
            scored = [(each["person"], each["question"], float(each[column])) for each in own if each[column]]
            n_eff, low, high = headline(scored)
            assert float(row[metric]) == pytest.approx(fmean(value for *_who, value in scored))
            assert [float(row[f"{metric}_{end}"]) for end in ("low", "high")] == pytest.approx([low, high])
            if metric == "R@1":
                assert float(row["n_eff"]) == pytest.approx(n_eff)


def test_rules_and_outcomes_follow_from_the_people(files):
    people = rows_of(files["data/people.csv"])
    crowd = {row["person"] for row in people if row["group"] == "crowd"}
    answers = [row for row in rows_of(files["data/answers.csv"]) if row["person"] in crowd and row["late"] == "false"]
    under_rules = rows_of(files["tables/exclusion-rules.csv"])
    by_rule = {row["rules"]: row for row in under_rules if (row["group"], row["corpus"]) == ("crowd", "")}
    none, planned = by_rule["no rule"], by_rule["as planned"]
    assert int(none["n"]) == int(planned["n"]) == len(answers)
    assert float(none["R@1"]) == pytest.approx(fmean(float(row["correct"]) for row in answers))
    joined = {row["group"]: int(row["joined"]) for row in rows_of(files["tables/outcomes.csv"])}
    assert joined["crowd"] == len(crowd) and joined["All people"] == len(people)


def numbers_of(row: dict[str, str]) -> set[str]:
    """Return the numbers of a row of a file in every form in which a table prints them."""
    printed = set()
    for cell in row.values():
        printed.add(cell)
        try:
            value = float(cell)
        except ValueError:
            continue
        printed |= {f"{value:,.0f}", f"{value:.1f}", f"{100 * value:.1f}", f"{100 * value:+.1f}".replace("-", "−")}
        printed |= {f"{value:.3f}".removeprefix("0"), *({"< .001"} if value < 0.0005 else set())}
    return printed


def pieces(cell: str) -> list[str]:
    """Split a printed cell into its numbers: 976/1,370, 65.3–76.5, −28.7 to −0.8."""
    for separator in ("/", " to ", "–"):
        if separator in cell and cell != separator:
            return cell.split(separator)
    return [cell]


def test_every_printed_number_is_in_its_file(study, files):
    tables = {table.key: table for table in tables_of(facts_of(study, no_progress))}
    assert tables.keys() >= {"people-and-models", "differences", "exclusion-rules", "outcomes", "people"}
    for table in tables.values():
        known = set(chain.from_iterable(numbers_of(row) for row in rows_of(files[f"tables/{table.key}.csv"])))
        printed = {
            piece
            for _title, rows in table.groups
            for row in rows
            for cell in row[1:]
            for piece in pieces(cell)
            if any(letter.isdigit() for letter in piece)
        }
        assert printed and printed <= known, table.key


def test_the_page_prints_what_the_latex_has(files):
    page = files["index.html"].decode()
    latex = files["tables/people-and-models.tex"].decode()
    [crowd] = [
        row
        for row in rows_of(files["tables/people-and-models.csv"])
        if (row["corpus"], row["who"]) == ("movie", "crowd")
    ]
    share = f"{100 * float(crowd['R@1']):.1f}"
    low, high = (f"{100 * float(crowd[f'R@1_{end}']):.1f}" for end in ("low", "high"))
    assert f">{share}</td>" in page and f">{low}–{high}</td>" in page
    assert f"& {share} & {low}--{high} &" in latex
    assert r"\toprule" in latex


def test_a_name_cannot_break_the_page_or_the_latex_or_run_as_a_formula(study, researcher):
    study.groups.filter(name="crowd").update(name='=1+1 <b>&_"')
    Study.objects.filter(pk=study.pk).update(title="A <script> & 100 % of it")
    study.refresh_from_db()
    files = folder_of(frozen(study, researcher))
    page = files["index.html"].decode()
    assert "<script" not in page and "A &lt;script&gt; &amp; 100 % of it" in page
    assert "=1+1 \\textless{}b\\textgreater{}\\&\\_" in files["tables/people-and-models.tex"].decode()
    assert b"\"'=1+1" in files["tables/people-and-models.csv"]


def test_all_tables_are_of_answers_that_are_read_once(study, researcher, monkeypatch):
    for module in (results, comparisons, times, export):
        monkeypatch.setattr(module, "answers_given", None)
    assert "data/answers.csv" in folder_of(frozen(study, researcher))


def test_a_report_asks_for_nothing_outside_its_folder(files):
    page = files["index.html"].decode()
    assert "http" not in page and "<script" not in page and "style=" not in page
    assert 'src="/' not in page and 'href="/' not in page
