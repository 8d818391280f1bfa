"""Replies of a chat server that cannot be read are told wherever a figure of their run stands."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from study.actions.runs.baselines import run_now
from study.models import Run
from tests.chat_servers import ServerAnswer, listening, longest
from tests.factories import no_progress
from tests.study.instances import RESPONSES, corpus, forum, kitchen, row
from tests.study.results_cases import answer_all, closed_study, question_set, run_of

NONSENSE = "I would rather not say."


@pytest.fixture
def rui(researcher, client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    client.force_login(researcher)
    kitchen(researcher, dev=5)
    return researcher


@pytest.fixture
def chat(rui, settings):
    """Return a function that runs a model of a server whose replies are nonsense where a prompt has these words."""

    def run(unread: str, on: str = "kitchen:dev", model: str = "llm", **plan) -> Run:
        def answer(received):
            return ServerAnswer(NONSENSE if unread in received.prompt else longest(received.prompt))

        with listening(answer) as server:
            settings.CHAT_SERVERS = {"lab": server.address}
            chosen = {"model": model, "retries": 0, "orders": 2}
            return run_now(model="chat", on=on, settings=chosen, **{"seed": 0, **plan}, report=no_progress, by=rui)

    return run


def words(answer) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


def csv_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_table_of_models_tells_them_in_its_finding_its_row_and_its_files(chat, client):
    run = chat("")
    assert run.metrics["R@1"] == 0 and run.metrics["unanswered"] == 5
    answer = client.get(reverse("models", args=["kitchen:dev"]))
    [sentence] = answer.context["finding"].unread
    assert "Chat server: llm" in sentence and "5 of 5" in sentence
    said = words(answer)
    assert sentence in said and "5 unreadable, counted as wrong" in said
    rows = csv_of(client.get(reverse("models_csv", args=["kitchen:dev"])))
    assert {row["unread"] for row in rows if row["model"] == "chat"} == {"5"}
    assert {row["unread"] for row in rows if row["model"] != "chat"} == {""}
    assert sentence in client.get(reverse("models_latex", args=["kitchen:dev"])).content.decode()
    assert "5 unread" in words(client.get(reverse("runs")))


def test_where_every_reply_was_read_nothing_is_said_of_it(chat, client):
    chat("no such words")
    answer = client.get(reverse("models", args=["kitchen:dev"]))
    assert answer.context["finding"].unread == []
    assert "unread" not in words(answer)
    assert "unread" not in csv_of(client.get(reverse("models_csv", args=["kitchen:dev"])))[0]


def test_of_several_seeds_all_are_counted_and_the_second_best_is_named_too(chat, rui, client):
    chat("It is 2."), chat("It is 3.", seed=1), chat("", model="silent")
    finding = client.get(reverse("models", args=["kitchen:dev"])).context["finding"]
    assert ["2 of 10" in finding.unread[0], "5 of 5" in finding.unread[1]] == [True, True]


def test_a_comparison_tells_them_of_each_run_and_of_each_part(chat, rui, client):
    rows = [row(f"d{turns}{n}", turns=[f"So {turns}?"] * turns, answer=n % 4) for turns in (2, 4) for n in range(4)]
    corpus("long", *rows, row("t", "train"), by=rui)
    runs = chat("So 4?", "long:dev"), run_now(model="random", on="long:dev", seed=0, report=no_progress, by=rui)
    query = {"run": [run.pk for run in runs]}
    answer = client.get(reverse("compare_runs"), query)
    [sentence] = answer.context["shown"].unread
    assert "Chat server: llm" in sentence and "4 of 8" in sentence
    assert sentence in words(answer)
    found = {each["name"]: (each["unread_first"], each["unread_second"]) for each in _compared(client, query)}
    assert found == {"all": ("4", "0"), "≤ 2": ("0", "0"), "4": ("4", "0")}
    assert sentence in client.get(reverse("compare_latex"), query).content.decode()
    others = {"run": [runs[1].pk, run_now(model="random", on="long:dev", seed=1, report=no_progress, by=rui).pk]}
    assert "unread_first" not in _compared(client, others)[0]


def _compared(client, query) -> list[dict[str, str]]:
    return csv_of(client.get(reverse("compare_csv"), query))


def test_unread_instances_of_several_sizes_and_of_rated_prompts_are_compared_as_the_figures_count_them(
    chat, rui, client, project
):
    rows = [row(f"d{n}", turns=["So?", str(n)], candidates=RESPONSES[: 2 + n % 3]) for n in range(6)]
    corpus("sizes", *rows, row("t", "train"), by=rui)
    forum(project)
    for on, measure in (("sizes:dev", "R@1"), ("sizes:dev", "MRR"), ("weibo@1:test", "P@1 · Cut@4")):
        first = chat("", on)
        other = run_now(model="random", on=on, seed=0, report=no_progress, by=rui)
        answer = client.get(reverse("compare_runs"), {"run": [first.pk, other.pk], "measure": measure})
        name, _middle, cut = measure.partition(" · Cut@")
        values = [(run.metrics["cuts"][cut] if cut else run.metrics)[name] for run in (first, other)]
        assert answer.context["shown"].difference.mean == pytest.approx(values[0] - values[1])
        assert len(answer.context["shown"].unread) == 1
    page = client.get(reverse("models", args=["weibo@1:test"]))
    assert len(page.context["finding"].unread if page.context["finding"] else []) <= 1
    assert "unreadable, counted as wrong" in words(page)


def test_beside_people_they_count_as_wrong_too_and_every_table_says_so(rui, client):
    questions = question_set(rui, 4)
    study = closed_study(rui, questions)
    answer_all(study, ["1111", "111-"])
    run_of(questions, "11u.", model="chat", by=rui)
    page = client.get(reverse("study_models", args=[study.slug]))
    [shown] = page.context["models"]
    assert (shown.row.unread, shown.row.figures["R@1"].value) == (1, pytest.approx(2 / 3))  # two right, one unread
    said = words(page)
    assert "1 unreadable, counted as wrong; 1 question without a prediction, not counted" in said
    [sentence] = page.context["finding"].unread
    assert "1 of 3" in sentence
    assert sentence in said and sentence in words(client.get(reverse("results", args=[study.slug])))
    beside = csv_of(client.get(reverse("study_models_csv", args=[study.slug])))
    assert [row["unread"] for row in beside] == ["", "1"]
    results = csv_of(client.get(reverse("results_csv", args=[study.slug])))
    assert {row["unread"] for row in results if row["who"] == "chat"} >= {"1"}
    assert {row["unread"] for row in results if row["who"] == "people"} == {""}
    assert sentence in client.get(reverse("study_models_latex", args=[study.slug])).content.decode()


def test_beside_people_a_model_of_which_nothing_can_be_read_is_always_wrong(rui, client):
    questions = question_set(rui, 2)
    study = closed_study(rui, questions)
    answer_all(study, ["11", "1-"])
    run_of(questions, "uu", model="chat", by=rui)
    page = client.get(reverse("study_models", args=[study.slug]))
    [shown] = page.context["models"]
    assert (shown.row.unread, shown.row.figures["R@1"].value) == (2, 0)
    assert client.get(reverse("results", args=[study.slug])).status_code == 200
    assert client.get(reverse("results_csv", args=[study.slug])).status_code == 200
    assert client.get(reverse("study_models_latex", args=[study.slug])).status_code == 200
