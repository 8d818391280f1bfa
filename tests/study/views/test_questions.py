"""The pages of questions: drawing them, why not, looking through them."""

import csv
import io
import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from core import tasks as tasks
from core.actions import jobs
from core.models import Job, Role
from study.actions.questions import audits, questions
from study.actions.survey import drafts, studies
from study.models import QuestionSet
from study.selectors.questions import drawing
from tests import factories
from tests.corpora import dialogue, stored
from tests.factories import no_progress
from tests.study.instances import forum, kitchen

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def sent(monkeypatch) -> list[Job]:
    """Return the jobs that were sent to the broker."""
    sent: list[Job] = []
    monkeypatch.setattr("study.views.questions.questions.dispatch", sent.append)
    return sent


@pytest.fixture
def talk(researcher):
    rows = [*map(dialogue, range(45)), *(dialogue(90 + n, split="test") for n in range(3)), dialogue(80, 2)]
    return stored("talk", rows, by=researcher)


def built(researcher, name="evening", count=30) -> QuestionSet:
    return questions.build(name=name, sources=["talk:dev"], count=count, seed=3, report=no_progress, by=researcher)


def send(client, **fields):
    wanted = {"name": "evening", "sources": ["talk:dev"], "count": 5, "distractors": 4, "max_turns": 6, "seed": 0}
    wanted["pick"] = "uniform"
    return client.post(reverse("draw_questions"), wanted | fields)


def done(job: Job) -> Job:
    """Finish the job as the worker does, and return it."""
    started = jobs.start(job_pk=job.pk)
    tasks._write_down(started, tasks.carry_out(started, no_progress), was_stopped=False)
    job.refresh_from_db()
    return job


def page(client, *args, **query) -> str:
    answer = client.get(reverse("question_set" if args else "question_sets", args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_corpus_the_page_says_where_to_begin(client):
    text = page(client)
    assert "Questions are drawn from a corpus or a release. There is none yet." in text
    assert reverse("corpora") in text


def test_questions_are_asked_for_and_built(client, sent, talk):
    assert send(client).url == reverse("question_sets")
    [job] = sent
    assert "Drawing the questions" in page(client)
    done(job)
    assert tasks.jobs.KINDS[job.kind].page(job) == ("question_set", ["evening"])
    text = page(client)
    assert reverse("question_set", args=["evening"]) in text
    assert QuestionSet.objects.get().recipe["count"] == 5


def test_the_page_draws_by_any_pick_and_in_conditions(client, sent, talk):
    for pick in ("similar", "length"):
        send(client, name=pick, pick=pick, conditions=["all", "first:1"], distractors=20)
        done(sent.pop())
        recipe = QuestionSet.objects.get(name=pick).recipe
        assert (recipe["pick"], recipe["distractors"]) == (pick, 20)
        assert recipe["conditions"] == {"all": 5, "first:1": 5}
        text = strip_tags(page(client, pick))
        assert f"--pick {pick} --ablate" in text
        assert "the earliest turn removed" in text


def test_a_corpus_can_be_chosen_in_the_address(client, talk):
    context = client.get(reverse("draw_questions"), {"from": "talk:dev"}).context
    assert context["form"]["sources"].value() == ["talk:dev"]


def test_a_new_draw_asks_for_no_more_questions_than_there_are_dialogues(client, talk):
    there = talk.dialogues.filter(split="dev").count()
    assert client.get(reverse("draw_questions"), {"from": "talk:dev"}).context["form"]["count"].value() == there
    asked = {"from": "talk:dev", "count": 500}
    assert client.get(reverse("draw_questions"), asked).context["form"]["count"].value() == "500"


def drawn(client, **query):
    return client.get(reverse("draw_questions"), query).context


def test_the_page_shows_one_question_three_ways_and_another_on_demand(client, talk):
    shown = drawn(client, **{"from": "talk:dev", "pick": "length", "distractors": 3})
    assert [(card.key, card.is_chosen, len(card.lines)) for card in shown["cards"]] == [
        ("uniform", False, 4),
        ("similar", False, 4),
        ("length", True, 4),
    ]
    assert {sum(line.is_true for line in card.lines) for card in shown["cards"]} == {1}
    assert any(is_shared for line in shown["cards"][1].lines for _piece, is_shared in line.pieces)
    other = client.get(f"{reverse('draw_questions')}?{shown['another']}").context
    assert (other["settings"], other["form"]["sources"].value()) == (shown["settings"], ["talk:dev"])
    assert other["drawing"].example != shown["drawing"].example


def test_a_source_that_brings_candidates_shows_their_number_and_no_pick(client, researcher):
    kitchen(researcher, dev=4)
    shown = client.get(reverse("draw_questions"), {"from": "kitchen:dev", "pick": "similar", "distractors": 9})
    assert shown.context["drawing"].keeps_all
    assert (shown.context["candidates"], shown.context["chance"]) == ("4", [25, 50])
    text = shown.content.decode()
    assert "keep their own candidates and context" in text
    assert 'type="radio"' not in text
    for name, value in (("pick", "similar"), ("distractors", "9"), ("max_turns", "6")):
        assert f'<input type="hidden" name="{name}" value="{value}"' in text


def test_sources_of_both_kinds_show_the_numbers_of_both(client, researcher, talk):
    kitchen(researcher, dev=4)
    shown = drawn(client, **{"from": ["kitchen:dev", "talk:dev"], "distractors": 9})
    assert (shown["drawing"].keeps_all, shown["candidates"]) == (False, "4 – 10")
    assert shown["chance"] == pytest.approx([(25 + 10) / 2, (50 + 20) / 2])


@pytest.mark.parametrize(("typed", "offered"), [("题集 A", "ti-ji-a"), ("！！", "questions")])
def test_a_name_that_is_none_is_refused_and_one_in_pinyin_offered(client, sent, talk, typed, offered):
    for language in ("en", "zh-hans"):
        client.cookies["django_language"] = language
        answer = send(client, name=typed, conditions=["all", "first:1"])
        form = answer.context["form"]
        assert (answer.status_code, form["name"].value(), sent) == (422, offered, [])
        assert form["conditions"].value() == ["all", "first:1"]
        assert f'value="{offered}"' in answer.content.decode()
        [why] = form.errors["name"]
        assert "slug" not in why
        assert "字段" not in why


def test_looking_draws_nothing_and_keeps_what_was_typed(client, sent, talk):
    answer = send(client, look=1, name="", count="many", conditions=["shuffle", "first:1"], example=2)
    assert (answer.status_code, sent) == (200, [])
    shown = answer.context
    assert (shown["form"]["count"].value(), shown["settings"].count) == ("many", 100)
    assert [each.name for each in shown["conditions"] if each.is_chosen] == ["shuffle", "first:1"]
    part = client.post(
        reverse("draw_questions"), {"look": 1, "sources": "talk:dev"}, headers={"Accept": "application/json"}
    )
    assert 'id="draw"' in part.json()["html"]


def test_the_strip_of_a_condition_says_what_is_removed_and_in_which_order(client, talk):
    shown = drawn(client, **{"from": "talk:dev"})
    turns = len(shown["drawing"].example.context)
    strips = {each.name: [*each.strip] for each in shown["conditions"]}
    assert strips["all"] == [None] * turns
    assert strips["first:1"] == [None, *range(1, turns)]
    assert sorted(strips["shuffle"]) == [*range(turns)] != strips["shuffle"]


def test_a_draw_that_was_made_already_is_led_to(client, talk, researcher):
    built(researcher)
    asked = {"from": "talk:dev", "count": 30, "seed": 3}
    assert reverse("question_set", args=["evening"]) in client.get(reverse("draw_questions"), asked).content.decode()
    assert drawn(client, **asked | {"seed": 4})["drawing"].same is None


def test_a_split_that_the_list_leaves_out_can_be_named_in_the_address(client, researcher, sent):
    stored("alone", [dialogue(n) for n in range(12)], by=researcher)
    shown = drawn(client, **{"from": "alone:dev"})
    assert [(row.named.name, row.named.size, row.is_chosen) for row in shown["sources"]] == [
        ("alone", 12, False),
        ("alone:dev", 12, True),
    ]
    assert send(client, sources=["alone:dev"]).status_code == 302
    assert [row.is_chosen for row in drawn(client, **{"from": "nowhere:dev"})["sources"]] == [False]


def test_a_release_of_pairs_is_shown_and_cannot_be_chosen(client, project, researcher, sent):
    forum(project)
    [row] = drawn(client)["sources"]
    assert row.named.holds_pairs
    assert send(client, sources=[row.named.name]).status_code == 422


def test_the_page_opens_with_the_first_source_that_can_be_used(client, researcher, project):
    forum(project)
    kitchen(researcher, dev=2, unknown=3)
    shown = drawn(client)
    assert [row.named.name for row in shown["sources"] if row.is_chosen] == ["kitchen"]
    assert shown["drawing"].questions == 5


def test_where_no_source_can_be_used_none_is_chosen_and_nothing_can_be_drawn(client, researcher):
    stored("short", [dialogue(n, turns=2) for n in range(5)], by=researcher)
    assert not any(row.is_chosen for row in drawn(client)["sources"])
    for query in ({}, {"from": "short"}):
        shown = client.get(reverse("draw_questions"), query)
        assert (shown.context["drawing"].questions, shown.context["drawing"].rows_to_ask) == (0, 0)
        assert {each.long_enough for each in shown.context["conditions"]} == {0}
        buttons = re.findall(r"<button[^>]*button-main[^>]*>", shown.content.decode())
        assert [" disabled" in button for button in buttons] == [True, True]
        assert "0 of 0" in shown.content.decode()


def test_an_estimate_is_called_one_and_is_the_same_again(client, talk, monkeypatch):
    monkeypatch.setattr(drawing, "MOST_READ", 20)
    texts = [client.get(reverse("draw_questions"), {"from": "talk:dev", "count": 9}).content.decode() for _load in "ab"]
    figures = [re.findall(r"of about\s+[0-9]+", text) for text in texts]
    assert figures[0] == figures[1] != []


def test_a_mean_tells_words_and_shared_words(client, researcher):
    said = ["the ferry leaves", "at nine", "the ferry waits", "so it goes"]
    talks = [[{"speaker": "A", "text": f"{text} {number}"} for text in said] for number in range(9)]
    stored("talk", [{"id": f"r{n}", "split": "dev", "turns": own} for n, own in enumerate(talks)], by=researcher)
    for card in drawn(client, **{"from": "talk"})["cards"]:
        false = [line for line in card.lines if not line.is_true]
        assert card.words == pytest.approx(sum(line.words for line in false) / len(false))
        marked = [sum(is_shared for _piece, is_shared in line.pieces) / line.words for line in false]
        assert card.shared == pytest.approx(100 * sum(marked) / len(marked))


def test_too_few_dialogues_are_told_with_how_many_there_are_before_anything_is_drawn(client, sent, talk):
    answer = send(client, sources=["talk:test"], count=5)
    assert (answer.status_code, sent) == (422, [])
    assert "“talk:test” is enough for 3 of the 5 questions asked for." in answer.content.decode()


def test_what_could_not_be_built_says_how_many_there_are(client, sent, talk, researcher):
    send(client, sources=["talk:test"], count=3, distractors=99)
    done(sent.pop())
    assert "evening was not created." in page(client)
    assert "“talk:test” is enough for 0 of the 3 questions asked for." in page(client)
    built(researcher)
    assert "was not created" not in page(client), "something newer was"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "two words"}, "A short name has only"),
        ({"name": "before"}, "There is already a question set “before”."),
        ({"sources": []}, "Choose at least one corpus or release."),
        ({"sources": ["other"]}, "Select a valid choice."),
        ({"count": 0}, "A whole number from 1 to 100000."),
        ({"distractors": 100}, "A whole number from 1 to 99."),
        ({"max_turns": "x"}, "A whole number from 2 to 100."),
        ({"pick": "best"}, "Select a valid choice."),
        ({"conditions": ["last:1"]}, "Select a valid choice."),
        ({"seed": -1}, "greater than or equal to 0"),
    ],
)
def test_a_form_that_is_not_right_says_why_and_sends_nothing(client, sent, talk, researcher, fields, sentence):
    built(researcher, name="before", count=2)
    answer = send(client, **fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not sent


def test_a_set_shows_how_it_was_drawn_and_its_questions(client, talk, researcher):
    evening = built(researcher)
    text = page(client, "evening")
    assert evening.checksum in text
    assert "fewer than 3 turns" in text
    again = "manage.py build_questions evening --from talk:dev --count 30 --distractors 4 --max-turns 6 --seed 3"
    assert again in strip_tags(text)
    assert text.count("is-key") == 20
    first = evening.questions.get(position=0)
    for shown in [*first.candidates, first.context[0]["text"]]:
        assert shown in text
    assert "after=19" in text
    assert page(client, "evening", after=19).count("is-key") == 10


def test_the_page_of_a_set_takes_as_many_queries_however_large(client, talk, researcher, django_assert_num_queries):
    built(researcher, name="few", count=2)
    built(researcher, name="many", count=40)
    page(client, "few")
    for name in ("few", "many"):
        with django_assert_num_queries(6):
            page(client, name)


def test_another_researcher_s_questions_are_not_there(talk, researcher):
    built(researcher)
    stranger = Client()
    stranger.force_login(factories.person("stranger", Role.RESEARCHER))
    assert stranger.get(reverse("question_set", args=["evening"])).status_code == 404
    assert "evening" not in page(stranger)
    assert stranger.get("/api/v1/questions/evening/questions/").status_code == 404


def test_programs_read_questions(client, talk, researcher):
    evening = built(researcher)
    [row] = client.get("/api/v1/questions/").json()["results"]
    assert (row["name"], row["checksum"], row["seed"]) == ("evening", evening.checksum, 3)
    assert client.get("/api/v1/questions/evening/").json() == row
    answer = client.get("/api/v1/questions/evening/questions/?page_size=25").json()
    assert (len(answer["results"]), answer["results"][0]["position"]) == (25, 0)
    first = evening.questions.get(position=0)
    assert answer["results"][0] == {
        "id": first.external_id,
        "position": 0,
        "corpus": "talk",
        "conversation": first.conversation,
        "condition": "",
        "whole_id": "",
        "pick": "uniform",
        "origins": first.origins,
        "reasoning": [],
        "context": first.context,
        "candidates": first.candidates,
        "answer": first.answer,
    }
    assert len(client.get(answer["next"]).json()["results"]) == 5


def test_the_page_of_the_audit_begins_one_and_shows_it(client, sent, talk, researcher):
    built(researcher)
    address = reverse("audit_questions", args=["evening"])
    assert "Begin the audit" in client.get(address).content.decode()
    assert client.post(address).url == address
    [job] = sent
    assert "Auditing the questions" in client.get(address).content.decode()
    done(job)
    assert tasks.jobs.KINDS[job.kind].page(job) == ("audit_questions", ["evening"])
    assert client.get(address, headers={"Accept": "application/json"}).json()
    shown = client.get(address).context
    assert (shown["report"]["questions"], shown["is_too_small"]) == (30, True)
    assert [row.name for group in shown["groups"] for row in group.rows if row.badge] == shown["report"]["findings"]


def test_a_finding_is_shown_with_its_questions(client, researcher):
    said = "the ferry to the old harbour leaves at nine"
    near = [{"speaker": "A", "text": text} for text in ("so", "well", said, said.replace("nine", "ten"))]
    rows = [{"id": f"n{part}", "split": "dev", "turns": near[part:] + near[:part]} for part in range(2)]
    stored("talk", [dialogue(1, turns=2), *rows], by=researcher)
    harbour = questions.build(
        name="harbour", sources=["talk:dev"], count=2, distractors=5, report=no_progress, by=researcher
    )
    audits.report_of(harbour, by=researcher)
    address = reverse("audit_questions", args=["harbour"])
    shown = client.get(address).context
    assert "near_true" in shown["report"]["findings"]
    rows = {row.name: row for group in shown["groups"] for row in group.rows}
    assert int(rows["near_true"].figure.value) == len(rows["near_true"].examples) > 0
    opened = client.get(address, {"open": "near_true"})
    assert opened.context["opened"].row == rows["near_true"]
    assert said in opened.content.decode()
    assert address in page(client, "harbour")


@pytest.fixture
def leaky(researcher) -> QuestionSet:
    """A set of two sources, in one of which the right response is the longest."""
    short = [{"speaker": "AB"[n % 2], "text": text} for n, text in enumerate(("yes", "no", "so", "it", "well"))]
    known = [dialogue(n, split="train") for n in range(2)]
    stored("talk", [*known, *(dialogue(100 + n) for n in range(70))], by=researcher)
    rows = []
    for number in range(70):
        turns = [{**turn, "text": f"{turn['text']} {number}"} for turn in short]
        rows.append({"id": f"l{number}", "split": "dev", "turns": turns})
        said = " ".join(f"word{number}" for _word in range(12))
        rows[-1] |= {"candidates": ["a", "b", "c", f"{said} {number}"], "answer": 3}
    stored("exam", rows, by=researcher)
    made = questions.build(
        name="leaky", sources=["talk:dev", "exam:dev"], count=120, seed=1, report=no_progress, by=researcher
    )
    audits.report_of(made, by=researcher)
    return made


def test_a_row_opens_into_its_sources_and_two_of_its_questions(client, leaky):
    address = reverse("audit_questions", args=["leaky"])
    row = client.get(address, {"open": "longest"}).context["opened"]
    assert {source.label: (source.n, source.value) for source in row.row.sources}["exam"] == (60, "100.0")
    assert len(row.questions) == 2
    others = client.get(address, {"open": "longest", "at": row.following}).context["opened"]
    assert {each.number for each, _options in row.questions}.isdisjoint(
        each.number for each, _options in others.questions
    )
    assert client.get(address, {"open": "nothing", "at": "x"}).status_code == 200


def test_each_cause_has_a_remedy_that_is_filled_in(client, leaky, researcher):
    address = reverse("audit_questions", args=["leaky"])
    remedy = client.get(address).context["remedies"][0]
    drawn_again = client.get(remedy.address).context["form"]
    assert drawn_again["pick"].value() == "length"
    assert drawn_again["sources"].value() == ["talk:dev", "exam:dev"]
    assert [drawn_again[name].value() for name in ("count", "seed", "name")] == ["120", "1", "leaky-2"]
    assert remedy.known is None
    so = questions.build(
        name="so",
        sources=["talk:dev", "exam:dev"],
        count=120,
        pick="length",
        seed=1,
        report=no_progress,
        by=researcher,
    )
    value = next(check for check in audits.report_of(so, by=researcher)["checks"] if check["name"] == "longest")[
        "value"
    ]
    remedy = client.get(address).context["remedies"][0]
    assert (remedy.other, remedy.known.value) == (so, f"{100 * value:.1f}")


def test_counted_questions_are_left_out_together(client, leaky, researcher):
    [check] = [each for each in leaky.audit.report["checks"] if each["name"] == "near_candidates"]
    address = reverse("leave_out_questions", args=["leaky"])
    form = client.get(address, {"found": "near_candidates"}).context["form"]
    assert form["ids"].value().splitlines() == check.get("counted", [])
    assert client.get(address, {"found": "longest"}).context["form"]["ids"].value() == ""
    gone = [each.external_id for each in leaky.questions.order_by("position")[:3]]
    sent = {"name": "tight", "why": "Known to models.", "ids": "\n".join([*gone, "", gone[0]])}
    assert client.post(address, sent | {"ids": "nowhere"}).status_code == 422
    client.post(address, sent)
    assert QuestionSet.objects.get(name="tight").recipe["count"] == 117


def test_the_checks_are_downloaded_with_a_row_for_each_source(client, leaky):
    text = client.get(reverse("audit_questions_csv", args=["leaky"])).content.decode()
    rows = {(row["check"], row["source"]): row for row in csv.DictReader(io.StringIO(text))}
    [longest] = [check for check in leaky.audit.report["checks"] if check["name"] == "longest"]
    assert float(rows["longest", ""]["value"]) == longest["value"]
    assert (rows["longest", "exam"]["n"], rows["longest", ""]["verdict"]) == ("60", longest["verdict"])
    assert json.loads(rows["longest", ""]["questions"]) == longest["examples"]


def test_an_audit_that_is_not_made_is_not_downloaded(client, talk, researcher):
    built(researcher)
    assert client.get(reverse("audit_questions_csv", args=["evening"])).status_code == 404


def test_the_reason_is_shown_with_who_gave_it(client, leaky, researcher):
    study = studies.create(slug="winter", question_sets=[leaky], by=researcher)
    drafts.change(study=study, title="Winter", settings={"forms": 2, "per_form": 5}, by=researcher)
    address = reverse("audit_questions", args=["leaky"])
    assert client.get(address).context["reasons"][0].reason == ""
    studies.open_(study=study, reason="As in the first study.", by=researcher)
    [found] = client.get(address).context["reasons"]
    assert (found.reason, found.opened_by, found.study) == ("As in the first study.", researcher, study)
    assert "As in the first study." in client.get(address).content.decode()


def test_another_researcher_s_audit_is_not_there(talk, researcher):
    built(researcher)
    stranger = Client()
    stranger.force_login(factories.person("stranger", Role.RESEARCHER))
    assert stranger.get(reverse("audit_questions", args=["evening"])).status_code == 404


def test_a_question_is_left_out_or_edited_on_its_page(client, talk, researcher):
    first = built(researcher).questions.get(position=0)
    address = reverse("revise_question", args=["evening", 0])
    assert address in page(client, "evening")
    sent = client.get(address).context["form"]
    texts = {field.name: field.value() for field in sent.texts}
    assert list(texts.values()) == [*(turn["text"] for turn in first.context), *first.candidates]
    assert all(field.field.required for field in sent.texts)
    assert sent["name"].value() == "evening-2"
    asked = {"name": "evening-2", "why": "Two may be true.", **texts}
    assert client.post(address, asked | {"act": "edit"}).status_code == 422, "nothing is edited"
    client.post(address, asked | {"act": "edit", "candidate_1": "Or so."})
    assert QuestionSet.objects.get(name="evening-2").questions.get(position=0).candidates[1] == "Or so."
    assert client.get(address).context["form"]["name"].value() == "evening-3"
    assert client.post(address, asked | {"act": "edit", "name": "evening-3", "turn_0": " "}).status_code == 422
    answer = client.post(address, asked | {"act": "leave_out", "name": "evening-3", "turn_0": ""})
    assert answer.url == reverse("question_set", args=["evening-3"])
    assert not QuestionSet.objects.get(name="evening-3").questions.filter(external_id=first.external_id).exists()
    shown = page(client, "evening-3")
    assert "Two may be true." in shown
    assert reverse("question_set", args=["evening"]) in shown
    assert "This draws evening. This set was edited from evening" in " ".join(shown.split())


def test_the_list_is_searched_and_sorted(client, talk, researcher):
    for name, count in (("evening", 4), ("morning", 10), ("evening-2", 9)):
        built(researcher, name, count)

    def names(**query: str) -> list[str]:
        return [each.name for each in client.get(reverse("question_sets"), query).context["list"].rows]

    assert names() == ["evening-2", "morning", "evening"]
    assert names(sort="-questions") == ["morning", "evening-2", "evening"]
    assert names(search="EVENING", sort="name") == ["evening", "evening-2"]
    assert names(search="nothing") == []
