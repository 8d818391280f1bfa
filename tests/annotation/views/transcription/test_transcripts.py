"""The page of transcripts: what it shows, what it takes, and to whom it gives the audio."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.actions.queue import assignments
from annotation.actions.transcription import transcripts
from annotation.domain.workflow import ItemState
from annotation.models import Item, Recording, Step, Transcript
from core.models import Role
from tests import factories, recordings
from tests.annotation.views.rewriting.rewriting_page import author, dream, send, signed_in
from tests.pages import on_one_line
from tests.recordings import MACHINE_TEXT, SAID

pytestmark = pytest.mark.django_db
__all__ = ["author", "dream"]

PATH = "/projects/dream/transcribe/"
CHECK = "/projects/dream/check/"


@pytest.fixture
def item(dream, tmp_path) -> Item:
    return recordings.items(dream, tmp_path)[0]


@pytest.fixture
def second(dream):
    return factories.person("bo", project=dream)


@pytest.fixture
def client(author, item):
    return signed_in(author)


def opened(client) -> Transcript:
    client.get(PATH)
    return Transcript.objects.latest("pk")


def address(transcript, what) -> str:
    return f"{PATH}{transcript.assignment_id}/{what}/"


def body(revision=0, turns=SAID, answer=0):
    return {"turns": turns, "answer": answer, "revision": revision}


# ---- the page -------------------------------------------------------------------------------------------------------


def test_the_page_shows_the_machines_text_the_audio_and_the_picture_beside_the_letter(client):
    page = client.get(PATH).content.decode()
    assert "Did you manage to cook the community hall?" in page
    transcript = Transcript.objects.get()
    assert f'src="{address(transcript, "recordings/audio")}"' in page
    assert f'src="{address(transcript, "recordings/answer_image")}"' in page
    assert 'value="2" checked' in on_one_line(page)
    assert "read by the machine" in page
    assert "media-src 'self'" in client.get(PATH).headers["Content-Security-Policy"]


def test_text_with_html_is_shown_as_text(dream, tmp_path, author):
    turns = [{"speaker": "<i>W", "text": "<script>alert(1)</script>"}, {"speaker": "M", "text": "</textarea><b>"}]
    recordings.items(dream, tmp_path, turns=turns)
    page = signed_in(author).get(PATH).content.decode()
    assert "<script>alert" not in page
    assert "</textarea><b>" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_second_person_sees_the_difference_and_not_who_made_it(client, dream, author, second):
    recordings.correct(dream, author)
    page = signed_in(second).get(CHECK).content.decode()
    assert "<del>" in page
    assert "cook" in page
    assert "book" in page
    assert "The machine read C; the first person chose A." in page
    assert f">{author.name}<" not in page


def test_nothing_waits_and_the_page_says_so(dream, author, second, item):
    assert "No transcript is waiting to be checked" in signed_in(author).get(CHECK).content.decode()
    recordings.correct(dream, author)
    assert "No transcript is waiting to be corrected" in signed_in(author).get(PATH).content.decode()
    assert "never asked to check what you corrected yourself" in signed_in(author).get(CHECK).content.decode()


def test_a_project_without_recordings_has_empty_pages(dream, author):
    for path in (PATH, CHECK):
        assert "No transcript is waiting" in signed_in(author).get(path).content.decode()


# ---- what it takes --------------------------------------------------------------------------------------------------


def test_a_draft_is_saved_and_submitted(client, item):
    transcript = opened(client)
    saved = send(client, address(transcript, "save"), body()).json()
    assert saved["revision"] == 1
    answer = send(client, address(transcript, "submit"), body(revision=1))
    assert answer.json()["next"] == PATH
    item.refresh_from_db()
    assert item.state == ItemState.CORRECTED
    assert "Submitted: a second person checks it next." in client.get(PATH).content.decode()


def test_a_plain_form_does_the_same(client, item):
    transcript = opened(client)
    form = {"speaker": [turn["speaker"] for turn in SAID], "text": [turn["text"] for turn in SAID], "answer": "0"}
    assert client.post(address(transcript, "save"), {**form, "revision": "0"}).status_code == 302
    assert Transcript.objects.get().turns == SAID
    assert client.post(address(transcript, "submit"), {**form, "revision": "1"}).status_code == 302
    item.refresh_from_db()
    assert item.state == ItemState.CORRECTED


def test_an_older_page_is_told_and_nothing_is_written_over(client):
    transcript = opened(client)
    send(client, address(transcript, "save"), body())
    answer = send(client, address(transcript, "save"), body(turns=MACHINE_TEXT))
    assert (answer.status_code, answer.json()["code"], answer.json()["revision"]) == (409, "stale", 1)
    assert Transcript.objects.get().turns == SAID


def test_what_is_to_be_revised_is_said_and_the_draft_kept(client):
    transcript = opened(client)
    answer = send(client, address(transcript, "submit"), body(answer=None))
    assert answer.status_code == 409
    assert answer.json()["flaws"] == [{"field": "answer", "sentence": "Choose the right answer."}]
    assert answer.json()["kept"]
    page = client.post(address(transcript, "submit"), {"speaker": ["W"], "text": ["So?"], "revision": "1"})
    assert (page.status_code, "So?" in page.content.decode()) == (409, True)


@pytest.mark.parametrize(
    "sent",
    [
        "[]",
        "{",
        {},
        body(revision="0"),
        body(answer="A"),
        body(answer=-1),
        body(answer=True),
        body(turns="x"),
        body(turns=[1]),
        body(turns=[{"speaker": "W"}]),
        body(turns=[{"speaker": 1, "text": "x"}]),
        body(revision=-1),
    ],
)
def test_what_cannot_be_read_is_refused(client, sent):
    transcript = opened(client)
    assert send(client, address(transcript, "save"), sent).status_code == 400
    assert Transcript.objects.get().turns == MACHINE_TEXT


def test_skipping_takes_a_reason_and_leaves_the_item_to_others(client, second):
    transcript = opened(client)
    assert send(client, address(transcript, "skip"), {"reason": "nonsense"}).status_code == 409
    assert send(client, address(transcript, "skip"), {"reason": "unusable"}).json()["next"] == PATH
    assert "No transcript is waiting to be corrected" in client.get(PATH).content.decode()
    assert "The machine" not in signed_in(second).get(PATH).content.decode()
    assert "cook the community" in signed_in(second).get(PATH).content.decode()


def test_somebody_elses_draft_is_not_there(client, second):
    transcript = opened(client)
    for what in ("save", "submit", "skip"):
        assert send(signed_in(second), address(transcript, what), body()).status_code == 404


# ---- the files ------------------------------------------------------------------------------------------------------


def test_the_audio_is_given_whole_and_in_parts(client):
    audio = address(opened(client), "recordings/audio")
    whole = client.get(audio)
    wav = recordings.FILES["clips/a.wav"]
    assert (whole.status_code, whole.getvalue()) == (200, wav)
    assert whole.headers["Content-Type"] == "audio/wav"
    assert whole.headers["X-Content-Type-Options"] == "nosniff"
    assert whole.headers["Accept-Ranges"] == "bytes"
    part = client.get(audio, headers={"Range": "bytes=1000-1999"})
    assert (part.status_code, part.getvalue()) == (206, wav[1000:2000])
    assert part.headers["Content-Range"] == f"bytes 1000-1999/{len(wav)}"
    assert part.headers["Content-Length"] == "1000"
    beyond = client.get(audio, headers={"Range": f"bytes={len(wav)}-"})
    assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, f"bytes */{len(wav)}")
    assert client.head(audio).headers["Content-Length"] == str(len(wav))


def test_the_picture_is_given_as_what_it_is(client):
    answer = client.get(address(opened(client), "recordings/answer_image"))
    assert (answer.headers["Content-Type"], answer.getvalue()) == ("image/png", recordings.FILES["a.png"])
    assert client.get(address(opened(client), "recordings/other")).status_code == 404


def test_only_whoever_has_the_item_hears_it(client, dream, author, second):
    transcript = opened(client)
    audio = address(transcript, "recordings/audio")
    assert signed_in(second).get(audio).status_code == 404
    assert signed_in(factories.person("ivo", Role.INSPECTOR, project=dream)).get(audio).status_code == 403
    transcripts.skip(transcript=transcript, reason="unusable", by=author)
    assert client.get(audio).status_code == 404


def test_after_the_lease_it_is_transcribed_as_long_as_nobody_else_has_the_item(client, dream, second):
    audio = address(opened(client), "recordings/audio")
    assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
    assert client.get(audio).getvalue()
    assignments.claim(project=dream, step=Step.TRANSCRIBE, by=second)
    assert client.get(audio).status_code == 404


def test_a_researcher_hears_it_from_the_list_of_items_and_a_stranger_does_not(dream, item, researcher):
    there = f"/projects/dream/items/{item.pk}/recordings/audio/"
    own = signed_in(researcher)
    page = own.get("/projects/dream/items/?state=recorded").content.decode()
    assert there in page
    assert "transcript to be corrected" in page
    assert own.get(there).getvalue() == recordings.FILES["clips/a.wav"]
    stranger = factories.person("cleo", Role.RESEARCHER)
    assert signed_in(stranger).get(there).status_code == 404


def test_a_file_that_is_gone_is_not_found(client):
    audio = address(opened(client), "recordings/audio")
    path = Recording.objects.get(kind="audio").path
    aside = path.rename(path.with_suffix(".aside"))
    try:
        assert client.get(audio).status_code == 404
    finally:
        aside.rename(path)


# ---- around it ------------------------------------------------------------------------------------------------------


def test_home_says_how_much_waits(client, dream, author, second, tmp_path):
    recordings.items(dream, tmp_path, 2)
    page = client.get("/").content.decode()
    assert "<bdi>An</bdi>, 3 transcripts are waiting for you" in page
    assert "Transcripts · 3 are waiting to be corrected" in page
    recordings.correct(dream, author)
    assert "Transcripts · 1 is waiting to be checked" in signed_in(second).get("/").content.decode()
    assert "to be checked" not in client.get("/").content.decode()


def test_the_board_counts_both_steps_and_the_reasons_of_skips(client, dream, author, second, researcher, tmp_path):
    recordings.items(dream, tmp_path, 2)
    recordings.correct(dream, author)
    skipped = recordings.take(dream, Step.TRANSCRIBE, second)
    transcripts.skip(transcript=skipped, reason="unusable", by=second)
    page = signed_in(researcher).get("/projects/dream/").content.decode()
    assert "transcript to be corrected" in page
    assert "transcript to be checked" in page
    assert "The audio or picture cannot be used" in page
    table = signed_in(researcher).get("/projects/dream/board.csv").content.decode()
    for line in (
        "funnel,recorded,items,2",
        "funnel,corrected,items,1",
        "funnel,untouched,items,0",
        "funnel,submitted,items,0",
        "transcript skips,unusable,items,1",
        "transcriber,An,corrected,1",
        "transcriber,Bo,skipped,1",
    ):
        assert line in table.replace('"', "")


def test_the_api_gives_the_state_and_no_file(dream, item, researcher):
    rows = signed_in(researcher).get(reverse("project-items", args=["dream"])).json()["results"]
    assert [(each["state"], each["answer"]) for each in rows] == [("recorded", 2)]
    assert "wav" not in str(rows[0])
    progress = signed_in(researcher).get(reverse("project-progress", args=["dream"])).json()
    assert progress["recorded"] == 1
