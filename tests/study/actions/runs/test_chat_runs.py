"""Runs that ask a chat server: odd servers, keys that go nowhere else, and replies that are paid for once."""

import json
import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from core import tasks as tasks
from core.actions import jobs
from core.actions.refusals import Refused
from core.models import Job
from study.actions.runs import baselines, chat_server
from study.actions.runs.baselines import ask_for_run, run_now
from study.actions.runs.records import checkpoints_of, folder_of
from study.actions.runs.refusals import REFUSALS
from study.baselines.asking import REPLIES, replies_in
from study.models import Run
from study.selectors.runs.runs import predictions_of
from tests.chat_servers import ServerAnswer, listening, longest
from tests.factories import no_progress
from tests.study.instances import forum, kitchen

KEY = "sk-never-to-be-seen-4711"
ON = {"on": "kitchen:dev", "seed": 0}


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=5)
    return researcher


@pytest.fixture(autouse=True)
def at_once(monkeypatch, settings, tmp_path):
    """Wait for no server between two tries, and keep runs apart."""
    monkeypatch.setattr(chat_server, "FIRST_PAUSE", 0.0)
    settings.DATA_DIR = tmp_path


@contextmanager
def server_that(answer, settings, monkeypatch):
    with listening(answer) as server:
        settings.CHAT_SERVERS = {"lab": server.address}
        monkeypatch.setenv("CHAT_API_KEY_LAB", KEY)
        yield server


@pytest.fixture
def served(settings, monkeypatch):
    """Return a function that runs the model against a server that answers so, and gives the run and the server."""

    def serve(answer, by, **chosen):
        with server_that(answer, settings, monkeypatch) as server:
            given = {"model": "tested", "retries": 1, **chosen}
            return run_now(model="chat", **ON, settings=given, report=no_progress, by=by), server

    return serve


def by_length(received):
    return ServerAnswer(longest(received.prompt))


def carried_out(run: Run) -> Job:
    job = jobs.start(job_pk=run.job.pk)
    tasks._write_down(job, tasks.carry_out(job, no_progress), was_stopped=False)
    job.refresh_from_db()
    run.refresh_from_db()
    return job


def test_a_server_is_asked_each_question_in_each_order_and_the_figures_stand_beside_what_it_took(rui, served):
    run, server = served(by_length, rui, price_in=1)
    assert len(server.received) == 5 * 3
    assert {(each.path, each.key, each.body["model"], each.body["max_tokens"]) for each in server.received} == {
        ("/v1/chat/completions", KEY, "tested", 64)
    }
    assert run.metrics["n"] == 5
    assert run.metrics["replies"] == {"asked": 15, "unreadable": 0, "failed": 0}
    assert run.metrics["consistency"]["share"] == 1
    assert run.settings["server"] == "lab"
    told = run.circumstances["asking"]
    assert (told["server"], told["models"], told["requests"]) == (server.address, ["tested-1"], 15)
    assert told["tokens"] == {"prompt": 1_500, "completion": 30}
    assert told["cost"] == pytest.approx(1_500 / 1e6)
    assert len(replies_in(folder_of(run) / "state")) == 15


def test_the_same_run_twice_has_the_same_checksum_however_many_requests_are_under_way(rui, served):
    first, second = (served(by_length, rui, concurrency=number)[0] for number in (1, 8))
    assert first.checksum == second.checksum
    assert first.predictions.count() == 5


def once_then(*, first: ServerAnswer):
    return lambda received: first if received.number == 0 else by_length(received)


@pytest.mark.parametrize(
    "first",
    [
        ServerAnswer(status=429, headers={"Retry-After": "0"}),
        ServerAnswer(status=503),
        ServerAnswer(cut=True),
        ServerAnswer(half=True),
    ],
)
def test_what_passes_is_tried_again(rui, served, first):
    run, server = served(once_then(first=first), rui)
    assert run.metrics["replies"]["failed"] == 0
    assert run.circumstances["asking"]["tries"] == 30 == len(server.received)


BODIES = {
    "nonsense": (b"<html>hello</html>", "server_malformed"),
    "wrong JSON": (b'{"choices": [{"message": "A"}]}', "server_malformed"),
    "nothing but brackets": (b"[" * 500_000, "server_malformed"),
    "no choices": (b'{"choices": []}', "server_malformed"),
    "huge": (b'{"choices": [{"message": {"content": "' + b"A" * 2_000_000 + b'"}}]}', "server_too_long"),
    "a long reply": (b'{"choices": [{"message": {"content": "' + b"A" * 70_000 + b'"}}]}', "server_too_long"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_server_that_never_answers_as_a_chat_ends_the_run_with_a_sentence(rui, served, name):
    body, code = BODIES[name]
    with pytest.raises(Refused) as caught:
        served(lambda _received: ServerAnswer(body=body), rui)
    assert caught.value.code == code
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("status", "code", "most"),
    [
        (500, "server_broken", 14 * 2),
        (429, "server_busy", 14 * 2),
        (400, "server_rejected", 14),
        (401, "server_key", 4),
        (403, "server_key", 4),
        (402, "server_payment", 4),
        (404, "server_unknown", 4),
        (302, "server_elsewhere", 4),
    ],
)
def test_a_server_that_refuses_ends_the_run_and_is_asked_no_further(rui, served, status, code, most):
    """At most as many as were under way: four, after ten in a row or at once, each tried twice where that may help."""
    asked = []

    def refuse(received):
        asked.append(received)
        return ServerAnswer(body=f"Incorrect key {received.key}".encode(), status=status, headers={"Location": "/v1/x"})

    with pytest.raises(Refused) as caught:
        served(refuse, rui)
    assert caught.value.code == code
    assert KEY not in str(caught.value)
    assert str(caught.value) == str(REFUSALS[code])
    assert len(asked) <= most
    assert {each.path for each in asked} == {"/v1/chat/completions"}


@pytest.mark.parametrize("drip", [False, True])
def test_a_server_that_answers_too_late_is_cut_off_also_when_it_sends_a_byte_now_and_then(rui, served, drip):
    gone = threading.Event()
    try:
        with pytest.raises(Refused) as caught:
            served(lambda _received: ServerAnswer(until=gone, drip=drip), rui, timeout=1, retries=0, concurrency=16)
    finally:
        gone.set()
    assert caught.value.code == "server_slow"


def test_a_server_that_is_not_there_ends_the_run(rui, settings):
    with listening(by_length) as server:
        settings.CHAT_SERVERS = {"lab": server.address}
    with pytest.raises(Refused) as caught:
        run_now(model="chat", **ON, settings={"model": "m", "retries": 0}, report=no_progress, by=rui)
    assert caught.value.code == "server_away"


def test_replies_that_name_nothing_are_counted_shown_and_never_wrong_in_silence(rui, served, client):
    def answer(received):
        return ServerAnswer("I would rather not say." if "It is 2." in received.prompt else longest(received.prompt))

    run, _server = served(answer, rui)
    figures = run.metrics
    assert (figures["unanswered"], figures["replies"]["unreadable"], figures["n"]) == (1, 3, 5)
    assert (figures["answered"]["n"], figures["answered"]["R@1"] * 4) == (4, figures["R@1"] * 5)
    [silent] = predictions_of(run, outcome="unanswered")
    assert (silent.external_id, silent.scores) == ("d2", [])
    assert silent not in predictions_of(run, outcome="wrong")
    client.force_login(rui)
    text = client.get(reverse("run", args=[run.pk])).content.decode()
    assert "no readable reply" in text
    assert "I would rather not say." not in text
    said = " ".join(strip_tags(text).split())
    for sentence in (
        "1 instance has no readable reply and counts as wrong. Without them R@1 is",
        "15 requests; replies that name no candidate: 3, that never arrived: 0",
        "Same choice in all orders 1.000",
        "1,500 in prompts, 30 in replies",
        "No answer 1",
    ):
        assert sentence in said
    csv = b"".join(client.get(reverse("predictions_csv", args=[run.pk]))).decode()
    assert csv.count('"d2",') == 4
    listed = b"".join(client.get(reverse("predictions_list", args=[run.pk]))).decode()
    assert "\nd2\n" in listed


@pytest.mark.parametrize(("status", "code"), [(200, "server_away"), (401, "server_key"), (404, "server_unknown")])
def test_an_answer_that_is_cut_off_is_that_of_a_server_that_is_away_unless_its_status_says_more(
    rui, served, status, code
):
    with pytest.raises(Refused) as caught:
        served(lambda _received: ServerAnswer(half=True, status=status), rui)
    assert caught.value.code == code


def test_one_question_that_the_server_rejects_ends_nothing(rui, served):
    run, _server = served(
        lambda received: ServerAnswer(status=400) if "It is 1." in received.prompt else by_length(received), rui
    )
    assert run.metrics["replies"] == {"asked": 15, "unreadable": 0, "failed": 3}
    assert run.metrics["unanswered"] == 1


def test_rated_prompts_can_be_asked_and_one_response_alone_is_not(rui, settings, monkeypatch, client, project):
    forum(project)

    def answer(received):
        return ServerAnswer("Hm." if "the lamp" in received.prompt else longest(received.prompt))

    with server_that(answer, settings, monkeypatch) as server:
        given = {"model": "tested", "orders": 2}
        run = run_now(model="chat", on="weibo@1:test", seed=0, settings=given, report=no_progress, by=rui)
    assert run.metrics["prompts"] == 4
    assert run.metrics["cuts"]["4"]["prompts"] == 3
    assert run.metrics["replies"] == {"asked": 4, "unreadable": 2, "failed": 0}
    assert len(server.received) == 4
    assert (run.metrics["unanswered"], run.metrics["answered"]["prompts"]) == (1, 3)
    client.force_login(rui)
    assert client.get(reverse("run", args=[run.pk])).status_code == 200


class KilledError(BaseException):
    """What a process that is killed raises here: nothing after it runs."""


def test_a_run_that_was_killed_asks_no_question_twice_that_was_answered(rui, settings, monkeypatch):
    with server_that(by_length, settings, monkeypatch) as server:
        run = ask_for_run(model="chat", **ON, settings={"model": "tested"}, by=rui)
        keep, kept = chat_server.OpenAiServer._keep, []

        def until_killed(self, request, reply):
            if len(kept) == 7:
                raise KilledError
            kept.append(request.key)
            keep(self, request, reply)

        monkeypatch.setattr(chat_server.OpenAiServer, "_keep", until_killed)
        job = jobs.start(job_pk=run.job.pk)
        with pytest.raises(KilledError):
            tasks.carry_out(job, no_progress)
        with (checkpoints_of(run) / REPLIES).open("a") as file:
            file.write('{"key": "half a li')
        before = len(server.received)
        monkeypatch.setattr(chat_server.OpenAiServer, "_keep", keep)
        baselines.run_asked_for(job, no_progress)
    run.refresh_from_db()
    assert len(server.received) - before == 15 - 7
    assert run.metrics["replies"] == {"asked": 15, "unreadable": 0, "failed": 0}
    assert len(replies_in(folder_of(run) / "state")) == 15
    assert run.checksum == run_again(rui, settings, monkeypatch).checksum


def test_a_run_that_failed_is_started_again_without_paying_twice(rui, settings, monkeypatch):
    """The server's money runs out after some replies; the next run is asked for with other patience."""
    paid: list[str] = []

    def until_the_money_is_gone(received):
        if len(paid) == 6:
            return ServerAnswer(status=402)
        paid.append(received.prompt)
        return by_length(received)

    with server_that(until_the_money_is_gone, settings, monkeypatch):
        first = ask_for_run(model="chat", **ON, settings={"model": "tested", "concurrency": 1}, by=rui)
        assert carried_out(first).error == "refused:server_payment"
    with server_that(by_length, settings, monkeypatch) as server:
        second = ask_for_run(model="chat", **ON, settings={"model": "tested", "concurrency": 2}, by=rui)
        carried_out(second)
        assert (second.metrics["n"], len(server.received)) == (5, 9)
        third = ask_for_run(model="chat", **ON, settings={"model": "tested"}, by=rui)
        carried_out(third)
        assert len(server.received) == 9 + 15, "a run that has ended gives its replies to no other"
    assert third.checksum == second.checksum


def test_a_command_that_failed_goes_on_and_one_that_ended_begins_anew(rui, settings, monkeypatch):
    answered: list[str] = []

    def until_it_breaks(received):
        if len(answered) == 6:
            return ServerAnswer(status=401)
        answered.append(received.prompt)
        return by_length(received)

    with server_that(until_it_breaks, settings, monkeypatch), pytest.raises(Refused):
        run_now(model="chat", **ON, settings={"model": "tested", "concurrency": 1}, report=no_progress, by=rui)
    for expected in (15 - 6, 15):
        with server_that(by_length, settings, monkeypatch) as server:
            run_now(model="chat", **ON, settings={"model": "tested"}, report=no_progress, by=rui)
            assert len(server.received) == expected


def run_again(rui, settings, monkeypatch) -> Run:
    with server_that(by_length, settings, monkeypatch):
        return run_now(model="chat", **ON, settings={"model": "tested"}, report=no_progress, by=rui)


def test_the_state_of_a_run_replaces_its_checkpoints_only_when_it_is_written(rui, settings, monkeypatch):
    """A process that dies while it stores the run: the replies are there for the next."""
    with server_that(by_length, settings, monkeypatch) as server:
        run = ask_for_run(model="chat", **ON, settings={"model": "tested"}, by=rui)
        job = jobs.start(job_pk=run.job.pk)

        def die(self, folder):
            raise KilledError

        with monkeypatch.context() as dying, pytest.raises(KilledError):
            dying.setattr("study.baselines.chat.Chat.save", die)
            baselines.run_asked_for(job, no_progress)
        baselines.run_asked_for(job, no_progress)
        assert len(server.received) == 15


def every_row() -> list[str]:
    return [str(row) for model in apps.get_models() for row in model._base_manager.values()]


def test_no_key_is_in_database_logs_exports_or_folder_even_if_the_server_repeats_it(
    rui, settings, monkeypatch, client, caplog, capfd, tmp_path
):
    def answer(received):
        if "It is 3." in received.prompt:
            return ServerAnswer(status=400, body=received.key.encode())
        return ServerAnswer(f"Your key is {received.key}. " * ("It is 1." in received.prompt) + "The answer is A.")

    with server_that(answer, settings, monkeypatch):
        run = ask_for_run(model="chat", **ON, settings={"model": "tested"}, by=rui)
        assert carried_out(run).result == {"run": run.pk, "checksum": run.checksum}
        refusing = ask_for_run(model="chat", **ON, settings={"model": "other"}, by=rui)
    with server_that(lambda received: ServerAnswer(status=401, body=received.key.encode()), settings, monkeypatch):
        assert carried_out(refusing).error == "refused:server_key"

        def break_down(self, request):
            raise RuntimeError(f"{self!r} {self.key}")

        monkeypatch.setattr(chat_server.OpenAiServer, "_reply_to", break_down)
        broken = ask_for_run(model="chat", **ON, settings={"model": "other"}, by=rui)
        assert carried_out(broken).error == "broken:RuntimeError"
    kept = (folder_of(run) / "state" / REPLIES).read_text()
    assert "Your key is …. The answer is A." in kept
    client.force_login(rui)
    pages = [reverse("run", args=[each.pk]) for each in (run, refusing, broken)]
    addresses = [*pages, reverse("runs"), reverse("predictions_csv", args=[run.pk]), f"/api/v1/runs/{run.pk}/"]
    answers = [client.get(address) for address in addresses]
    exported = [b"".join(each).decode() if each.streaming else each.content.decode() for each in answers]
    assert {each.status_code for each in answers} == {200}
    call_command("list_baselines", "--json")
    call_command("diffsettings")
    said = capfd.readouterr()
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(REPLIES in path.name for path in tmp_path.rglob("*"))
    everything = [*exported, caplog.text, said.out, said.err, *every_row()]
    assert "sk-never" not in "\n".join(everything)
    assert not any(b"sk-never" in each for each in files)


@pytest.mark.parametrize(
    ("servers", "chosen", "key", "code", "said"),
    [
        ({}, {"model": "m"}, "", "no_server", "CHAT_SERVERS"),
        ({"lab": "http://x/v1"}, {}, "", "no_server_model", "the setting “model”"),
        ({"lab": "http://x/v1"}, {"server": "my", "model": "m"}, "", "no_server", "Those set up here: lab."),
        ({"lab": "http://x/v1"}, {"server": "http://169.254.169.254", "model": "m"}, "", "no_server", "set up here"),
        ({"lab": "http://x/v1"}, {"model": "m", "orders": 0}, "", "wrong_setting", "orders must be a whole number"),
        ({"lab": "http://x/v1"}, {"model": "m\nX: y"}, "", "wrong_setting", "one line of text"),
        ({"lab": "http://x/v1"}, {"model": "m"}, "two words", "odd_key", "a space"),
        ({"lab": "http://x/v1"}, {"model": "m"}, "sk\n-x", "odd_key", "a space"),
    ],
)
def test_a_server_that_may_not_be_asked_is_refused_before_anything_is_sent(
    rui, settings, monkeypatch, servers, chosen, key, code, said
):
    settings.CHAT_SERVERS = servers
    monkeypatch.setenv("CHAT_API_KEY_LAB", key)
    with pytest.raises(Refused) as caught:
        run_now(model="chat", **ON, settings=chosen, report=no_progress, by=rui)
    assert caught.value.code == code
    assert said in str(caught.value)
    assert not key or key not in str(caught.value)


def test_a_server_gets_its_own_key_and_no_other(rui, settings, monkeypatch):
    monkeypatch.setenv("CHAT_API_KEY_OTHER_ONE", "other")
    with listening(by_length) as first, server_that(by_length, settings, monkeypatch) as second:
        settings.CHAT_SERVERS = {"free": first.address, "other-one": second.address}
        for name in ("free", "other-one"):
            run_now(model="chat", **ON, settings={"model": "m", "server": name}, report=no_progress, by=rui)
    assert Counter(each.key for each in first.received) == {"": 15}
    assert Counter(each.key for each in second.received) == {"other": 15}


def test_a_full_disk_ends_the_run_in_words(rui, settings, monkeypatch):
    def full(request, reply):
        raise OSError(28, "No space left on device")

    with server_that(by_length, settings, monkeypatch):
        run = ask_for_run(model="chat", **ON, settings={"model": "tested"}, by=rui)
        monkeypatch.setattr(chat_server, "line_of", full)
        assert carried_out(run).error == "refused:replies_not_stored"


def test_the_command_says_what_could_not_be_read(rui, settings, monkeypatch, capsys):
    def answer(received):
        return ServerAnswer("Hm." if "It is 2." in received.prompt else longest(received.prompt))

    with server_that(answer, settings, monkeypatch):
        call_command("run_baseline", "chat", "--on", "kitchen:dev", "--set", "model=m", "--as", rui.username)
    said = capsys.readouterr().out
    assert "15 requests: 3 with a reply that names no candidate, 0 without a reply" in said
    assert "the same choice in all orders: 1.0000" in said
    assert "1 instance without a readable reply, counted as wrong; without them R@1" in said


def test_the_page_refuses_in_words_what_needs_a_server(rui):
    client = Client()
    client.force_login(rui)
    answer = client.post(reverse("start_run"), {"model": "chat", "on": "kitchen:dev", "train": "", "seeds": "0"})
    assert answer.status_code == 422
    assert "No chat server is set up here." in answer.content.decode()


def test_kept_replies_are_lines_of_json(rui, served):
    run, _server = served(by_length, rui)
    lines = [json.loads(line) for line in (folder_of(run) / "state" / REPLIES).read_text().splitlines()]
    assert {tuple(sorted(line)) for line in lines} == {
        tuple(
            sorted(
                (
                    "key",
                    "id",
                    "number",
                    "order",
                    "text",
                    "failure",
                    "tries",
                    "seconds",
                    "model",
                    "prompt_tokens",
                    "completion_tokens",
                )
            )
        )
    }
