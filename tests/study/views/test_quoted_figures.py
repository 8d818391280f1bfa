"""Figures of other studies that a researcher types in: beside the results, checked, changed and deleted."""

import re
from html import unescape

import pytest
from django.urls import reverse

from core.models import Event
from study.actions import quoted_figures
from study.actions.results import results_in_force
from study.domain.results.published import Comparable, Published
from study.models import QuotedFigure
from tests.study.results_cases import answer_all, closed_study, question_set

pytestmark = pytest.mark.django_db

SENT = {"label": "Crowd 2019", "kind": "people", "corpus": "movie", "r1": ".260", "r2": ".491", "mrr": ".743"}
SENT |= {"n": "120", "candidates": "4", "source": "Li 2019, table 2"}


@pytest.fixture
def study(researcher):
    study = closed_study(researcher, question_set(researcher, 4, corpora=("movie", "listening")))
    answer_all(study, ["1111", "111-", "11-1"])
    return study


@pytest.fixture
def send(client, researcher, study):
    client.force_login(researcher)

    def send(name="quote_figures", *arguments, **changed):
        return client.post(reverse(name, args=[study.slug, *arguments]), SENT | changed)

    return send


def words(answer):
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", answer.content.decode())))


def shown(client, study, **query):
    return words(client.get(reverse("results", args=[study.slug]), query))


def quoted_in(study):
    return [row for row in results_in_force(study)["published"] if row["quoted"]]


def test_what_is_typed_in_stands_in_the_table_with_n_and_source_and_is_marked_where_it_cannot_be(send, client, study):
    """MRR as a published table has it: with 4 candidates it lies between .50275 and .54517 (hand calculation)."""
    assert send().status_code == 302
    text = shown(client, study, corpus="movie")
    assert "Crowd 2019 120 people; Li 2019, table 2" in text
    assert "With 4 candidates and the other figures it lies between 50.3–54.5 %" in text
    assert "Crowd 2019" not in shown(client, study, corpus="listening")
    [row] = quoted_in(study)
    assert (row["impossible"], row["comparable"]) == ("mrr", Comparable.IN_LEVEL)
    assert row["possible"] == [pytest.approx(0.50275), pytest.approx(0.545167, abs=1e-6)]


@pytest.mark.parametrize(
    ("changed", "impossible", "comparable"),
    [
        ({"mrr": ".52"}, None, Comparable.IN_LEVEL),
        ({"mrr": ""}, None, Comparable.IN_LEVEL),
        ({"r1": ".6", "r2": ".4", "mrr": ""}, "order", Comparable.IN_LEVEL),
        ({"candidates": "10", "mrr": ".5"}, None, Comparable.OTHER_CANDIDATES),
        ({"candidates": "", "mrr": ".52"}, None, Comparable.UNKNOWN_CANDIDATES),
        ({"candidates": ""}, "mrr", Comparable.UNKNOWN_CANDIDATES),  # at most .26 + .231/2 + .509/3
        ({"r1": ".5", "r2": ".7", "mrr": ".1", "candidates": ""}, "mrr", Comparable.UNKNOWN_CANDIDATES),
        ({"r1": "", "r2": ".7", "mrr": "", "candidates": "2"}, "two", Comparable.OTHER_CANDIDATES),
        ({"r1": "", "r2": ""}, None, Comparable.IN_LEVEL),
    ],
)
def test_what_can_be_and_with_what_it_is_comparable(send, client, study, changed, impossible, comparable):
    assert send(**changed).status_code == 302
    [row] = quoted_in(study)
    assert (row["impossible"], row["comparable"]) == (impossible, comparable)
    assert ("impossible." in shown(client, study, corpus="movie")) is bool(impossible)


def test_whoever_types_in_what_cannot_be_is_told_on_saving(send, client, study):
    said = client.get(send(r1=".5", r2=".7", mrr="", candidates="2").url)
    assert [str(each) for each in said.context["messages"] if each.level_tag == "warning"]
    said = client.get(send(r1=".5", r2=".7", mrr="").url)
    assert not [str(each) for each in said.context["messages"] if each.level_tag == "warning"]


def test_per_cents_keep_their_digits(send, study):
    send(r1="26.0 %", r2="49.1%", mrr="")
    [row] = quoted_in(study)
    assert (row["R@1"], row["R@2"], row["MRR"]) == ("0.260", "0.491", None)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"r1": "nan"}, "r1"),
        ({"r1": "inf"}, "r1"),
        ({"r2": "1.2"}, "r2"),
        ({"mrr": "-.1"}, "mrr"),
        ({"r1": "seven"}, "r1"),
        ({"r1": "65.9"}, "r1"),
        ({"r1": "1e-999999"}, "r1"),
        ({"n": "0"}, "n"),
        ({"n": "-3"}, "n"),
        ({"candidates": "1"}, "candidates"),
        ({"label": " "}, "label"),
        ({"source": ""}, "source"),
        ({"corpus": "elsewhere"}, "corpus"),
        ({"kind": "animal"}, "kind"),
        ({"r1": "", "r2": "", "mrr": ""}, "__all__"),
    ],
)
def test_what_is_no_figure_is_said_beside_its_field_and_nothing_is_stored(send, changed, field):
    answer = send(**changed)
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not QuotedFigure.objects.exists()


def test_a_row_is_changed_and_deleted_and_each_act_is_in_the_audit_log(send, client, study):
    send()
    [quoted] = QuotedFigure.objects.all()
    address = reverse("change_quoted", args=[study.slug, quoted.pk])
    assert 'value=".743"' in client.get(address).content.decode()
    assert send("change_quoted", quoted.pk, mrr=".530", kind="model").status_code == 302
    assert [(row["MRR"], row["is_model"], row["impossible"]) for row in quoted_in(study)] == [(".530", True, None)]
    assert send("delete_quoted", quoted.pk).status_code == 302
    assert quoted_in(study) == []
    events = Event.objects.filter(subject="quotedfigure").order_by("pk")
    assert [event.became for event in events] == ["quoted", "changed", "deleted"]
    assert client.get(address).status_code == 404


def test_a_row_of_another_study_is_not_found(send, researcher, study):
    other = closed_study(researcher, question_set(researcher, 2, name="others"), slug="winter")
    quoted = quoted_figures.add(study=other, row=Published("Li", "", "crowd", 4, ".5", ".6"), by=researcher)
    assert send("change_quoted", quoted.pk).status_code == 404
    assert send("delete_quoted", quoted.pk).status_code == 404


def test_a_study_quotes_a_bounded_number_of_rows(send, study, monkeypatch):
    monkeypatch.setattr(quoted_figures, "MOST", 1)
    send()
    assert send().status_code == 422
    assert study.quoted_figures.count() == 1


def test_quoted_rows_are_drawn_beside_people_and_models(send, client, study):
    address = reverse("results_figure", args=[study.slug, "svg"])
    before = client.get(address).content
    send(corpus="movie")
    assert client.get(address).content != before
