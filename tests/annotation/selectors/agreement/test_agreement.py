"""Agreement as the product reports it, from grades given through its actions."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.actions.rating import ratings
from annotation.domain.agreement import FIGURES
from annotation.models import Kind, Purpose
from annotation.selectors.agreement.agreement import agreement_report
from tests import factories

A = [int(grade) for grade in "11122233344455512345"]
B = [int(grade) for grade in "11222333444555413325"]  # METHODS 4: two raters, 20 items


def graded_alike(project, *columns):
    """New pairs, and one column of grades for each person: `(person, grades)`."""
    items = factories.pairs(project, len(columns[0][1]))
    for person, grades in columns:
        factories.grade_next(project, person, *grades)
    return items


@pytest.fixture
def worked_example(project, annotator, partner):
    graded_alike(project, (annotator, A), (partner, B))
    return project


def test_the_worked_example_gives_its_known_figures(worked_example):
    report = agreement_report(worked_example)
    assert (report["items"], report["kept"], report["removed"]) == (20, 19, 1)
    before = report["before"]
    assert before["n"] == 20
    assert before["percent"] == pytest.approx(13 / 20)
    assert before["gap_le_1"] == pytest.approx(19 / 20)
    assert before["kappa"] == pytest.approx(0.561815, abs=5e-7)
    assert before["kappa_linear"] == pytest.approx(0.743178, abs=5e-7)
    assert before["kappa_quadratic"] == pytest.approx(0.868248, abs=5e-7)
    assert before["kappa_pairs_mean"] == pytest.approx(0.5625)


def test_two_fixed_raters_have_cohens_kappa_with_its_asymptotic_interval(worked_example):
    [pair] = agreement_report(worked_example)["pairs"]
    assert (pair["raters"], pair["n"], pair["percent"]) == (["An", "Bo"], 20, pytest.approx(0.65))
    assert pair["kappa"] == pytest.approx(0.5625)
    assert pair["kappa_asymptotic"] == pytest.approx(
        [0.5625 - 1.959964 * 0.133373, 0.5625 + 1.959964 * 0.133373], abs=1e-5
    )
    assert pair["kappa_linear"] == pytest.approx(0.743590, abs=5e-7)
    assert pair["kappa_quadratic"] == pytest.approx(0.868421, abs=5e-7)


def test_after_the_filter_only_kept_pairs_count(worked_example):
    after = agreement_report(worked_example)["after"]
    assert after["n"] == 19
    assert after["percent"] == pytest.approx(13 / 19)
    assert after["gap_le_1"] == 1.0


def test_a_small_project_agrees_as_computed_by_hand(project, annotator, partner):
    """Both orders of (1,1) (2,2) (1,2) (5,2): 4 of 8 equal; the grades 1, 2 and 5 occur 3, 4 and 1 times."""
    graded_alike(project, (annotator, [1, 2, 1, 5]), (partner, [1, 2, 2, 2]))
    before = agreement_report(project)["before"]
    chance = (3**2 + 4**2 + 1**2) / 8**2
    assert before["percent"] == 0.5
    assert before["gap_le_1"] == 0.75
    assert before["kappa"] == pytest.approx((0.5 - chance) / (1 - chance))


def test_every_figure_has_an_interval_or_says_why_not(worked_example):
    report = agreement_report(worked_example)
    for block in (report["before"], report["after"]):
        for name in FIGURES:
            if name == "kappa_pairs_mean":
                assert (block[f"{name}_ci"], block[f"{name}_asymptotic"]) == (None, None)
                assert block[f"{name}_why"]
                continue
            low, high = block[f"{name}_ci"]
            assert low <= high
            assert f"{name}_why" not in block
        assert (block["unit"], block["units"]) == ("item", block["n"])


def test_practice_gold_and_pilot_pairs_move_nothing(worked_example, annotator, partner):
    before = agreement_report(worked_example)
    for purpose in (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT):
        factories.plant(worked_example, purpose, annotator, partner)
    assert agreement_report(worked_example) == before


def test_another_projects_grades_move_nothing(worked_example, annotator, partner, researcher):
    before = agreement_report(worked_example)
    other = projects.create(slug="other", kind=Kind.RATING, by=researcher)
    graded_alike(other, (annotator, [1, 1]), (partner, [5, 5]))
    assert agreement_report(worked_example) == before


def test_a_changed_grade_counts_and_the_old_one_does_not(project, annotator, partner):
    factories.pairs(project, 2)
    [assignment, _] = factories.grade_next(project, annotator, 1, 2)
    factories.grade_next(project, partner, 4, 2)
    assert agreement_report(project)["before"]["percent"] == 0.5
    ratings.change(assignment=assignment, grade=4, by=annotator)
    assert agreement_report(project)["before"]["percent"] == 1.0


def test_voided_work_does_not_count(worked_example, partner, researcher):
    since = timezone.now() - timedelta(hours=1)
    voiding.void_work(project=worked_example, person=partner, since=since, why="clicked through", by=researcher)
    report = agreement_report(worked_example)
    assert (report["items"], report["kept"], report["removed"], report["pairs"]) == (0, 0, 0, [])


def test_without_a_pair_that_two_people_graded_all_is_null_and_says_so(project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    report = agreement_report(project)
    assert (report["items"], report["kept"], report["removed"], report["pairs"]) == (0, 0, 0, [])
    for block in (report["before"], report["after"]):
        assert block["n"] == 0
        assert all(block[name] is None and block[f"{name}_ci"] is None for name in FIGURES)
        assert {block[f"{name}_why"] for name in FIGURES} == {"No pair has two grades."}


def test_one_and_the_same_grade_leaves_kappa_undefined_and_never_one(project, annotator, partner):
    graded_alike(project, (annotator, [3, 3, 3]), (partner, [3, 3, 3]))
    report = agreement_report(project)
    json.dumps(report, allow_nan=False)
    assert report["before"]["percent"] == 1.0
    assert report["before"]["kappa"] is None
    assert (
        report["before"]["kappa_why"]
        == "All grades are the same: chance agreement is 1, so the coefficient is undefined."
    )
    assert report["pairs"][0]["kappa"] is None


def test_perfect_agreement_is_one_whoever_rated_with_whom(project, annotator, partner, newcomer):
    """Three people rotate; each pair gets one and the same grade twice."""
    items = factories.pairs(project, 6)
    wanted = dict(zip((item.pk for item in items), [1, 2, 3, 4, 5, 3], strict=True))
    for person in [annotator, partner, newcomer] * 4:
        for assignment in factories.take(project, person):
            factories.grade(assignment, wanted[assignment.slot.item_id])
    report = agreement_report(project)
    assert len(report["pairs"]) > 1
    assert report["items"] == 6
    assert {report["before"][name] for name in FIGURES} == {1.0}


def test_pairs_with_some_of_their_grades_count_before_the_filter_only(researcher):
    project = projects.create(slug="three", kind=Kind.RATING, settings={"raters": 3}, by=researcher)
    people = [factories.person(name, project=project) for name in ("cai", "dai", "fei")]
    graded_alike(project, *((person, grades) for person, grades in zip(people, ([1, 2], [1, 4]), strict=False)))
    factories.grade_next(project, people[2], 1)
    report = agreement_report(project)
    assert (report["items"], report["kept"], report["removed"]) == (2, 1, 0)
    assert (report["before"]["n"], report["after"]["n"]) == (2, 1)


def test_raters_of_one_name_are_told_apart_by_their_user_names(project, annotator, partner):
    partner.name = annotator.name
    partner.save()
    graded_alike(project, (annotator, [1, 2]), (partner, [1, 2]))
    assert agreement_report(project)["pairs"][0]["raters"] == ["an", "bo"]


def test_the_seed_alone_decides_the_intervals(worked_example):
    assert agreement_report(worked_example, seed=7) == agreement_report(worked_example, seed=7)
    assert agreement_report(worked_example, seed=7)["before"] != agreement_report(worked_example, seed=8)["before"]


def test_the_order_in_which_grades_came_changes_nothing(worked_example, researcher):
    """The same people and grades, the second person first."""
    other = projects.create(slug="turned", kind=Kind.RATING, by=researcher)
    rater, partner = (factories.person(name, project=other) for name in ("xan", "xbo"))
    graded_alike(other, (partner, B), (rater, A))
    turned, straight = agreement_report(other), agreement_report(worked_example)
    assert (turned["before"], turned["after"]) == (straight["before"], straight["after"])


def test_the_command_prints_the_report_and_nothing_else(worked_example, administrator, capsys):
    call_command("agreement", worked_example.slug, "--json", "--bootstrap", "50", "--seed", "3")
    printed = capsys.readouterr().out
    assert json.loads(printed) == agreement_report(worked_example, draws=50, seed=3)


def test_the_command_prints_a_table_for_people(worked_example, administrator, capsys):
    call_command("agreement", worked_example.slug)
    printed = capsys.readouterr().out
    assert "20 pairs with two grades or more; 19 kept, 1 removed" in printed
    assert "An and Bo: n = 20, kappa 0.562 (0.301 to 0.824)" in printed


def test_the_command_says_in_words_that_nobody_rated(project, administrator, capsys):
    call_command("agreement", project.slug)
    assert capsys.readouterr().out.strip() == "Agreement needs pairs with two grades; 0 so far."


@pytest.mark.parametrize("wrong", [["--bootstrap", "-1"], ["--bootstrap", "many"], ["--seed", "1.5"]])
def test_the_command_refuses_numbers_it_cannot_use(wrong, project, administrator):
    with pytest.raises(CommandError, match="a whole number"):
        call_command("agreement", project.slug, *wrong)
