"""Runs of models on their pages: started, watched and read."""

import csv
import io
from datetime import timedelta

import pytest
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from annotation.models import Corpus
from core import tasks as tasks
from core.actions import jobs, names
from core.domain.transitions import JobState
from core.models import Job, Role
from study.actions.questions.questions import build
from study.actions.runs.baselines import ask_for_run, run_now
from study.models import Run, Study, StudyMembership
from tests import factories
from tests.factories import no_progress
from tests.study.instances import TALK, corpus, forum, kitchen, row

PLAN = {"model": "tfidf", "on": "kitchen:dev", "train": "", "seed": 0}
TYPED = {"model": "tfidf", "on": "kitchen:dev", "train": "", "seeds": "0"}


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=13, unknown=2)
    return researcher


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """Return the jobs that were sent to the broker."""
    sent: list[int] = []
    monkeypatch.setattr(tasks, "_send", lambda job: sent.append(job.pk))
    return sent


def made(by, model: str = "tfidf", on: str = "kitchen:dev", train: str = "kitchen:train") -> Run:
    return run_now(model=model, on=on, train=train, seed=0, report=no_progress, by=by)


def page(client: Client, name: str = "runs", *arguments: object, query: str = "") -> str:
    answer = client.get(reverse(name, args=arguments) + query)
    return b"".join(answer).decode() if answer.streaming else answer.content.decode()


def test_without_anything_to_ask_the_page_says_what_to_bring(client):
    for name in ("runs", "new_run"):
        assert "Import a corpus first." in page(client, name)
    assert "Start the run" not in page(client, "new_run")


def test_the_form_offers_what_can_be_asked_and_begins_at_the_dev_split(client, rui):
    corpus("talk", row("t", candidates=None), by=rui)
    form = client.get(reverse("new_run")).context["form"]
    asked = [name for _kind, group in form.fields["on"].choices for name, _label in group]
    assert set(asked) == {"kitchen:train", "kitchen:dev", "kitchen:test"}
    assert (form["on"].initial, form["model"].initial) == ("kitchen:dev", "tfidf")
    taught = [name for _kind, group in form.fields["train"].choices[1:] for name, _label in group]
    assert "talk:dev" in taught


def test_starting_a_run_is_a_job_trained_on_the_split_beside_it(client, rui, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("start_run"), TYPED)
    run = Run.objects.get()
    assert (answer.url, sent) == (reverse("run", args=[run.pk]), [run.job.pk])
    assert (run.train, run.created_by) == ("kitchen:train", rui)
    text = page(client, "run", run.pk)
    assert "Running the model" in text
    assert reverse("cancel_run", args=[run.pk]) in text
    jobs.start(job_pk=run.job.pk)
    tasks._write_down(run.job, tasks.carry_out(run.job, no_progress), was_stopped=False)
    text = page(client, "run", run.pk)
    assert "How often it is right" in text
    assert "data-poll" not in text


def test_a_page_that_polls_gets_the_progress_and_at_the_end_the_page_anew(client, rui):
    run = ask_for_run(**{**PLAN, "train": "kitchen:train"}, by=rui)
    address, as_poll = reverse("run", args=[run.pk]), {"Accept": "application/json"}
    text = client.get(address, headers=as_poll).json()["html"]
    assert f'data-poll="{address}"' in text
    assert "<html" not in text
    jobs.cancel(job=run.job, by=rui)
    assert client.get(address, headers=as_poll).json() == {"next": address}


def test_who_may_see_a_run_may_stop_it(rui, administrator):
    run = ask_for_run(model="random", on="kitchen:dev", train="", seed=0, by=rui)
    other = Client()
    other.force_login(administrator)
    assert other.post(reverse("cancel_run", args=[run.pk])).url == reverse("run", args=[run.pk])
    text = page(other, "run", run.pk)
    assert "Its settings and its curve are kept." in text
    assert "Nothing was kept" not in text
    assert f"{reverse('new_run')}?like={run.pk}" in text
    assert Job.objects.get().state == JobState.CANCELLED


def test_a_silent_run_says_that_it_is_started_again(client, rui):
    run = ask_for_run(model="random", on="kitchen:dev", train="", seed=0, by=rui)
    jobs.start(job_pk=run.job.pk)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=45))
    assert "No response for 45 s" in page(client, "run", run.pk)


def test_a_failed_run_says_why(client, rui):
    run = ask_for_run(model="random", on="kitchen:dev", train="", seed=0, by=rui)
    Job.objects.update(state=JobState.FAILED, error="refused:no_candidates")
    assert "These dialogues have no candidates to choose from." in page(client, "run", run.pk)
    assert "failed" in page(client)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"on": "nowhere"}, "Select a valid choice"),
        ({"model": "oracle"}, "Select a valid choice"),
        ({"seeds": "-1"}, "Seeds are whole numbers from 0"),
        ({"seeds": " ".join(map(str, range(11)))}, "At most 10 seeds at a time."),
        ({"on": ""}, "Choose the material that the model is tested on."),
        ({"on": "kitchen:train"}, "The same source has no train split."),
        ({"train": "kitchen:dev"}, "A model cannot be tested on what it was trained on."),
    ],
)
def test_a_run_that_cannot_be_is_refused_in_words(client, rui, sent, typed, said):
    answer = client.post(reverse("start_run"), {**TYPED, **typed})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Job.objects.exists()


def test_runs_stand_together_by_what_they_were_asked_about(client, rui):
    for model, on in (("random", "kitchen:dev"), ("random", "kitchen:test"), ("tfidf", "kitchen:dev")):
        made(rui, model, on)
    targets = client.get(reverse("runs")).context["targets"]
    assert [(target.name, [row.run.model for row in target.rows]) for target in targets] == [
        ("kitchen:dev", ["tfidf", "random"]),
        ("kitchen:test", ["random"]),
    ]
    assert (targets[0].n, targets[0].candidates) == (13, 4)
    assert "predictions without figures" in page(client)


def test_the_list_costs_the_same_with_more_runs(client, rui, django_assert_max_num_queries):
    for _run in range(4):
        made(rui, "random")
    with django_assert_max_num_queries(20):
        page(client)


def test_a_run_s_page_shows_figures_beside_chance_and_what_ran(client, rui):
    run = made(rui)
    text = page(client, "run", run.pk)
    assert "manage.py run_baseline tfidf --on kitchen:dev --train kitchen:train --seed" in strip_tags(text)
    assert run.checksum in text
    rows = {row.name: row for row in client.get(reverse("run", args=[run.pk])).context["figures"]}
    assert list(rows) == ["R@1", "R@2", "MRR", "MRR@2"]  # R@5 says nothing of four candidates
    assert rows["R@1"].value == run.metrics["R@1"]
    assert rows["MRR"].chance == pytest.approx(25 / 48)


def test_what_is_shared_with_the_training_material_is_named(client, researcher):
    corpus("leaky", row("t", "train"), row("same"), row("other", turns=["New."]), by=researcher)
    text = page(client, "run", made(researcher, "tfidf", "leaky:dev", "leaky:train").pk)
    assert "1 instance has a context that is also in leaky:train" in text
    assert "same" in text


def test_unknown_answers_are_said(client, rui):
    assert "The answers to these 2 instances are not known" in page(
        client, "run", made(rui, "random", "kitchen:test").pk
    )
    assert "2 more instances have no known answer" in page(client, "run", made(rui, "random", "kitchen").pk)


def test_predictions_are_shown_ten_a_page_wrong_ones_first_and_the_best_candidate_first(client, rui):
    run = made(rui)
    pages = [client.get(reverse("run", args=[run.pk]), {"page": number}) for number in (1, 2)]
    outcomes = [shown.outcome for answer in pages for shown in answer.context["predictions"]]
    assert outcomes == sorted(outcomes, key=["wrong", "tied", "right"].index)
    margins = [
        shown.ranking[0].score - shown.ranking[1].score
        for answer in pages
        for shown in answer.context["predictions"]
        if shown.outcome == "wrong"
    ]
    assert margins == sorted(margins, reverse=True)
    answer = pages[1]
    for shown in answer.context["predictions"]:
        scores = [each.score for each in shown.ranking]
        assert scores == sorted(scores, reverse=True)
        assert [each.number for each in shown.ranking if each.is_true] == [shown.instance.answer]
    text = answer.content.decode()
    assert text.count("is-key") == 3
    assert TALK[0] in text
    assert "11 to 13 of 13" in text


def test_predictions_can_be_chosen_by_how_they_came_out(client, rui):
    run = made(rui)
    counts = {}
    for outcome in ("right", "tied", "wrong"):
        shown = client.get(reverse("run", args=[run.pk]), {"outcome": outcome}).context
        assert all(each.outcome == outcome for each in shown["predictions"])
        counts[outcome] = shown["page"].paginator.count
    assert sum(counts.values()) == 13
    expected = sum(each.better == 0 and not each.tied for each in run.predictions.all())
    assert counts["right"] == expected > 0
    assert client.get(reverse("run", args=[run.pk]), {"outcome": "x", "page": "x"}).status_code == 200


def test_texts_that_have_changed_are_not_shown_as_what_was_asked(client, rui):
    run = made(rui)
    Corpus.objects.filter(name="kitchen").update(checksum="f" * 64)
    text = page(client, "run", run.pk)
    assert "The texts cannot be shown" in text
    assert TALK[0] not in text


def test_the_csv_has_a_row_for_each_candidate_and_runs_no_formula(client, researcher):
    corpus("cells", row("=d", candidates=["=1+1", "Salt.", "@x", "-"]), by=researcher)
    run = made(researcher, "random", "cells:dev")
    rows = list(csv.reader(io.StringIO(page(client, "predictions_csv", run.pk))))
    assert rows[0] == ["id", "candidate", "score", "true", "text"]
    scores = run.predictions.get().scores
    assert rows[1:] == [
        ["'=d", str(number + 1), str(score), "1" if number == 0 else "0", text]
        for number, (score, text) in enumerate(zip(scores, ["'=1+1", "Salt.", "'@x", "'-"], strict=True))
    ]


def test_the_list_has_a_line_for_each_instance_best_letter_first(client, rui):
    run = made(rui)
    lines = page(client, "predictions_list", run.pk).splitlines()
    assert len(lines) == 13
    for line, prediction in zip(lines, run.predictions.order_by("position"), strict=True):
        name, *letters = line.split("\t")
        assert name == prediction.external_id
        assert sorted(letters) == list("ABCD")
        ranked = [prediction.scores["ABCD".index(letter)] for letter in letters]
        assert ranked == sorted(ranked, reverse=True)


def test_more_than_26_candidates_are_numbered(client, researcher):
    corpus("wide", row("d", candidates=[f"It is {hour}." for hour in range(30)]), by=researcher)
    run = made(researcher, "random", "wide:dev")
    [line] = page(client, "predictions_list", run.pk).splitlines()
    assert sorted(map(int, line.split("\t")[1:])) == list(range(1, 31))
    assert "R@5" in page(client, "run", run.pk)


def test_a_run_that_has_not_ended_has_no_files(client, rui):
    run = ask_for_run(model="random", on="kitchen:dev", train="", seed=0, by=rui)
    for name in ("predictions_csv", "predictions_list"):
        assert client.get(reverse(name, args=[run.pk])).status_code == 404


def test_a_run_is_seen_by_who_started_it_and_by_the_study_s_people(rui, client):
    questions = build(name="quiz", sources=["kitchen:dev"], count=4, seed=1, report=no_progress, by=rui)
    names.claim("summer", "study")
    study = Study.objects.create(slug="summer", title="Summer", created_by=rui)
    study.question_sets.add(questions)
    colleague, stranger = (factories.person(name, Role.RESEARCHER) for name in ("lu", "mo"))
    StudyMembership.objects.create(study=study, person=rui, role=Role.RESEARCHER)
    StudyMembership.objects.create(study=study, person=colleague, role=Role.RESEARCHER)
    run = made(rui, "random", "summer")
    for person, status in ((rui, 200), (colleague, 200), (stranger, 404)):
        client.force_login(person)
        assert client.get(reverse("run", args=[run.pk])).status_code == status
    client.force_login(colleague)
    assert "Beside the stove" in page(client, "run", run.pk)


def test_a_study_s_page_holds_its_runs_and_leads_to_another_one(rui):
    questions = build(name="quiz", sources=["kitchen:dev"], count=4, seed=1, report=no_progress, by=rui)
    names.claim("summer", "study")
    study = Study.objects.create(slug="summer", title="Summer", created_by=rui)
    study.question_sets.add(questions)
    StudyMembership.objects.create(study=study, person=rui, role=Role.RESEARCHER)
    request = RequestFactory().get("/")
    request.user = rui
    template, known = Template('{% include "study/runs/_runs.html" %}'), Context({"study": study, "request": request})
    assert "No model has been asked these questions yet." in template.render(
        Context({"study": study, "request": request})
    )
    run = made(rui, "random", "quiz")
    text = template.render(known)
    assert reverse("run", args=[run.pk]) in text
    assert f"{reverse('new_run')}?on=summer" in text


@pytest.fixture
def rated(rui, project):
    forum(project)
    return {"on": "weibo@1:test", "train": "weibo@1:train", "seed": 0}


def test_a_run_on_rated_prompts_shows_cuts_grades_and_settings(client, rui, rated):
    run = run_now(model="svmrank", **rated, dev="weibo@1:dev", report=no_progress, by=rui)
    text = strip_tags(page(client, "run", run.pk))
    names = [row.name for row in client.get(reverse("run", args=[run.pk])).context["figures"]]
    assert names == [f"{name} · Cut@{cut}" for cut in "345" for name in ("P@1", "MAP", "MRR")]
    for said in ("4 prompts with rated responses", "grade 4.5", "chosen on dev", "s of training", "scikit-learn"):
        assert said in text
    assert "answer not known" not in text
    assert "Cut@4: 3 prompts (1 with one response, which every model puts first)" in " ".join(text.split())
    lines = page(client, "predictions_csv", run.pk).splitlines()
    assert "grade" in lines[0]
    assert any(line.endswith('4.5,"the lamp is here"') for line in lines)


def test_runs_on_rated_prompts_stand_beside_each_other_by_cut(client, rui, rated):
    for model in ("random", "bm25"):
        run_now(model=model, **rated, report=no_progress, by=rui)
    ask_for_run(model="tfidf", **rated, by=rui)
    text = strip_tags(page(client))
    assert text.count("P@1 · MAP · MRR") == 3
    assert "1.000 · 1.000 · 1.000 –" in " ".join(text.split())


def test_a_model_that_chooses_on_dev_gets_the_dev_split_beside_its_training(client, rui, rated, sent):
    client.post(reverse("start_run"), {**TYPED, "model": "gbdt", "on": "weibo@1:test"})
    assert (Run.objects.get().train, Run.objects.get().dev) == ("weibo@1:train", "weibo@1:dev")
    client.post(reverse("start_run"), {**TYPED, "model": "gbdt", "on": "weibo@1:dev"})
    assert Run.objects.latest("pk").dev == ""


def test_a_run_that_is_asked_for_shows_its_settings(client, rui, rated):
    run = ask_for_run(model="bm25", **rated, settings={"k1": 2}, by=rui)
    text = " ".join(strip_tags(page(client, "run", run.pk)).split())
    assert "k1 2.0 How much a word repeated" in text
    assert "--set k1=2.0" in text


def test_runs_are_searched_filtered_and_sorted(client, rui):
    for model, on in (("random", "kitchen:dev"), ("tfidf", "kitchen:test"), ("random", "kitchen:test")):
        made(rui, model, on)
    ask_for_run(model="random", on="kitchen:dev", train="", seed=7, by=rui)

    def found(**query: str) -> list[tuple[str, list[str]]]:
        targets = client.get(reverse("runs"), query).context["targets"]
        return [(target.name, [row.run.model for row in target.rows]) for target in targets]

    assert found(search="tf-idf") == [("kitchen:test", ["tfidf"])], "by the name that pages show"
    assert found(search="TEST", sort="model") == [("kitchen:test", ["random", "tfidf"])]
    assert found(state="queued") == [("kitchen:dev", ["random"])]
    assert [name for name, _models in found(state="done", sort="on")] == ["kitchen:dev", "kitchen:test"]
    assert found(search="nothing") == []
