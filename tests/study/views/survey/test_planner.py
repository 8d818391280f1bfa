"""The planner on the page of a draft: numbers that are tried out, what they give, and nothing of them is stored."""

import pytest
from django.urls import reverse

from study.actions.survey import drafts, studies
from study.domain.results.planning import plan
from study.models import Study
from study.presenters.plan import planned_of
from study.selectors.survey.plans import prospect_of
from tests.pages import on_one_line
from tests.study import study_cases

pytestmark = pytest.mark.django_db
DRAWN = 40


@pytest.fixture
def own(client, researcher):
    client.force_login(researcher)
    return client


def draft(researcher, quota: int | None = 132) -> Study:
    drawn = study_cases.question_set("drawn", DRAWN, by=researcher)
    settings = {"forms": 2, "per_form": 8}
    return studies.create(
        slug="lines", question_sets=[drawn], settings=settings, groups=[("crowd", quota)], by=researcher
    )


def shown(client, **sizes: object):
    return client.get(reverse("study", args=["lines"]), sizes)


ENTERED = {
    "people": 60,
    "questions": 80,
    "each": 20,
    "wanted": 5,
    "share": 75,
    "icc": 0.2,
    "question_sd": 0.15,
}


def test_it_begins_with_the_largest_quota_and_the_questions_of_the_forms(own, researcher):
    draft(researcher)
    planner = shown(own).context["planner"]
    assert (planner.sizes.people, planner.sizes.questions, planner.sizes.each) == (132, 16, 8)


def test_each_number_of_the_table_is_what_the_command_plan_says_the_other_way_round(own, researcher):
    draft(researcher)
    planner = shown(own, **ENTERED).context["planner"]
    assert planner.people == [30, 60, 120, 240]
    assert [questions for questions, _widths in planner.rows] == [40, 80, 160]
    for questions, widths in planner.rows:
        for people, width in zip(planner.people, widths, strict=True):
            said = plan(0.75, width, questions_each=20, icc=0.2, questions=questions, question_sd=0.15)
            assert said.people == pytest.approx(people, abs=1)
    assert planner.now.together == planner.rows[1][1][1]


def test_more_people_narrow_it_down_to_what_the_questions_leave_and_the_drawing_says_so(own, researcher):
    draft(researcher)
    planner = shown(own, **ENTERED).context["planner"]
    for _questions, widths in planner.rows:
        assert widths == sorted(widths, reverse=True)
    heights = {
        curve.questions: [float(at.split(",")[1]) for at in curve.points.split()] for curve in planner.drawing.curves
    }
    assert all(of_one == sorted(of_one) for of_one in heights.values()), "lower and lower"
    assert heights[40][0] < heights[80][0] < heights[160][0], "fewer questions are higher"
    assert planner.drawing.y < planner.drawing.floor
    assert [curve.questions for curve in planner.drawing.curves if curve.is_now] == [80]


def test_the_page_tells_the_half_width_of_what_was_entered_and_the_plan_stays(own, researcher):
    study = draft(researcher)
    before = study.survey.as_mapping()
    answer = shown(own, **ENTERED)
    told = on_one_line(answer.content)
    width = f"± {100 * answer.context['planner'].now.together:.1f}"
    assert f'<b class="planner-width num">{width}</b>' in told
    assert "With 80 questions, no number of people gets below ± 3.3 points." in told  # 1.96 · .15 / √80
    assert Study.objects.get().survey.as_mapping() == before
    assert shown(own).context["planner"].sizes.people == 132


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"people": 0}, "people"),
        ({"people": ""}, "people"),
        ({"people": -3}, "people"),
        ({"people": 10**9}, "people"),
        ({"people": "1e9"}, "people"),
        ({"wanted": "inf"}, "wanted"),
        ({"question_sd": -0.1}, "question_sd"),
        ({"questions": "x"}, "questions"),
        ({"each": 81}, "each"),
        ({"share": 100}, "share"),
        ({"share": "nan"}, "share"),
        ({"icc": 1.5}, "icc"),
        ({"question_sd": 0.6}, "question_sd"),
        ({"wanted": 0}, "wanted"),
    ],
)
def test_what_cannot_be_is_told_beside_its_field_and_the_planned_numbers_stay(own, researcher, wrong, field):
    draft(researcher)
    planner = shown(own, **{**ENTERED, **wrong}).context["planner"]
    assert [*planner.form.errors] == [field]
    assert planner.sizes.people == 132


def test_the_smallest_and_the_largest_numbers_are_drawn(own, researcher):
    draft(researcher)
    for people, questions, each in ((1, 1, 1), (100_000, 100_000, 100_000)):
        sizes = {"people": people, "questions": questions, "each": each}
        for edge in ({"icc": 0, "question_sd": 0}, {"icc": 1, "question_sd": 0.5}):
            planner = shown(own, **{**ENTERED, **sizes, **edge}).context["planner"]
            assert not planner.form.errors
            assert people in planner.people
            assert 0 <= planner.drawing.x <= 100
            heights = [float(at.split(",")[1]) for curve in planner.drawing.curves for at in curve.points.split()]
            assert min(heights) >= 0
            assert max(heights) <= 100


def test_without_a_quota_numbers_can_be_tried_out_all_the_same(own, researcher):
    draft(researcher, quota=None)
    answer = shown(own)
    assert answer.context["planned"] is None
    assert answer.context["planner"].sizes.people == 100
    assert "No group has a quota yet" in answer.content.decode()


@pytest.mark.parametrize(("margin", "wanted"), [("6", 6), ("100", 50), ("0.01", 0.1), ("", 5)])
def test_the_half_width_wanted_is_at_first_the_margin_of_the_plan(own, researcher, margin, wanted):
    drafts.change(study=draft(researcher), settings={"margin": margin}, by=researcher)
    sizes = shown(own).context["sizes"]
    assert sizes.wanted == wanted
    assert sizes.needed.people or sizes.needed.questions_needed > sizes.questions


def test_a_study_that_was_extended_is_planned_as_its_plan_says(researcher):
    study = draft(researcher)
    assert planned_of(study, prospect_of(study)).sizes.people == 132
    study.plan = {"groups": [{"name": "crowd", "quota": 100}]}
    assert planned_of(study, prospect_of(study)).sizes.people == 100


def test_a_half_width_beyond_the_scale_is_not_told_in_numbers(own, researcher):
    draft(researcher)
    few = {**ENTERED, "people": 1, "questions": 1, "each": 1, "question_sd": 0.5}
    told = on_one_line(shown(own, **few).content)
    assert '<b class="planner-width num">± &gt; 50</b>' in told
    assert "the interval is longer than the whole scale" in told
    assert "longer than the whole scale" not in on_one_line(shown(own, **ENTERED).content)


def test_questions_that_do_not_differ_are_no_limit(own, researcher):
    draft(researcher)
    told = on_one_line(shown(own, **{**ENTERED, "question_sd": 0}).content)
    assert "no number of people" not in told
    assert "all questions are equally hard" in told
