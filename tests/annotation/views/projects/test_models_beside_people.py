"""The section of the agreement page about models, the files beside it, and the API."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.models import Project
from core.actions import stored_figures
from tests import factories
from tests.annotation.views.rating.rating_page import signed_in
from tests.pages import closed_up, on_one_line

pytestmark = pytest.mark.every_database

FIRST = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
SECOND = [1, 2, 3, 4, 4, 2, 2, 3, 5, 5]


@pytest.fixture
def graded(project: Project, annotator, partner) -> Project:
    factories.pairs(project, len(FIRST))
    for person, grades in ((annotator, FIRST), (partner, SECOND)):
        factories.grade_next(project, person, *grades)
    for number, item in enumerate(project.items.order_by("position")):
        item.external_id = f"q{number}"
        item.save(update_fields=["external_id"])
    return project


@pytest.fixture
def page(graded, researcher):
    def read(**query: str):
        return signed_in(researcher).get(reverse("agreement", args=[graded.slug]), query)

    return read


def test_without_a_model_the_page_says_how_one_is_imported(page):
    found = page()
    assert found.context["beside"] is None
    assert closed_up("import_ratings weibo FILE --model NAME") in closed_up(
        "".join(found.content.decode().replace("<span>", "").replace("</span>", ""))
    )


def test_every_model_is_in_the_tables_and_that_with_most_pairs_is_chosen_first(page, graded):
    factories.model_grades(graded, "zeta", *[6 - grade for grade in FIRST])
    factories.model_grades(graded, "alpha <b>", *SECOND[:4])
    assert page(model="alpha <b>").context["beside"].chosen.name == "alpha <b>"
    assert "alpha <b>" not in page(model="alpha <b>").content.decode()
    chosen = page().context["beside"]
    assert (chosen.chosen.name, [row.label for row in chosen.places]) == ("zeta", ["An", "Bo"])
    assert [[estimate.n for estimate in row.estimates] for row in chosen.each] == [[4, 10], [4, 10], [4, 10]]
    assert (chosen.finding.places, chosen.finding.less, chosen.finding.more) == (2, 2, 0)
    assert page(model="unknown").context["beside"].chosen.name == "zeta"


def test_pairs_that_no_two_people_graded_have_no_place(page, graded, researcher):
    factories.stored(graded, "吃了吗?\t吃了。\n")
    graded.items.filter(external_id="").update(position=0)
    factories.model_grades(graded, "early", 4)
    found = page()
    assert found.status_code == 200
    assert found.context["beside"].places == [] and found.context["beside"].finding is None


def test_the_file_of_the_page_has_the_models(graded, researcher):
    factories.model_grades(graded, "zeta", *SECOND)
    answer = signed_in(researcher).get(reverse("agreement_csv", args=[graded.slug]))
    rows = [row for row in csv.DictReader(io.StringIO(answer.content.decode())) if row["partner"] == "zeta"]
    assert [(row["over"], row["rater"], row["figure"]) for row in rows] == [
        ("in place", "An", "person"),
        ("in place", "An", "model"),
        ("in place", "An", "difference"),
        ("in place", "Bo", "person"),
        ("in place", "Bo", "model"),
        ("in place", "Bo", "difference"),
        ("with model", "An", "kappa_quadratic"),
        ("with model", "Bo", "kappa_quadratic"),
        ("with model", "(the mean)", "kappa_quadratic"),
    ]
    by_rater = {(row["rater"], row["figure"]): float(row["value"]) for row in rows}
    assert by_rater["An", "model"] == by_rater["Bo", "kappa_quadratic"] == 1.0


def test_the_api_gives_models_apart_from_grades(graded, researcher):
    factories.model_grades(graded, "zeta", *SECOND[:1])
    client = signed_in(researcher)
    first, second = client.get("/api/v1/projects/weibo/items/").json()["results"][:2]
    assert (sorted(first["grades"]), first["models"], first["model_grades"]) == ([1, 1], ["zeta"], [1])
    assert (second["models"], second["model_grades"]) == ([], [])
    assert [model["model"] for model in client.get("/api/v1/projects/weibo/agreement/").json()["models"]] == ["zeta"]


def test_prompt_and_settings_are_shown_with_the_guideline(page, graded):
    factories.model_grades(graded, "zeta", *SECOND)
    assert "Its prompt and settings are not stored" in page().content.decode()
    graded.grading_models.update(settings={"prompt": "Grade <this> pair."})
    stored_figures.forget(graded)  # written past the actions
    shown = page().content.decode()
    assert "Grade &lt;this&gt; pair." in shown and "Nothing is stored" not in shown
    assert "were imported under version 1 of the guideline" in on_one_line(shown)
    assert "The guideline has changed since" not in shown


def test_after_a_new_guideline_the_page_says_under_which_the_model_came_in(page, graded, researcher):
    factories.model_grades(graded, "zeta", *SECOND)
    graded.guidelines.create(number=2, content=graded.guidelines.get().content, created_by=researcher)
    shown = page().content.decode()
    assert "were imported under version 1, and people now rate under version 2" in on_one_line(shown)


def test_a_model_is_voided_on_its_page_with_a_reason(page, graded, researcher):
    factories.model_grades(graded, "zeta", *SECOND)
    address = reverse("void_model", args=[graded.slug, graded.grading_models.get().pk])
    assert f'href="{address}"' in page().content.decode()
    client = signed_in(researcher)
    assert "10 grades would be voided" in on_one_line(client.get(address).content)
    assert client.post(address, {"why": ""}).status_code == 200
    assert page().context["beside"].chosen.name == "zeta"
    assert "10 grades were voided." in client.post(address, {"why": "wrong file"}, follow=True).content.decode()
    assert page().context["beside"] is None
    assert client.get(address).status_code == 404
