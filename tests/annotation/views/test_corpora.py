"""The pages of corpora: bringing one in, what was refused, looking through one."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from annotation.actions.corpora import corpora, reviews
from annotation.models import Corpus
from annotation.presenters.corpora.refusals import why_not
from annotation.selectors.corpora import reading
from core import tasks as tasks
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job, Role
from tests import factories
from tests.corpora import dialogue, flag, folder_of, imported, instance, jsonl_of, mutual_files, stored, tar_of
from tests.factories import no_progress

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
    for module in ("corpora", "reviews"):
        monkeypatch.setattr(f"annotation.views.corpora.{module}.dispatch", sent.append)
    return sent


@pytest.fixture
def half_bad(tmp_path):
    """Two good instances and one whose answer is no option."""
    bad = folder_of({"mutual/dev/dev_9.txt": instance(9, answers="E")})
    return tar_of(tmp_path / "half.tar.gz", {**mutual_files(1, 2), **bad}).read_bytes()


@pytest.fixture
def good(tmp_path):
    return tar_of(tmp_path / "good.tar.gz", mutual_files(1, 2)).read_bytes()


def send(client, content: bytes, name="lamps", format="mutual", file_name="the archive.tar.gz"):
    file = SimpleUploadedFile(file_name, content)
    return client.post(reverse("corpora"), {"file": file, "name": name, "format": format})


def test_a_name_that_is_none_is_refused_and_one_in_pinyin_offered(client, sent, good):
    answer = send(client, good, name="语料库")
    assert (answer.status_code, answer.context["form"]["name"].value(), sent) == (422, "yu-liao-ku", [])
    assert "slug" not in str(answer.context["form"].errors["name"])
    assert send(client, good, name="yu-liao-ku").status_code == 302


def done(job: Job) -> Job:
    """Finish the job as the worker does, and return it."""
    started = jobs.start(job_pk=job.pk)
    tasks._write_down(started, tasks.carry_out(started, no_progress), was_stopped=False)
    job.refresh_from_db()
    return job


def page(client, name, *args, **query) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_page_says_what_to_bring(client):
    text = page(client, "corpora")
    assert "MuTual's archive as published" in text
    assert "manage.py import_corpus mutual" in strip_tags(text)


def choices(**changes):
    return {"format": "mutual", "name": "lamps", "source": "a shop", "licence": "CC0", **changes}


def test_a_file_is_sent_reviewed_imported_and_looked_at(client, sent, good):
    answer = send(client, good)
    [job] = sent
    assert answer.url == reverse("corpus_review", args=[job.pk])
    text = page(client, "corpus_review", job.pk)
    assert "the archive.tar.gz" in text
    assert "Reading the file" in text
    done(job)
    assert tasks.jobs.KINDS[job.kind].page(job) == ("corpus_review", [job.pk])
    text = page(client, "corpus_review", job.pk)
    assert "Import 2 dialogues" in text
    assert "lamp 1 is broken ." in text, "an example"
    assert not Corpus.objects.exists()
    assert reverse("corpus_review", args=[job.pk]) in page(client, "corpora"), "it waits"
    answer = client.post(reverse("import_corpus", args=[job.pk]), choices())
    imported = done(sent[1])
    assert answer.url == reverse("corpus_import", args=[imported.pk])
    assert tasks.jobs.KINDS[imported.kind].page(imported) == ("corpus", ["lamps"])
    assert "2 dialogues are stored." in page(client, "corpus_import", imported.pk)
    text = page(client, "corpora")
    assert reverse("corpus", args=["lamps"]) in text
    assert reverse("corpus_review", args=[job.pk]) not in text
    assert reverse("corpus", args=["lamps"]) in page(client, "corpus_review", job.pk), "the same content"


def test_an_import_that_failed_brings_the_form_back_as_it_was_filled_in(client, sent, good):
    send(client, good)
    review = done(sent.pop())
    client.post(reverse("import_corpus", args=[review.pk]), choices(name="chandeliers", licence="CC BY 4.0"))
    failed = sent.pop()
    Job.objects.filter(pk=failed.pk).update(state=JobState.FAILED, error="died")
    address = f"{reverse('corpus_review', args=[review.pk])}?import={failed.pk}"
    assert address in page(client, "corpus_import", failed.pk)
    form = client.get(address).context["form"]
    assert [form[name].value() for name in ("name", "source", "licence")] == ["chandeliers", "a shop", "CC BY 4.0"]
    assert client.get(f"{reverse('corpus_review', args=[review.pk])}?import=x").status_code == 200


def test_refused_rows_are_shown_and_the_good_ones_imported(client, sent, half_bad):
    send(client, half_bad, format="")
    job = done(sent.pop())
    text = page(client, "corpus_review", job.pk)
    assert "mutual/dev/dev_9.txt" in text
    assert "the answer &quot;E&quot; is not in the range A to D" in text
    client.post(reverse("import_corpus", args=[job.pk]), choices())
    imported = done(sent.pop())
    assert tasks.jobs.KINDS[imported.kind].page(imported) == ("corpus_import", [imported.pk])
    text = page(client, "corpus_import", imported.pk)
    assert "2 dialogues are stored." in text
    assert "dev_9.txt" in text, "what was refused is still told"


LOG = (
    "[10:00] <ann> dark\n[10:01] <bo> ann: is it shit?\n[10:02] <ann> bo: mail a@b.example\n"
    "=== cleo [c@d] has joined #lamps\n"
)


@pytest.fixture
def log(client, sent) -> Job:
    """Return the review of a log."""
    send(client, LOG.encode(), format="", file_name="2008-07-14.txt")
    return done(sent.pop())


def of_log(**changes):
    return choices(**{"format": "irc", "zone": "UTC", "seed": "0", **changes})


def test_a_review_accounts_for_every_record_and_shows_what_is_changed(client, log):
    text = page(client, "corpus_review", log.pk)
    said = " ".join(strip_tags(text).split())
    assert "4 read = 3 kept + 0 joined + 1 dropped" in said
    assert "<del>a@b.example</del> <ins>[email]</ins>" in text
    assert ">s▪▪▪</span>" in text
    assert "2008-07-14 10:00 UTC" in text


def test_counts_of_before_are_shown_until_those_of_other_choices_are_there(client, sent, log):
    words = SimpleUploadedFile("ours.txt", b"dark\n")
    sending = of_log(zone="Europe/Paris", leave=["email"], licence="", words=words)
    answer = client.post(reverse("count_corpus_again", args=[log.pk]), sending)
    [again] = sent
    assert answer.url == reverse("corpus_review", args=[again.pk])
    text = page(client, "corpus_review", again.pk)
    assert "2008-07-14 10:00 UTC" in text
    assert "the previous ones are shown below" in text
    done(again)
    text = page(client, "corpus_review", again.pk)
    assert "2008-07-14 08:00 UTC" in text
    assert "the previous ones are shown below" not in text
    assert "left as it is" in text
    assert "ours.txt" in text


def test_choices_that_were_not_counted_are_counted_before_they_are_imported(client, sent, log):
    client.post(reverse("import_corpus", args=[log.pk]), of_log(leave=["email"]))
    [again] = sent
    assert again.kind == reviews.KIND
    done(sent.pop())
    assert 'id="counted-again"' in page(client, "corpus_review", again.pk)
    assert 'id="counted-again"' not in page(client, "corpus_review", log.pk)
    client.post(reverse("import_corpus", args=[again.pk]), of_log(leave=["email"]))
    done(sent.pop())
    corpus = Corpus.objects.get()
    assert corpus.recipe["leave"] == ["email"]
    assert corpus.dialogues.get().turns[2]["text"] == "mail a@b.example"


def test_a_review_that_was_imported_leads_to_its_corpus_and_is_not_imported_again(client, sent, log):
    action = reverse("import_corpus", args=[log.pk])
    assert action in page(client, "corpus_review", log.pk)
    client.post(action, of_log())
    done(sent.pop())
    text = page(client, "corpus_review", log.pk)
    assert "Imported as" in text
    assert reverse("corpus", args=["lamps"]) in text
    assert action not in text
    assert client.post(action, of_log(name="lanterns")).status_code == 422
    assert not sent


def test_an_import_that_came_to_nothing_leaves_its_review_to_import(client, sent, log, researcher):
    action = reverse("import_corpus", args=[log.pk])
    client.post(action, of_log())
    stored("lamps", [dialogue(1)], by=researcher)
    done(sent.pop())
    assert action in page(client, "corpus_review", log.pk)
    assert reverse("corpus_review", args=[log.pk]) in page(client, "corpora")


def test_the_newest_ten_reviews_that_were_not_imported_are_listed(client, sent):
    def reviewed(number):
        send(client, LOG.encode(), format="", file_name=f"talk-{number}.txt")
        return done(sent.pop())

    made = [reviewed(number) for number in range(13)]
    client.post(reverse("count_corpus_again", args=[made[12].pk]), of_log(leave=["email"]))
    again = done(sent.pop())
    client.post(reverse("import_corpus", args=[made[11].pk]), of_log())
    done(sent.pop())
    text = page(client, "corpora")
    listed = [job for job in [*made, again] if f'{reverse("corpus_review", args=[job.pk])}"' in text]
    assert listed == [*made[2:11], again]


@pytest.mark.parametrize(
    ("action", "changes", "sentence"),
    [
        ("import_corpus", {"licence": ""}, "Say under which licence the texts may be used"),
        ("import_corpus", {"name": "taken"}, "There is a corpus “taken” already."),
        ("import_corpus", {"zone": "Europe/Nowhere"}, "Select a valid choice."),
        ("count_corpus_again", {"leave": ["poems"]}, "Select a valid choice."),
        ("count_corpus_again", {"seed": "-1"}, "greater than or equal to 0"),
        ("count_corpus_again", {"words": b"# none\n"}, "This list has no words."),
        ("count_corpus_again", {"words": b"\n" * ((1 << 20) + 1)}, "larger than 1 MiB"),
    ],
)
def test_choices_that_are_not_right_say_why_and_ask_for_nothing(
    client, sent, log, researcher, action, changes, sentence
):
    stored("taken", [dialogue(1)], by=researcher)
    if "words" in changes:
        changes = {"words": SimpleUploadedFile("ours.txt", changes["words"])}
    answer = client.post(reverse(action, args=[log.pk]), of_log(**changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert "mail " in answer.content.decode(), "the counts stay"
    assert not sent


def test_two_other_dialogues_are_shown_and_then_the_first_again(client, sent, tmp_path):
    path = jsonl_of(tmp_path / "x.jsonl", map(dialogue, range(4)))
    send(client, path.read_bytes(), format="jsonl")
    job = done(sent.pop())
    first, other, again = (page(client, "corpus_review", job.pk, pair=pair) for pair in ("", "1", "2"))
    shown = [{number for number in range(4) if f"Line 0 of story {number}." in text} for text in (first, other, again)]
    assert shown[0] == shown[2]
    assert shown[0] | shown[1] == {0, 1, 2, 3}
    assert page(client, "corpus_review", job.pk, pair="x" * 9)


def test_a_file_of_which_nothing_is_left_says_where_it_went(client, sent):
    send(client, b"[10:00] <ann> dark\n[10:01] <bo> it is\n", format="irc", file_name="2008-07-14.txt")
    job = done(sent.pop())
    text = page(client, "corpus_review", job.pk)
    assert "No dialogue remains of this file" in text
    assert "Count again" in text
    client.post(reverse("import_corpus", args=[job.pk]), of_log())
    assert not sent


def test_refused_rows_come_as_a_table_too(client, sent, half_bad):
    send(client, half_bad)
    job = done(sent.pop())
    answer = client.get(reverse("corpus_refused_csv", args=[job.pk]))
    lines = answer.content.decode().splitlines()
    assert lines[0] == '"file","line","reason","text"'
    assert lines[1].startswith('"mutual/dev/dev_9.txt",')
    assert len(lines) == 2


def test_a_file_that_is_no_corpus_says_so(client, sent):
    send(client, b"PK\x03\x04 nonsense")
    job = done(sent.pop())
    text = page(client, "corpus_review", job.pk)
    assert "The archive is broken" in text
    assert "Count again" in text


def test_a_file_of_no_known_format_is_refused_by_the_titles_of_the_buttons(client, sent):
    send(client, "甲列,乙列\n你好,再见\n".encode(), format="", file_name="table.csv")
    job = done(sent.pop())
    text = page(client, "corpus_review", job.pk)
    assert "choose one of MuTual, IRC, Twitter, Subtitles with speakers, " in text
    assert "With “Table with columns of any names” you can match the columns." in text
    with translation.override("zh-hans"):
        assert "字幕" in why_not(job)
        assert "subtitles" not in why_not(job)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "two words"}, "A short name has only"),
        ({"name": "taken"}, "There is a corpus “taken” already."),
        ({"file": ""}, "Choose a file first."),
        ({"format": "poems"}, "Select a valid choice."),
    ],
)
def test_a_form_that_is_not_right_says_why_and_sends_nothing(client, sent, good, fields, sentence, researcher):
    stored("taken", [dialogue(1)], by=researcher)
    file = SimpleUploadedFile("x.zip", good)
    answer = client.post(reverse("corpora"), {"file": file, "name": "lamps", "format": "mutual", **fields})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not sent
    assert not Job.objects.exists()


def test_a_file_that_is_too_large_is_not_kept(client, sent, good, settings):
    settings.IMPORT_MAX_BYTES = 10
    answer = send(client, good)
    assert answer.status_code == 422
    assert "at most 10" in answer.content.decode()


def test_a_cancelled_import_says_that_nothing_was_kept(client, sent, good, researcher):
    send(client, good)
    job = sent.pop()
    jobs.cancel(job=job, by=researcher)
    assert "Cancelled. Nothing was kept." in page(client, "corpus_review", job.pk)


def test_a_corpus_shows_figures_checksum_and_dialogues(client, researcher, tmp_path):
    files = {**mutual_files(1, 2), **mutual_files(3, split="train"), **mutual_files(1, variant="mutual_plus")}
    blank = folder_of({"mutual/test/test_5.txt": instance(5, "test", answers=" ")})
    made = imported("lamps", tar_of(tmp_path / "x.tar.gz", {**files, **blank}), format="mutual", by=researcher)
    text = page(client, "corpus", "lamps")
    assert made.corpus.checksum in text
    assert reverse("corpus", args=["lamps-plus"]) in text
    assert "lamp 3 is broken ." in text
    ids = made.corpus.dialogues.order_by("position").values_list("external_id", "position")
    marked = {id: page(client, "corpus_dialogue", "lamps", position).count("is-key") for id, position in ids}
    assert marked == {"train_3": 1, "dev_1": 1, "dev_2": 1, "test_5": 0}, "the right option, where it is known"
    assert "right one not known" in page(client, "corpus_dialogue", "lamps", 3)
    assert "lamp 3" not in page(client, "corpus", "lamps", split="dev")
    assert reverse("corpus", args=["lamps"]) in page(client, "corpus", "lamps-plus")


def test_dialogues_are_paged(client, researcher):
    stored("talk", map(dialogue, range(45)), by=researcher)
    text = page(client, "corpus", "talk")
    assert "Line 0 of story 19." in text
    assert "Line 0 of story 20." not in text
    assert "after=19" in text
    text = page(client, "corpus", "talk", after=39)
    assert "Line 0 of story 44." in text
    assert "before=40" in text
    assert 'rel="next"' not in text


def test_a_split_or_slot_that_is_none_is_passed_over(client, researcher):
    stored("talk", [dialogue(1)], by=researcher)
    for query in ({"split": "validation"}, {"after": "x"}, {"before": "-1"}):
        assert "Line 0 of story 1." in page(client, "corpus", "talk", **query)
    assert "No dialogue is left here." in page(client, "corpus", "talk", after=9)


def test_the_page_of_a_corpus_takes_as_many_queries_however_large(client, researcher, django_assert_num_queries):
    stored("few", map(dialogue, range(3)), by=researcher)
    stored("many", map(dialogue, range(90)), by=researcher)
    page(client, "corpus", "few")
    for name in ("few", "many"):
        with django_assert_num_queries(11):
            page(client, "corpus", name)


def test_a_download_is_the_corpus(client, researcher, tmp_path):
    files = mutual_files(1, 2)
    imported("lamps", tar_of(tmp_path / "x.tar.gz", files), format="mutual", by=researcher)
    answer = client.get(reverse("export_corpus", args=["lamps", "mutual"]))
    assert answer["Content-Disposition"] == 'attachment; filename="lamps-mutual.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
        assert archive.namelist() == ["dev/dev_1.txt", "dev/dev_2.txt"]


def test_a_dialogue_that_a_format_cannot_hold_is_named_on_the_page(client, researcher):
    stored("talk", [dialogue(1), dialogue(2, turns=1)], by=researcher)
    answer = client.get(reverse("export_corpus", args=["talk", "ubuntu-csv"]), follow=True)
    assert answer.redirect_chain == [(reverse("corpus", args=["talk"]), 302)]
    [told] = answer.context["messages"]
    assert "d2" in str(told)


def test_what_is_not_there_is_not_found(client, researcher):
    stored("talk", [dialogue(1)], by=researcher)
    nowhere = [
        ("corpus", "nothing"),
        ("export_corpus", "talk", "mutual"),
        ("export_corpus", "talk", "exe"),
        ("corpus_import", 0),
        ("corpus_review", 0),
    ]
    for name, *args in nowhere:
        assert client.get(reverse(name, args=args)).status_code == 404


def test_a_text_is_shown_as_text(client, researcher):
    stored("talk", [{"id": "<b>", "turns": [{"speaker": "<i>", "text": "<script>alert(1)</script>"}]}], by=researcher)
    text = page(client, "corpus", "talk")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_programs_read_corpora_and_their_dialogues(client, researcher, tmp_path):
    files = {**mutual_files(1), **mutual_files(1, variant="mutual_plus")}
    imported("lamps", tar_of(tmp_path / "x.tar.gz", files), format="mutual", by=researcher)
    [plus, lamps] = client.get("/api/v1/corpora/").json()["results"]
    assert (lamps["name"], lamps["variant_of"], plus["variant_of"]) == ("lamps", None, "lamps")
    assert lamps["checksum"] == Corpus.objects.get(name="lamps").checksum
    assert client.get("/api/v1/corpora/lamps/").json() == lamps
    [row] = client.get("/api/v1/corpora/lamps/dialogues/?split=dev").json()["results"]
    assert (row["id"], row["answer"], row["candidates"][2]) == ("dev_1", 2, "m : mend lamp number 1 .")
    assert row["turns"][0] == {"speaker": "m", "text": "lamp 1 is broken ."}
    assert client.get("/api/v1/corpora/lamps/dialogues/?split=test").json()["results"] == []
    stranger = Client()
    stranger.force_login(factories.person("an", Role.ANNOTATOR))
    assert stranger.get("/api/v1/corpora/lamps/").status_code == 403


def test_the_kind_of_job_has_a_sentence_for_each_way_to_end(client, researcher, good):
    job = reviews.receive(name="lamps", file=SimpleUploadedFile("a.zip", good), format="mutual", by=researcher)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error="broken:ValueError")
    assert "Something went wrong here, not in your work." in page(client, "corpus_review", job.pk)


def test_a_corpus_page_accounts_for_every_line_and_says_where_it_comes_from(client, tmp_path, researcher):
    log = "[10:00] <ann> dark\n[10:01] <bo> ann: plug?\n[10:02] <ann> bo: yes, bo\n=== cleo [c@d] has joined #lamps\n"
    (tmp_path / "2008-07-14.txt").write_text(log)
    corpora.import_corpus(
        name="lamps",
        path=tmp_path,
        source="log of a lamp shop",
        licence="CC BY 4.0",
        partial=False,
        report=no_progress,
        by=researcher,
    )
    text = " ".join(strip_tags(client.get(reverse("corpus", args=["lamps"])).content.decode()).split())
    assert "4 read = 3 kept + 0 joined + 1 dropped" in text
    assert "dropped: people joining, leaving or changing names 1" in text
    assert "changed: user names 1" in text
    assert "log of a lamp shop" in text and "CC BY 4.0" in text


def test_programs_search_the_dialogues_a_bounded_part_at_a_time(client, researcher, monkeypatch):
    corpus = stored("talk", map(dialogue, range(45)), by=researcher)
    flag(corpus, "d3", "d44")
    monkeypatch.setattr(reading, "BLOCK", 10)
    monkeypatch.setattr(reading, "MOST", 20)
    address, seen = "/api/v1/corpora/talk/dialogues/?words=STORY+4.&page_size=2", []
    while address:
        answer = client.get(address).json()
        seen.append(([row["id"] for row in answer["results"]], answer["looked_at"]))
        address = answer["next"]
    assert seen[0] == (["d4", "d14"], 15)
    assert seen[-1][1] == 45
    assert [id for ids, _looked in seen for id in ids] == ["d4", "d14", "d24", "d34", "d44"]
    found = client.get("/api/v1/corpora/talk/dialogues/?words=story+4.&flagged=1").json()
    assert [(row["id"], row["position"], row["flagged"]) for row in found["results"]] == [("d44", 44, True)]
    found = client.get("/api/v1/corpora/talk/dialogues/?flagged=1").json()
    assert [row["id"] for row in found["results"]] == ["d3", "d44"]
    for also in ("true", "True", "1"):
        assert client.get(f"/api/v1/corpora/talk/dialogues/?flagged={also}").json() == found
    for wrong in ("flagged=yes", "words=a&after=x", "words=a&page_size=0"):
        assert client.get(f"/api/v1/corpora/talk/dialogues/?{wrong}").status_code == 400


def test_files_that_are_no_logs_are_counted(client, sent, tmp_path):
    files = {"logs/2008-07-14.txt": LOG.encode(), "logs/notes.annotation": b"1 2 -\n", "logs/a.md": b"# About\n"}
    send(client, tar_of(tmp_path / "logs.tar.gz", files).read_bytes(), format="")
    job = done(sent.pop())
    assert job.result["ledger"]["files_not_read"] == 2
    text = page(client, "corpus_review", job.pk)
    assert "2 of 3" in text[text.index('id="files-not-read"') :].partition("</p>")[0]


def test_a_ledger_of_two_variants_says_so(client, researcher, tmp_path):
    both = tar_of(tmp_path / "a.tar.gz", {**mutual_files(1, 2), **mutual_files(1, 2, variant="mutual_plus")})
    assert imported("lamps", both, format="mutual", by=researcher).variant
    assert "of both variants together" in page(client, "corpus", "lamps")
    imported("talk", tar_of(tmp_path / "b.tar.gz", mutual_files(1, 2)), format="mutual", by=researcher)
    assert "of both variants together" not in page(client, "corpus", "talk")


# ---- a table with columns of any names ------------------------------------------------------------------------------
TABLE = "组,人,话,心情\n1,甲,在吗,好\n1,乙,在的,好\n2,甲,走吗,坏\n"
MATCHED = {"dialogue_id": "组", "speaker": "人", "text": "话"}


def matched(answer, **columns) -> dict[str, str]:
    """Return what the form sends with these columns chosen."""
    names = answer.context["reading"].columns_form["names"].value()
    return {"format": "table", "column-names": names, **{f"column-{ours}": theirs for ours, theirs in columns.items()}}


def test_columns_of_a_table_are_matched_seen_at_once_and_imported(client, sent):
    send(client, TABLE.encode(), format="", file_name="chats.csv")
    review = done(sent.pop())
    address = reverse("corpus_review", args=[review.pk])
    assert "The format cannot be determined" in page(client, "corpus_review", review.pk)
    trial = client.get(address, {"format": "table"})
    assert trial.context["reading"].look.cells[0] == ["1", "甲", "在吗", "好"]
    trial = client.get(address, matched(trial, **MATCHED))
    assert [row.id for row in trial.context["reading"].look.rows] == ["1", "2"]
    assert trial.context["reading"].look.left_out == ["心情"]
    assert review.pk == Job.objects.latest("pk").pk, "nothing is read for it"
    sending = choices(**matched(trial, **MATCHED))
    client.post(reverse("count_corpus_again", args=[review.pk]), sending)
    counted = done(sent.pop())
    assert (counted.result["good"], counted.result["format"]) == (2, "table")
    answer = client.post(reverse("import_corpus", args=[counted.pk]), sending)
    assert list(answer.context["form"].errors) == ["others"], "a person says what becomes of the other column"
    client.post(reverse("import_corpus", args=[counted.pk]), {**sending, "others": "out"})
    done(sent.pop())
    stored = Corpus.objects.get()
    assert [len(each.turns) for each in stored.dialogues.order_by("position")] == [2, 1]
    name = "Table with columns of any names"
    assert name in page(client, "corpus", stored.name)
    assert page(client, "corpora").count(name) == 2, "in the form and in the list"
    assert stored.recipe["choice"]["columns"]["text"] == "话"


def test_another_choice_of_columns_is_counted_before_it_is_imported(client, sent):
    send(client, TABLE.replace("组,人,话", "对话,说话人,内容").encode(), format="", file_name="chats.csv")
    review = done(sent.pop())
    assert (review.result["format"], review.result["good"]) == ("table", 2)
    seen = client.get(reverse("corpus_review", args=[review.pk]))
    sending = choices(**matched(seen, dialogue_id="对话", speaker="说话人", text="内容"), others="keep")
    client.post(reverse("import_corpus", args=[review.pk]), sending)
    counted = done(sent.pop())
    assert counted.kind == reviews.KIND
    client.post(reverse("import_corpus", args=[counted.pk]), sending)
    done(sent.pop())
    assert [each.facts for each in Corpus.objects.get().dialogues.order_by("position")] == [
        {"心情": "好"},
        {"心情": "坏"},
    ]


def test_without_a_licence_nothing_is_called_uncounted_and_its_field_has_the_focus(client, sent):
    send(client, "对话,说话人,内容\n1,甲,在吗\n1,乙,在的\n".encode(), format="", file_name="chats.csv")
    review = done(sent.pop())
    seen = client.get(reverse("corpus_review", args=[review.pk]))
    sending = choices(**matched(seen, dialogue_id="对话", speaker="说话人", text="内容"), licence="")
    answer = client.post(reverse("import_corpus", args=[review.pk]), sending)
    assert (list(answer.context["form"].errors), answer.context["is_trial"]) == (["licence"], False)
    assert "autofocus" in str(answer.context["form"]["licence"])
    changed = client.post(reverse("import_corpus", args=[review.pk]), {**sending, "column-speaker": ""})
    assert changed.context["is_trial"]


def test_a_review_that_failed_brings_back_what_was_chosen(client, sent):
    send(client, TABLE.encode(), format="table", file_name="chats.csv")
    review = done(sent.pop())
    trial = client.get(reverse("corpus_review", args=[review.pk]))
    sending = choices(**matched(trial, **MATCHED), separator="//", others="keep")
    client.post(reverse("count_corpus_again", args=[review.pk]), sending)
    failed = sent.pop()
    Job.objects.filter(pk=failed.pk).update(state=JobState.FAILED, error="died")
    context = client.get(reverse("corpus_review", args=[failed.pk])).context
    chosen = context["reading"].columns_form
    assert {name: chosen[name].value() for name in MATCHED} == MATCHED
    assert context["reading"].form["separator"].value() == "//"
    assert [context["form"][name].value() for name in ("licence", "others", "format")] == ["CC0", "keep", "table"]


def test_progress_of_a_review_counts_records(client, sent):
    lines = "".join(f"{number // 2},甲,话{number}\n" for number in range(1_000))
    send(client, f"对话,说话人,内容\n{lines}".encode(), format="", file_name="chats.csv")
    told = []
    started = jobs.start(job_pk=sent.pop().pk)
    tasks.carry_out(started, lambda done, total=None, **_: told.append((done, total)))
    assert told == [(done, 1_001) for done in range(200, 1_001, 200)]


def test_the_list_is_searched_sorted_and_paged(client, researcher, monkeypatch):
    monkeypatch.setattr("annotation.views.corpora.corpora.PAGE", 2)
    for name, count in (("kitchen", 3), ("lamps", 1), ("kites", 2)):
        stored(name, [dialogue(number) for number in range(count)], by=researcher)

    def names(**query: str) -> list[str]:
        return [corpus.name for corpus, _figures in client.get(reverse("corpora"), query).context["list"].rows]

    assert (names(), names(page="2")) == (["kites", "lamps"], ["kitchen"])
    assert names(sort="-dialogues") == ["kitchen", "kites"]
    assert names(search="KIT", sort="name") == ["kitchen", "kites"]
    assert names(search="nothing") == []
    page = client.get(reverse("corpora"), {"sort": "name"}).content.decode()
    assert '<input type="hidden" name="sort" value="name">' in page, "the form of page numbers keeps the order"
