"""Runs of one key that are made with different things, or bear different labels, are told apart wherever they stand."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import override

from core.models import Job
from study.actions.runs.baselines import ask_for_run, run_now
from study.figures import LONGEST, shortened
from study.models import Run
from study.presenters.runs.words import run_name
from tests.chat_servers import ServerAnswer, listening, longest
from tests.factories import no_progress
from tests.study.instances import kitchen
from tests.study.results_cases import answer_all, closed_study, question_set, run_of

ON = {"on": "kitchen:dev", "seed": 0, "report": no_progress}


@pytest.fixture
def rui(researcher, client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    client.force_login(researcher)
    kitchen(researcher, dev=5)
    return researcher


@pytest.fixture
def chat(rui, settings):
    """Return a function that runs a model of a chat server."""
    with listening(lambda received: ServerAnswer(longest(received.prompt))) as server:
        settings.CHAT_SERVERS = {"lab": server.address}

        def run(model: str, seed: int = 0, label: str = "", **chosen) -> Run:
            how = {**ON, "seed": seed, "label": label, "settings": {"model": model, "retries": 0, **chosen}}
            return run_now(model="chat", **how, by=rui)

        yield run


def rows_of(client, key: str, name: str = "kitchen:dev") -> list:
    families = client.get(reverse("models", args=[name])).context["families"]
    return [row for family in families for row in family.rows if row.key == key]


def csv_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_two_models_of_one_server_are_two_rows_of_the_table_and_of_its_files(chat, client):
    first, second = chat("llm-b"), chat("llm-a")
    again = chat("llm-a", temperature=1)
    assert [(row.title, row.run, row.runs.others) for row in rows_of(client, "chat")] == [
        ("Chat server: llm-a", again, 1),
        ("Chat server: llm-b", first, 0),
    ]
    assert second.metrics == again.metrics
    table = [row for row in csv_of(client.get(reverse("models_csv", args=["kitchen:dev"]))) if row["model"] == "chat"]
    assert {row["name"] for row in table if row["metric"] == "R@1"} == {"Chat server: llm-a", "Chat server: llm-b"}
    text = client.get(reverse("models_latex", args=["kitchen:dev"])).content.decode()
    assert "Chat server: llm-a &" in text and "Chat server: llm-b &" in text


def test_the_finding_and_the_comparison_name_them(chat, client):
    runs = chat("llm-a"), chat("llm-b")
    finding = client.get(reverse("models", args=["kitchen:dev"])).context["finding"]
    assert (finding.models, finding.title) == (2, "Chat server: llm-a")
    query = {"run": [run.pk for run in runs]}
    answer = client.get(reverse("compare_runs"), query)
    assert answer.context["shown"].titles == ("Chat server: llm-a", "Chat server: llm-b")
    assert {choice.title for choice in answer.context["choices"]} == {"Chat server: llm-a", "Chat server: llm-b"}
    assert "Chat server: llm-a" in client.get(reverse("compare_latex"), query).content.decode()
    assert "Chat server: llm-b on kitchen:dev" in strip_tags(client.get(reverse("run", args=[runs[1].pk])).content)


def test_seeds_belong_to_the_model_of_their_own_name(chat, client):
    first, other, second = chat("llm-a"), chat("llm-b"), chat("llm-a", seed=1)
    assert [row.runs.seeds for row in rows_of(client, "chat")] == [(first, second), (other,)]


def test_a_label_makes_a_model_of_its_own(rui, client):
    for label in ("", "with stop words"):
        run_now(model="tfidf", train="kitchen:train", label=label, **ON, by=rui)
    rows = rows_of(client, "tfidf")
    assert [row.title for row in rows] == ["TF-IDF", "TF-IDF · with stop words"]
    assert len(rows_of(client, "bm25")) == 1


def test_two_folders_of_weights_are_two_models_and_a_path_is_named_by_its_folder(rui, client):
    runs = [run_now(model="tfidf", train="kitchen:train", **ON, by=rui) for _run in range(3)]
    folders = (("bert-tiny", "a"), ("/data/weights/bert-base", "b"), ("bert-tiny", "c"))
    for run, (run.weights, checksum) in zip(runs, folders, strict=True):
        run.model, run.weights_checksum = "bert", checksum * 64
        run.save()
    rows = rows_of(client, "bert")
    assert [(row.title, row.runs.seeds, row.runs.others) for row in rows] == [
        ("BERT: bert-base", (runs[1],), 0),
        ("BERT: bert-tiny", (runs[2],), 1),
    ]
    with override("zh-hans"):
        assert run_name(runs[0]) == "BERT：bert-tiny"


def test_a_model_that_came_to_nothing_stands_until_another_of_its_key_has_ended(rui, chat, client):
    ask_for_run(model="chat", on="kitchen:dev", seed=0, settings={"model": "lllm"}, by=rui)
    assert [(row.title, bool(row.runs.waiting)) for row in rows_of(client, "chat")] == [("Chat server: lllm", True)]
    Job.objects.update(state="failed", error="refused:server_unknown")
    assert [(row.title, bool(row.runs.failed)) for row in rows_of(client, "chat")] == [("Chat server: lllm", True)]
    chat("llm")
    assert [row.title for row in rows_of(client, "chat")] == ["Chat server: llm"]


# ---- beside people --------------------------------------------------------------------------------------------------


@pytest.fixture
def study(rui):
    questions = question_set(rui, 4)
    study = closed_study(rui, questions)
    answer_all(study, ["1111", "111-"])
    for model in ("llm-a", "llm-b"):
        run = run_of(questions, "1100", model="chat", by=rui)
        run.settings = {"model": model}
        run.save()
    return study


def test_beside_people_each_has_its_row_also_where_they_predict_alike(study, client):
    names = {"Chat server: llm-a", "Chat server: llm-b"}
    page = client.get(reverse("study_models", args=[study.slug]))
    assert {each.row.name for each in page.context["models"]} == names
    assert names < {row["who"] for row in csv_of(client.get(reverse("study_models_csv", args=[study.slug])))}
    latex = client.get(reverse("study_models_latex", args=[study.slug])).content.decode()
    assert all(f"{name} &" in latex for name in names)
    assert names <= {row["name"] for row in csv_of(client.get(reverse("results_csv", args=[study.slug])))}
    text = strip_tags(client.get(reverse("results", args=[study.slug])).content.decode())
    assert all(name in text for name in names)


def test_names_that_begin_alike_are_told_apart_in_a_figure_too():
    long = [f"Chat server: a-rather-long-name-{letter}" for letter in "ab"]
    assert len(set(shortened([*long, "TF-IDF"]))) == 3
    assert all(len(name) <= LONGEST for name in shortened(long))
    assert shortened(["A group with a long name indeed", "B"])[0] == "A group with a long n…"
