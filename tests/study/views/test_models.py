"""All models on one body of instances, two runs side by side, and the page that starts a run."""

import csv
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.models import Corpus
from core.actions import jobs
from core.models import Job, Role
from study.actions.questions.questions import build
from study.actions.runs.baselines import ask_for_run, run_now
from study.actions.runs.uploads import import_predictions
from study.baselines.catalogue import FAMILIES
from study.baselines.registry import BASELINES
from study.models import Run
from study.models.runs import Prediction
from study.selectors.runs.sources import source_of
from tests import factories
from tests.factories import no_progress
from tests.study.instances import EIGHTEEN, RESPONSES, a_release, corpus, forum, kitchen, row

TYPED = {"model": "tfidf", "on": "kitchen:dev", "train": "", "seeds": "0"}


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=13)
    return researcher


def made(by, model: str = "tfidf", on: str = "kitchen:dev", train: str = "kitchen:train", **plan) -> Run:
    return run_now(model=model, on=on, train=train, **{"seed": 0, **plan}, report=no_progress, by=by)


def rows_on(client: Client, name: str = "kitchen:dev") -> dict:
    families = client.get(reverse("models", args=[name])).context["families"]
    return {row.key: row for family in families for row in family.rows}


def words(answer) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


# ---- all models -----------------------------------------------------------------------------------------------------


def test_every_model_has_a_row_in_one_order_whether_it_was_run_or_not(client, rui):
    assert [key for family in FAMILIES for key in family.models] == [*EIGHTEEN, "uploaded"]
    assert list(rows_on(client))[:18] == EIGHTEEN
    made(rui)
    assert list(rows_on(client))[:18] == EIGHTEEN


def test_before_the_first_run_the_page_says_what_to_start_with(client, rui):
    answer = client.get(reverse("models", args=["kitchen:dev"]))
    assert "No model has been run here. Start with Random and TF-IDF." in words(answer)
    assert f"{reverse('new_run')}?model=tfidf&amp;on=kitchen%3Adev" in answer.content.decode()


def test_two_models_that_were_run_can_be_compared_and_fewer_cannot(client, rui):
    def offers() -> bool:
        return "data-compare" in client.get(reverse("models", args=["kitchen:dev"])).content.decode()

    assert not offers()
    made(rui)
    assert not offers()
    made(rui, "random", train="")
    assert offers()


def test_what_a_model_needs_stands_in_its_own_column_and_on_a_phone_below_its_name(client, rui):
    text = client.get(reverse("models", args=["kitchen:dev"])).content.decode()
    [name, own_column] = re.findall(r"<t[hd][^>]*>(?:(?!<t[hd]).)*?model=bm25&amp;on=.*?</t[hd]>", text, re.DOTALL)
    assert (name[:3], "narrow-only" in name) == ("<th", True)
    assert (own_column[:3], "wide-only" in own_column) == ("<td", True)


def test_published_figures_stand_beside_models_that_were_not_run_and_impossible_ones_are_struck_through(
    client, researcher
):
    corpus("mutual", row("d"), row("t", "train"), by=researcher)
    rows = rows_on(client, "mutual:dev")
    assert [cell.published for cell in rows["dam"].cells] == [0.239, 0.463, 0.575]
    assert rows["dam"].possible == (pytest.approx(0.48525), pytest.approx(0.53))
    assert rows["bert"].possible is None
    text = words(client.get(reverse("models", args=["mutual:dev"])))
    assert "The published MRR of DAM is impossible." in text
    assert "it lies between .485 and .530" in text


def test_seeds_of_equal_settings_are_one_row_with_their_mean_and_spread(client, rui):
    runs = [made(rui, "gbdt", seed=seed) for seed in (2, 0, 1)]
    other = made(rui, "gbdt", seed=5, settings={"trees": 3})
    runs_of_row = rows_on(client)["gbdt"].runs
    assert (runs_of_row.seeds, runs_of_row.others) == ((other,), 3)
    made(rui, "gbdt", seed=0)
    row = rows_on(client)["gbdt"]
    assert [run.seed for run in row.runs.seeds] == [0, 1, 2]
    values = [run.metrics["R@1"] for run in runs]
    assert row.cells[0].value == pytest.approx(sum(values) / 3)
    assert (row.spread.count, row.spread.least, row.spread.most) == (3, min(values), max(values))


def test_random_has_its_expected_value_and_no_interval(client, rui):
    made(rui, "random")
    [first, second, mean] = rows_on(client)["random"].cells
    assert (first.value, second.value, first.interval, first.is_exact) == (0.25, 0.5, None, True)
    assert mean.value == pytest.approx(25 / 48)


def test_the_finding_names_the_best_and_its_lead_on_the_same_instances(client, rui):
    for model in ("tfidf", "bm25"):
        made(rui, model)
    finding = client.get(reverse("models", args=["kitchen:dev"])).context["finding"]
    values = {model: Run.objects.get(model=model).metrics["R@1"] for model in ("tfidf", "bm25")}
    assert finding.cell.value == max(values.values())
    assert finding.lead.mean == pytest.approx(abs(values["tfidf"] - values["bm25"]))
    assert finding.lead.n == 13


def test_no_model_leads_one_that_is_right_as_often(client, rui):
    first, second = made(rui, "tfidf"), made(rui, "bm25")
    for prediction in first.predictions.all():
        Prediction._base_manager.filter(run=second, position=prediction.position).update(
            scores=prediction.scores, better=prediction.better, tied=prediction.tied
        )
    Run.objects.filter(pk=second.pk).update(metrics=first.metrics | {"model": "bm25"})
    page = client.get(reverse("models", args=["kitchen:dev"]))
    finding = page.context["finding"]
    assert (finding.lead.mean, finding.is_level, finding.is_clear) == (0, True, False)
    assert f"{finding.second} is right equally often." in strip_tags(page.content.decode())
    assert "lead over" not in page.content.decode()


def test_figures_of_material_that_has_changed_are_said_to_be_old(client, rui):
    made(rui)
    assert not rows_on(client)["tfidf"].is_stale
    Corpus.objects.filter(name="kitchen").update(checksum="f" * 64)
    assert rows_on(client)["tfidf"].is_stale
    assert "the instances have changed since" in words(client.get(reverse("models", args=["kitchen:dev"])))


def test_a_run_that_waits_or_failed_stands_in_its_row(client, rui):
    run = ask_for_run(model="bm25", on="kitchen:dev", train="kitchen:train", seed=0, by=rui)
    assert rows_on(client)["bm25"].runs.waiting == run
    Job.objects.update(state="failed", error="broken:X")
    assert rows_on(client)["bm25"].runs.failed == run
    assert "See why" in words(client.get(reverse("models", args=["kitchen:dev"])))


def test_rated_prompts_are_shown_at_three_cuts_beside_what_was_published(client, rui, project):
    forum(project)
    made(rui, "bm25", "weibo@1:test", "weibo@1:train")
    answer = client.get(reverse("models", args=["weibo@1:test"]))
    rows = rows_on(client, "weibo@1:test")
    assert list(rows) == ["random", "tfidf", "bm25", "svmrank", "gbdt", "bilstm", "cnn"]
    assert [cell.published for cell in rows["cnn"].cells[:3]] == pytest.approx([0.855, 0.906, 0.918])
    metrics = Run.objects.get().metrics["cuts"]
    assert [cell.value for cell in rows["bm25"].cells] == [
        metrics[cut][name] for cut in "345" for name in ("P@1", "MAP", "MRR")
    ]
    assert rows["random"].cells[3].value == metrics["4"]["chance"]["P@1"]
    assert "1 of 4 have no response graded 4 or better" in words(answer)


def test_the_table_comes_as_csv(client, rui):
    made(rui)
    text = client.get(reverse("models_csv", args=["kitchen:dev"])).content.decode("utf-8-sig")
    rows = {(each["model"], each["metric"]): each for each in csv.DictReader(io.StringIO(text))}
    assert float(rows["tfidf", "R@1"]["value"]) == Run.objects.get().metrics["R@1"]
    assert rows["dam", "R@1"]["value"] == ""


def latex(client: Client, address: str, **query) -> list[str]:
    answer = client.get(address, query)
    assert answer["Content-Disposition"].endswith('.tex"')
    return answer.content.decode().split("\n")


def test_the_table_comes_as_latex_with_the_models_that_were_run_or_published(client, researcher):
    corpus("mutual", *(row(f"d{number}", answer=number % 4) for number in range(8)), row("t", "train"), by=researcher)
    run = made(researcher, on="mutual:dev", train="mutual:train")
    lines = latex(client, reverse("models_latex", args=["mutual:dev"]))
    value = f"{run.metrics['R@1']:.3f}"[1:]
    [own, printed] = [line for line in lines if line.startswith("TF-IDF")]
    assert own.startswith(f"TF-IDF & {value} &")  # all are level: no interval
    assert printed == r"TF-IDF, published & .276 & .541 & .541 &  \\"
    assert r"DAM, published & .239 & .463 & .575{*} &  \\" in lines
    assert not any(line.startswith(("BM25", "DAM &")) for line in lines)
    assert any("An asterisk: no ranking could give this MRR" in line for line in lines)


def test_rated_prompts_come_as_latex_at_each_cut(client, rui, project):
    forum(project)
    run = made(rui, "bm25", "weibo@1:test", "weibo@1:train")
    lines = latex(client, reverse("models_latex", args=["weibo@1:test"]))
    assert any(r"\multicolumn{3}{c}{Cut@4 (\%)}" in line for line in lines)
    [own, _printed] = [line for line in lines if line.startswith("BM25")]
    assert own.count("&") == 10
    assert f"& {100 * run.metrics['cuts']['4']['MAP']:.1f} &" in own


def test_a_body_of_instances_is_seen_by_those_who_may_read_it(client, rui):
    build(name="quiz", sources=["kitchen:dev"], count=4, seed=1, report=no_progress, by=rui)
    address = reverse("models", args=["quiz"])
    assert client.get(address).status_code == 200
    client.force_login(factories.person("mo", Role.RESEARCHER))
    assert client.get(address).status_code == 404
    assert client.get(reverse("models", args=["nothing"])).status_code == 404


# ---- two runs -------------------------------------------------------------------------------------------------------


def predicted_elsewhere(tmp_path, right: float, seed: int, by, label: str = "ours") -> None:
    """Import predictions of a model that has this share of the instances right, the first ones."""
    asked = source_of("kitchen:dev", by=by).instances()
    lines = []
    for place, one in enumerate(asked):
        is_right = place < right * len(asked)
        scores = [float((number == one.answer) == is_right) for number in range(len(one.candidates))]
        lines.append(json.dumps({"id": one.id, "scores": scores}))
    path = tmp_path / "said.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    import_predictions(on="kitchen:dev", path=path, label=label, seed=seed, by=by)


def test_a_lead_is_not_called_detectable_where_seeds_differ_by_more(client, rui, tmp_path):
    predicted_elsewhere(tmp_path, 0, 0, rui, "theirs")
    for seed, right in enumerate((0.9, 1)):
        predicted_elsewhere(tmp_path, right, seed, rui)
    page = client.get(reverse("models", args=["kitchen:dev"]))
    assert page.context["finding"].is_clear
    assert "is more than the" in words(page)
    predicted_elsewhere(tmp_path, 0, 2, rui)
    page = client.get(reverse("models", args=["kitchen:dev"]))
    finding = page.context["finding"]
    assert (finding.is_detectable, finding.is_clear) == (True, False)
    said = words(page)
    assert "It leads theirs by" in said and "is more than the" not in said
    assert f"a standard deviation of {f'{finding.spread:.3f}'.lstrip('0')}" in said


def compared(client: Client, *runs: Run, **query: str):
    return client.get(reverse("compare_runs"), {"run": [run.pk for run in runs], **query})


def test_two_runs_are_compared_on_each_instance(client, rui):
    first, second = made(rui, "random"), made(rui, "random", seed=1)
    answer = compared(client, first, second)
    found = answer.context["shown"].difference
    right = [[prediction.better == 0 for prediction in run.predictions.order_by("position")] for run in (first, second)]
    pairs = list(zip(*right, strict=True))
    table = found.table
    assert (table.both, table.first, table.second) == tuple(
        pairs.count(cell) for cell in ((True, True), (True, False), (False, True))
    )
    assert found.mean == pytest.approx(first.metrics["R@1"] - second.metrics["R@1"])
    assert len(answer.context["examples"]) == min(10, table.discordant)
    assert {each.cell for each in answer.context["examples"]} <= {"first", "second"}


def test_a_set_too_small_to_tell_any_difference_says_so_and_promises_none(client, rui):
    """Three instances of other answers each: two runs differ on three at most, and six it takes."""
    corpus("few", row("a"), row("b", answer=1), row("c", answer=2), by=rui)
    runs = [made(rui, "random", "few:dev", "", seed=seed) for seed in range(6)]
    apart = [(one, other) for one in runs for other in runs if one.metrics["R@1"] > other.metrics["R@1"]]
    answer = compared(client, *apart[0])
    assert answer.context["shown"].difference.smallest is None
    said = words(answer)
    assert "on too few instances for this set to reliably detect any difference" in said
    assert "smallest detectable difference none" in said
    assert "can detect such a difference" not in said
    assert {each.difference for each in client.get(reverse("models", args=["few:dev"])).context["tellings"]} == {None}


def test_another_measure_is_compared_by_its_own_values(client, rui):
    first, second = made(rui), made(rui, "bm25")
    found = compared(client, first, second, measure="MRR").context["shown"]
    assert found.difference.mean == pytest.approx(first.metrics["MRR"] - second.metrics["MRR"])
    assert found.difference.table is None


def test_runs_on_rated_prompts_are_compared_at_a_cut(client, rui, project):
    forum(project)
    first, second = (made(rui, model, "weibo@1:test", "weibo@1:train") for model in ("bm25", "random"))
    answer = compared(client, first, second, measure="P@1 · Cut@4")
    cuts = [run.metrics["cuts"]["4"]["P@1"] for run in (first, second)]
    assert answer.context["shown"].difference.mean == pytest.approx(cuts[0] - cuts[1])
    assert answer.context["shown"].difference.n == 3


def test_runs_on_different_questions_are_not_compared(client, rui):
    first, second = made(rui, "random"), made(rui, "random", "kitchen:train", "")
    text = words(compared(client, first, second))
    assert "They were tested on different questions." in text
    assert "the second on kitchen:train" in text
    assert "Paired difference" not in text


def test_one_run_is_compared_with_the_newest_other_one(client, rui):
    first = made(rui, "random")
    assert "No other run on these instances has ended." in words(compared(client, first))
    second = made(rui, "tfidf")
    assert compared(client, first).context["second"] == second
    assert client.get(reverse("compare_runs")).context["first"] == second


def test_a_run_of_another_person_is_not_compared(client, rui):
    run = made(rui, "random")
    client.force_login(factories.person("mo", Role.RESEARCHER))
    assert compared(client, run).status_code == 404
    assert client.get(reverse("compare_runs"), {"run": "x"}).status_code == 404


def test_every_pair_of_seeds_is_compared(client, rui):
    first = [made(rui, "gbdt", seed=seed) for seed in (0, 1)]
    second = [made(rui, "svmrank", seed=seed, label="x") for seed in (0, 4)]
    made(rui, "gbdt", seed=2, settings={"trees": 3})
    made(rui, "gbdt", seed=3, is_trial=True)
    seeds = compared(client, first[0], second[1]).context["seeds"]
    assert [(row.first, row.second) for row in seeds.rows] == [(one, other) for one in first for other in second]
    assert seeds.rows[0].mean == pytest.approx(first[0].metrics["R@1"] - second[0].metrics["R@1"])
    assert seeds.shown == (first[0].pk, second[1].pk)
    assert compared(client, *first).context["seeds"] is None, "two seeds of one model"


def test_a_comparison_comes_as_csv_and_as_latex_with_its_parts(client, researcher):
    rows = [row(f"d{turns}{n}", turns=["So?"] * turns, answer=n % 4) for turns in (2, 4) for n in range(4)]
    corpus("long", *rows, row("t", "train"), by=researcher)
    runs = [made(researcher, "random", "long:dev", "", seed=seed) for seed in (0, 1)]
    query = {"run": [run.pk for run in runs]}
    text = client.get(reverse("compare_csv"), query).content.decode()
    found = {(each["part"], each["name"]): each for each in csv.DictReader(io.StringIO(text))}
    assert list(found) == [("all", "all"), ("turns", "≤ 2"), ("turns", "4")]
    assert float(found["all", "all"]["difference"]) == pytest.approx(runs[0].metrics["R@1"] - runs[1].metrics["R@1"])
    lines = latex(client, reverse("compare_latex"), **query)
    assert any(line.startswith(r"$\leq$ 2 & 4 & ") for line in lines)
    alone = {"run": [runs[0].pk, made(researcher, "random", "long:train", "").pk]}
    assert client.get(reverse("compare_csv"), alone).status_code == 404


def test_instances_of_each_type_are_shown_apart(client, rui, project):
    rows = [
        {"id": f"r{number}", "split": "dev", "context": [{"speaker": "F", "text": f"It is {number}."}]}
        | {"candidates": RESPONSES, "answer": number % 4, "reasoning": [kind]}
        for number, kind in enumerate(["attitude", "attitude", "algebraic"])
    ]
    project.kind = "rewriting"
    project.save()
    a_release(project, *rows)
    run = made(rui, "random", "weibo@1:dev", "")
    types = client.get(reverse("run", args=[run.pk])).context["types"]
    assert [(each.label, each.n) for each in types] == [("Algebraic", 1), ("Attitude", 2)]
    [part] = compared(client, run, made(rui, "random", "weibo@1:dev", "", seed=1)).context["parts"]
    assert [(each.label, each.n) for each in part.rows] == [("Algebraic", 1), ("Attitude", 2)]
    assert sum(each.right for each in types) == pytest.approx(3 * run.metrics["R@1"])


def test_instances_of_each_length_are_shown_apart(client, researcher):
    rows = [row(f"d{turns}{number}", turns=["So?"] * turns) for turns in (2, 4, 7) for number in range(3)]
    corpus("long", *rows, row("t", "train"), by=researcher)
    run = made(researcher, "tfidf", "long:dev", "long:train")
    lengths = client.get(reverse("run", args=[run.pk])).context["lengths"]
    assert [(each.label, each.n) for each in lengths] == [("≤ 2", 3), ("4", 3), ("≥ 6", 3)]
    assert sum(each.right for each in lengths) == pytest.approx(9 * run.metrics["R@1"])


# ---- starting -------------------------------------------------------------------------------------------------------


def start(client: Client, **typed: str):
    return client.post(reverse("start_run"), {**TYPED, **typed})


def test_each_seed_is_a_run(client, rui):
    answer = start(client, seeds="3, 1 1", label="tries")
    assert answer.url == f"{reverse('runs')}?queue"
    assert [(run.seed, run.label) for run in Run.objects.order_by("pk")] == [(3, "tries"), (1, "tries")]


def test_a_form_that_is_sent_again_leads_to_the_runs_that_it_started(client, rui):
    key = client.get(reverse("new_run")).context["form"]["key"].value()
    first, again = start(client, key=key), start(client, key=key)
    assert first.url == again.url == reverse("run", args=[Run.objects.get().pk])
    several = {"key": key, "seeds": "1 2"}
    assert [start(client, **several).url for _time in range(2)] == [f"{reverse('runs')}?queue"] * 2
    for job in Job.objects.all():
        jobs.cancel(job=job, by=rui)
    assert start(client, **several).url == reverse("runs"), "none of them is in the queue"
    assert Run.objects.count() == 3


def test_the_key_stays_while_the_form_is_filled_in_and_another_page_has_another(client, rui):
    keys = [client.get(reverse("new_run")).context["form"]["key"].value() for _page in range(2)]
    assert keys[0] != keys[1]
    checked = start(client, key=keys[0], check="1")
    assert f'<input type="hidden" name="key" value="{keys[0]}" id="id_key">' in checked.content.decode()


def test_settings_are_read_by_their_limits_and_only_changed_ones_are_kept_as_given(client, rui):
    start(client, model="bm25", set_k1="2", set_b="")
    assert Run.objects.get().settings["k1"] == 2.0
    answer = start(client, model="bm25", set_k1="-1")
    assert answer.status_code == 422
    assert "k1 must be a number from" in words(answer)
    assert Run.objects.count() == 1


def test_a_changed_setting_is_marked_and_named_beside_the_button(client, rui):
    answer = start(client, model="bm25", set_k1="2", check="1")
    changed = answer.context["start"].changed
    assert [(line.name, line.field.value()) for line in changed] == [("k1", "2")]
    assert 'class="is-changed"' in answer.content.decode()
    assert not Run.objects.exists()


def test_a_check_with_a_script_sends_the_form_alone(client, rui):
    answer = client.post(reverse("start_run"), {**TYPED, "check": "1"}, headers={"accept": "application/json"})
    html = answer.json()["html"]
    assert 'id="start"' in html
    assert "<html" not in html


def test_dev_that_is_what_the_model_is_asked_about_is_refused(client, rui):
    answer = start(client, model="gbdt", dev="kitchen:dev")
    assert answer.status_code == 422
    assert "Settings are chosen on a dev split that is separate from training and questions." in words(answer)


def test_overlap_of_training_and_questions_is_named_before_the_run(client, researcher):
    corpus("leaky", row("t", "train"), row("same"), row("other", turns=["New."]), by=researcher)
    start_page = client.get(reverse("new_run"), {"model": "tfidf", "on": "leaky:dev"})
    assert start_page.context["start"].overlap.names == ("same",)
    assert "1 of the instances has a context that is also in leaky:train." in words(start_page)
    none = client.get(reverse("new_run"), {"model": "random", "on": "leaky:dev"})
    assert none.context["start"].overlap is None
    assert "Random needs no training." in words(none)


def test_what_overlaps_is_left_out_or_kept_as_the_form_says(client, researcher):
    corpus("leaky", row("t", "train"), row("u", "train", turns=["Old."]), row("same"), by=researcher)
    page = client.get(reverse("new_run"), {"model": "tfidf", "on": "leaky:dev"}).context
    assert (page["start"].overlap.left_out, page["start"].overlap.remaining) == (1, 1)
    assert page["form"]["overlap"].value() == "leave"
    for overlap in ("leave", "keep", ""):
        start(client, on="leaky:dev", overlap=overlap)
    assert [run.leaves_out_overlap for run in Run.objects.order_by("pk")] == [True, False, False]
    form = client.get(reverse("new_run"), {"like": Run.objects.earliest("pk").pk}).context["form"]
    assert form["overlap"].value() == "leave"


def test_a_trial_is_one_run_with_the_first_seed_and_leads_to_its_page(client, rui):
    answer = start(client, seeds="3 1", trial="1")
    run = Run.objects.get()
    assert (run.is_trial, run.seed, answer.url) == (True, 3, reverse("run", args=[run.pk]))


def test_the_page_of_a_trial_says_so_and_offers_the_run_in_full(client, rui):
    run = made(rui, is_trial=True)
    text = words(client.get(reverse("run", args=[run.pk])))
    assert "A trial on 13 instances" in text
    assert "Start the full run" in text
    assert "Compare with" not in text
    assert not rows_on(client)["tfidf"].run
    assert client.get(reverse("compare_runs"), {"run": run.pk}).status_code == 404


def test_contexts_to_take_away_are_chosen_and_shown_with_their_change(client, rui):
    form = {**TYPED, "ablations": ["all", "first:2"]}
    client.post(reverse("start_run"), form)
    assert Run.objects.get().ablations == ["all", "first:2"]
    assert client.post(reverse("start_run"), {**TYPED, "ablations": ["last:1"]}).status_code == 422
    run = made(rui, ablations=["shuffle", "first:7"])
    whole, shuffled, last = client.get(reverse("run", args=[run.pk])).context["contexts"]
    assert (whole.value, whole.change) == (run.metrics["R@1"], None)
    assert shuffled.change == pytest.approx(run.metrics["ablation"]["shuffle"]["R@1"] - whole.value)
    assert last.label == "the earliest 7 turns removed"
    again = client.get(reverse("new_run"), {"like": run.pk}).context["form"]
    assert again["ablations"].value() == ["shuffle", "first:7"]


def test_a_chat_server_is_chosen_among_those_that_are_set_up(client, rui, settings):
    settings.CHAT_SERVERS = {}
    page = client.get(reverse("new_run"), {"model": "chat"}).context
    assert page["form"].fields["set_server"].choices == [("", "none is set up")]
    settings.CHAT_SERVERS = {"here": "http://localhost:9/v1", "lab": "http://localhost:8/v1"}
    page = client.get(reverse("new_run"), {"model": "chat"}).context
    assert page["form"].fields["set_server"].choices == [("here", "here"), ("lab", "lab")]
    assert page["start"].changed == []
    start(client, model="chat", set_server="lab", set_model="small")
    assert Run.objects.get().settings["server"] == "lab"
    assert start(client, model="chat", set_server="elsewhere", set_model="small").status_code == 422


def test_what_a_chat_server_takes_is_known_only_from_earlier_runs(client, rui, settings):
    settings.CHAT_SERVERS = {"lab": "http://localhost:8/v1"}
    page = client.get(reverse("new_run"), {"model": "chat", "on": "kitchen:dev"})
    assert page.context["start"].estimate is None
    assert "no estimate yet; the trial gives one" in words(page)
    assert rows_on(client)["chat"].estimate is None


def test_the_place_in_the_queue_is_said_before_the_start_and_on_the_run(client, rui):
    assert client.get(reverse("new_run"), {"model": "tfidf"}).context["start"].place == 0
    for _time in range(2):
        start(client)
    assert client.get(reverse("new_run"), {"model": "tfidf"}).context["start"].place == 3
    assert "place 2 in the queue" in words(client.get(reverse("run", args=[Run.objects.latest("pk").pk])))


def test_the_estimate_comes_from_earlier_runs_once_there_is_one(client, rui):
    estimate = client.get(reverse("new_run")).context["start"].estimate
    assert estimate.earlier == 0
    run = made(rui)
    run.circumstances["seconds"] = {"training": 30.0, "scoring": 13.0}
    run.save(update_fields=["circumstances"])
    estimate = client.get(reverse("new_run"), {"on": "kitchen:dev"}).context["start"].estimate
    assert (estimate.earlier, estimate.seconds) == (1, pytest.approx(43))


def test_of_rated_prompts_the_responses_are_counted_and_estimated(client, researcher, project):
    release = forum(project)
    test, train = f"{release}:test", f"{release}:train"
    whole = client.get(reverse("models", args=[str(release)])).context["size"]
    assert (whole.asked, whole.candidates) == (32, 1)
    run = made(researcher, "svmrank", on=test, train=train)
    run.circumstances["seconds"] = {"training": 30.0, "scoring": 13.0}
    run.save(update_fields=["circumstances"])
    typed = {"model": "svmrank", "on": test, "train": train}
    estimate = client.get(reverse("new_run"), typed).context["start"].estimate
    assert (estimate.earlier, estimate.seconds) == (1, pytest.approx(43))
    gbdt, cost = (
        client.get(reverse("new_run"), typed | {"model": "gbdt"}).context["start"].estimate,
        BASELINES["gbdt"].cost,
    )
    assert gbdt.seconds == pytest.approx((cost.training * 18 + cost.scoring * 8) / 10_000)
    page = words(client.get(reverse("run", args=[run.pk])))
    assert "chance is" in page
    assert "lies within" not in page and "lies outside" not in page, "what was published is of another test set"


def test_the_estimate_is_of_the_settings_that_are_typed(client, rui):
    """Earlier runs with other settings tell nothing of these; the declared cost is that of the usual epochs."""

    def estimate(**typed):
        return client.post(reverse("start_run"), {**TYPED, **typed, "check": "1"}).context["start"].estimate

    run = made(rui, "bm25", settings={"k1": 2})
    run.circumstances["seconds"] = {"training": 30.0, "scoring": 13.0}
    run.save(update_fields=["circumstances"])
    assert estimate(model="bm25").earlier == 0
    assert estimate(model="bm25", set_k1="2").seconds == pytest.approx(43)
    assert estimate(model="bm25", set_k1="2", device="cuda").earlier == 0
    like = client.get(reverse("new_run"), {"like": run.pk}).context["start"].estimate
    assert (like.earlier, like.seconds) == (1, pytest.approx(43))
    usual, twice = estimate(model="dual-rnn"), estimate(model="dual-rnn", set_epochs="20")
    assert twice.seconds - usual.seconds == pytest.approx(BASELINES["dual-rnn"].cost.training * 3 * 4 / 10_000)


def test_a_run_is_repeated_with_all_that_it_was_asked_for_with(client, rui):
    run = made(rui, "bm25", seed=7, settings={"k1": 2}, label="long names")
    form = client.get(reverse("new_run"), {"like": run.pk}).context["form"]
    typed = {name: form[name].value() for name in ("model", "on", "train", "seeds", "label", "set_k1")}
    assert typed == {
        "model": "bm25",
        "on": "kitchen:dev",
        "train": "kitchen:train",
        "seeds": "7",
        "label": "long names",
        "set_k1": "2",
    }


def test_what_this_version_or_machine_lacks_is_said_on_the_chip(client, rui):
    lines = client.get(reverse("new_run")).context["start"].lines
    chips = {chip.key: chip for line in lines for chip in line.chips}
    assert list(chips)[:18] == EIGHTEEN
    assert chips["tfidf"].can_be_chosen
    assert chips["tfidf"].is_chosen


def test_a_run_as_json_has_what_the_api_has(client, rui):
    run = made(rui)
    answer = client.get(reverse("run_json", args=[run.pk])).json()
    assert answer == client.get(f"/api/v1/runs/{run.pk}/").json()


def test_a_source_of_rated_prompts_is_known_as_such(rui, project):
    forum(project)
    assert source_of("weibo@1:test", by=rui).is_rated
    assert not source_of("kitchen:dev", by=rui).is_rated


def test_the_limits_of_a_setting_are_said_in_digits(client, rui):
    lines = client.get(reverse("new_run"), {"model": "gbdt"}).context["start"].settings
    assert {line.name: line.limits for line in lines}["pairs_in_leaf"] == "1 – 100000"
    network = client.get(reverse("new_run"), {"model": "dual-lstm"}).context["start"].settings
    assert {line.name: line.limits for line in network}["vocabulary"] == "1 – 10000000"
