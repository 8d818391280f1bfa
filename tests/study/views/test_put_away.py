"""Corpora and question sets are archived and taken back, and deleted, from their pages."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Corpus
from core.models import Event, Role
from study.actions.questions import questions
from study.actions.runs import baselines
from study.actions.survey import studies
from study.models import QuestionSet, Study
from study.selectors.runs.sources import choices_of
from tests import corpora, factories
from tests.factories import no_progress
from tests.study import study_cases

pytestmark = pytest.mark.django_db

KINDS = {
    "corpus": (
        "kitchen",
        "archive_corpus",
        "take_back_corpus",
        "delete_corpus",
        "corpora",
        "archived_corpora",
        "corpus",
    ),
    "questions": (
        "quiz",
        "archive_questions",
        "take_back_questions",
        "delete_questions",
        "question_sets",
        "archived_questions",
        "question_set",
    ),
}


@pytest.fixture
def rui():
    return factories.person("rui", Role.RESEARCHER)


@pytest.fixture(autouse=True)
def material(rui):
    said = {"candidates": ["Yes.", "No.", "Maybe.", "Never."], "answer": 0}
    rows = [corpora.dialogue(number) for number in range(30)]
    corpora.stored("kitchen", [*rows, corpora.dialogue(30, split="test", **said)], by=rui)
    questions.build(name="quiz", sources=["kitchen:dev"], count=6, seed=3, report=no_progress, by=rui)


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def client(rui) -> Client:
    return client_of(rui)


def put_away(client, kind: str) -> None:
    name, archive, *_others = KINDS[kind]
    client.post(reverse(archive, args=[name]))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_archived_is_below_the_list_and_comes_back(client, kind):
    name, archive, take_back, delete, listed, archived, page = KINDS[kind]
    link = f'href="{reverse(page, args=[name])}"'
    assert link in client.get(reverse(listed)).content.decode()
    shown = client.get(reverse(page, args=[name])).content.decode()
    for each in (archive, delete):
        assert f'href="{reverse(each, args=[name])}"' in shown
    assert client.get(reverse(archive, args=[name])).status_code == 200
    assert client.post(reverse(archive, args=[name])).url == reverse(page, args=[name])
    without = client.get(reverse(listed)).content.decode()
    assert link not in without
    assert f'href="{reverse(archived)}"' in without
    assert link in client.get(reverse(archived)).content.decode()
    assert f'action="{reverse(take_back, args=[name])}"' in client.get(reverse(page, args=[name])).content.decode()
    client.post(reverse(take_back, args=[name]))
    assert link in client.get(reverse(listed)).content.decode()
    said = Event.objects.filter(became__in=("archived", "taken back")).order_by("pk").values_list("became", flat=True)
    assert list(said) == ["archived", "taken back"]


def test_an_archived_corpus_is_offered_nowhere_and_still_answers_to_its_name(client, rui):
    put_away(client, "corpus")
    assert "kitchen:dev" not in client.get(reverse("draw_questions")).content.decode()
    assert "kitchen:dev" in client.get(reverse("draw_questions"), {"from": "kitchen:dev"}).content.decode()
    assert not [source for source in choices_of(rui) if source.name.startswith("kitchen")]
    start = client.get(reverse("new_run")).context["form"]
    assert "kitchen:test" not in str(start["on"])
    assert "kitchen:test" in str(client.get(reverse("new_run"), {"on": "kitchen:test"}).context["form"]["on"])
    again = questions.build(name="again", sources=["kitchen:dev"], count=6, seed=3, report=no_progress, by=rui)
    assert again.checksum == QuestionSet.objects.get(name="quiz").checksum
    run = baselines.run_now(model="random", on="kitchen:test", train="", seed=0, report=no_progress, by=rui)
    assert client.get(reverse("run", args=[run.pk])).status_code == 200
    assert client.get(reverse("models", args=["kitchen:test"])).status_code == 200


def test_an_archived_set_is_not_offered_to_a_new_study_and_stays_in_one_that_asks_it(client, rui):
    draft = study_cases.study("lines", by=rui, is_open=False)
    asked = draft.question_sets.get()
    put_away(client, "questions")
    client.post(reverse("archive_questions", args=[asked.name]))
    page = client.get(reverse("new_study"))
    assert not page.context["has_sets"]
    assert page.context["has_archived"]
    form = client.get(reverse("study", args=["lines"])).context["settings_form"]
    assert [each.name for _box, each in form.sets] == [asked.name]
    assert not [source for source in choices_of(rui) if source.kind == "questions"]


def test_where_all_is_archived_no_page_says_that_there_is_nothing_yet(client):
    put_away(client, "corpus")
    put_away(client, "questions")
    page = client.get(reverse("question_sets"))
    assert page.context["archived_corpora"]
    assert f'href="{reverse("archived_corpora")}"' in page.content.decode()
    assert f'href="{reverse("archived_questions")}"' in page.content.decode()


def test_the_list_of_sets_stays_where_every_corpus_is_archived(client):
    put_away(client, "corpus")
    assert f'href="{reverse("question_set", args=["quiz"])}"' in client.get(reverse("question_sets")).content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_only_who_made_it_and_administrators_put_it_away(kind, rui):
    name, archive, take_back, delete, _listed, archived, _page = KINDS[kind]
    colleague = factories.person("mo", Role.RESEARCHER)
    other = client_of(colleague)
    for address in (archive, take_back, delete):
        assert other.post(reverse(address, args=[name])).status_code == 404
    assert Corpus.objects.filter(archived_at=None).count() == 1
    administrator = client_of(factories.person("root", Role.ADMINISTRATOR))
    administrator.post(reverse(archive, args=[name]))
    assert f'action="{reverse(take_back, args=[name])}"' in administrator.get(reverse(archived)).content.decode()
    assert f'action="{reverse(take_back, args=[name])}"' not in other.get(reverse(archived)).content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_what_nothing_uses_is_deleted_and_the_rest_is_told_what_holds_it(client, rui, kind):
    name, archive, _take_back, delete, listed, _archived, page = KINDS[kind]
    address = reverse(delete, args=[name])
    if kind == "questions":
        assert client.get(address).context["holds"] == []
        assert client.post(address).url == reverse(listed)
        assert not QuestionSet.objects.exists()
        return
    held = client.get(address)
    assert [(hold.code, hold.number) for hold in held.context["holds"]] == [("question_sets", 1)]
    assert f'href="{reverse(archive, args=[name])}"' in held.content.decode()
    assert client.post(address).url == address
    client.post(reverse("delete_questions", args=["quiz"]))
    assert client.post(address).url == reverse(listed)
    assert not Corpus.objects.exists()
    assert client.get(reverse(page, args=[name])).status_code == 404


def test_drawing_again_is_filled_in_as_a_set_was_drawn(client):
    again = client.get(reverse("question_set", args=["quiz"])).context["duplicate_url"]
    form = client.get(again).context["form"]
    values = {name: form[name].value() for name in ("sources", "count", "distractors", "pick", "max_turns", "seed")}
    assert {name: str(value) for name, value in values.items() if name != "sources"} == {
        "count": "6",
        "distractors": "4",
        "pick": "uniform",
        "max_turns": "6",
        "seed": "3",
    }
    assert values["sources"] == ["kitchen:dev"]


@pytest.mark.parametrize("name", ["corpus", "question-set", "study", "project"])
def test_lists_of_the_api_leave_out_what_is_archived_unless_they_are_asked(client, rui, name):
    study_cases.study("lines", by=rui, is_open=False)
    factories.another_project("weibo", rui)
    archive, key = {
        "corpus": ("archive_corpus", "kitchen"),
        "question-set": ("archive_questions", "quiz"),
        "study": ("archive_study", "lines"),
        "project": ("archive_project", "weibo"),
    }[name]

    def keys(**query: str) -> set[str]:
        rows = client.get(reverse(f"{name}-list"), query).json()["results"]
        return {row.get("slug") or row["name"] for row in rows}

    every = keys()
    client.post(reverse(archive, args=[key]))
    assert keys() == every - {key}
    assert keys(archived="also") == every
    assert keys(archived="only") == {key}
    assert client.get(reverse(f"{name}-list"), {"archived": "perhaps"}).status_code == 400
    assert client.get(reverse(f"{name}-detail", args=[key])).json()["archived_at"]


def test_a_draft_is_deleted_from_its_page_and_an_opened_study_is_told_why_not(client, rui):
    draft = study_cases.study("lines", by=rui, is_open=False)
    settings = client.get(reverse("study_settings", args=["lines"])).content.decode()
    assert f'action="{reverse("duplicate_study", args=["lines"])}"' in settings
    for address in ("archive_study", "delete_study"):
        assert f'href="{reverse(address, args=["lines"])}"' in settings
    assert client.get(reverse("delete_study", args=["lines"])).context["holds"] == []
    assert client.post(reverse("delete_study", args=["lines"])).url == reverse("studies")
    assert not Study.objects.filter(pk=draft.pk).exists()
    opened = study_cases.study("opened", by=rui)
    address = reverse("delete_study", args=[opened.slug])
    shown = client.get(address)
    assert [hold.code for hold in shown.context["holds"]] == ["opened"]
    way_out = f'href="{reverse("archive_study", args=[opened.slug])}"'
    assert way_out not in shown.content.decode(), "an open study cannot be archived"
    studies.close(study=opened, why="Enough.", by=rui)
    assert way_out in client.get(address).content.decode()
    assert client.post(address).url == address
    assert Study.objects.filter(pk=opened.pk).exists()
