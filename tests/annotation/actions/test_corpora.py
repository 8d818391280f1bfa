"""Importing corpora: whole or not at all, under a name of their own, once."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.base import ContentFile

from annotation.actions.corpora import contents, corpora, corpus_jobs, reviews
from annotation.actions.corpora.contents import NotImported
from annotation.importers import mutual
from annotation.models import Corpus, Dialogue
from annotation.presenters.corpora.refusals import why_not
from core.actions import names
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Event, Job, Name
from core.models.frozen import Frozen
from tests.corpora import dialogue, folder_of, imported, instance, jsonl_of, mutual_files, stored, tar_of
from tests.factories import no_progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def archive(tmp_path):
    return tar_of(tmp_path / "mutual.tar.gz", {**mutual_files(1, 2), **mutual_files(1, variant="mutual_plus")})


@pytest.fixture
def half_bad(tmp_path):
    """Return two good instances and one whose answer is no option."""
    bad = folder_of({"mutual/dev/dev_9.txt": instance(9, answers="E")})
    return tar_of(tmp_path / "half.tar.gz", {**mutual_files(1, 2), **bad})


def test_both_variants_become_corpora_linked_by_their_ids(archive, researcher):
    made = imported("lamps", archive, format="mutual", by=researcher)
    lamps, plus = made.corpus, made.variant
    assert (lamps.name, lamps.dialogues_count, plus.name, plus.dialogues_count) == ("lamps", 2, "lamps-plus", 1)
    assert (plus.variant_of, lamps.variant_of) == (lamps, None)
    ids = set(lamps.dialogues.values_list("external_id", flat=True))
    assert set(plus.dialogues.values_list("external_id", flat=True)) <= ids
    assert set(Name.objects.filter(kind="corpus").values_list("name", flat=True)) == {"lamps", "lamps-plus"}
    assert Event.objects.filter(subject="corpus", became="imported", by=researcher).count() == 2


def test_what_is_stored_is_what_was_read(archive, researcher):
    corpus = imported("lamps", archive, format="mutual", by=researcher).corpus
    first, second = corpus.dialogues.order_by("position")
    assert (first.position, first.external_id, second.external_id) == (0, "dev_1", "dev_2")
    assert first.turns[0] == {"speaker": "m", "text": "lamp 1 is broken ."}
    assert (first.candidates[2], first.answer, first.as_written) == ("m : mend lamp number 1 .", 2, "")
    assert corpus.statistics["dev"] == {"dialogues": 2, "turns": 6, "instances": 2, "answers": 2}


def test_lengths_are_counted_over_all_splits_while_a_corpus_is_read(researcher):
    rows = [
        {"turns": ["one two\nthree", "four"], "split": "train"},
        {"turns": ["a b c", "d", "e"]},
        {"turns": ["a", "b"], "split": "test"},
    ]
    figures = stored("talk", rows, by=researcher).statistics["all"]
    assert [figures[name] for name in ("dialogues", "turns", "utterances", "words")] == [3, 7, 8, 11]
    assert (figures["turns_fewest"], figures["turns_median"], figures["turns_most"]) == (2, 2, 3)
    assert (figures["words_median"], figures["minutes_median"]) == (4, None)
    assert figures["by_turns"] == {"2": 2, "3": 1}


def test_the_checksum_covers_content_and_not_name_slot_or_order(archive, tmp_path, researcher):
    first = imported("lamps", archive, format="mutual", by=researcher).corpus
    turned = tar_of(tmp_path / "turned.tar.gz", dict(reversed(mutual_files(1, 2).items())))
    again = imported("again", turned, format="mutual", by=researcher).corpus
    other = imported("other", tar_of(tmp_path / "o.tar.gz", mutual_files(1, 3)), format="mutual", by=researcher).corpus
    assert first.checksum == again.checksum != other.checksum


def test_contexts_that_differ_by_case_and_punctuation_have_one_digest(researcher):
    corpus = stored(
        "talk", [{"turns": ["Hello, you!", "Hi."]}, {"turns": ["hello you", "hi"]}, {"turns": ["Hm"]}], by=researcher
    )
    first, second, third = corpus.dialogues.order_by("position").values_list("digest", flat=True)
    assert first == second != third


def test_a_dialogue_without_a_key_of_its_own_is_the_conversation_of_its_text(researcher):
    rows = [{"turns": ["Hello!"]}, {"turns": ["hello"]}, {"turns": ["hello"], "conversation": "c7"}]
    kept = stored("talk", rows, by=researcher).dialogues.order_by("position")
    first, second, third = kept.values_list("conversation", flat=True)
    assert first == second == kept[0].digest
    assert third == "c7"


def test_the_checksum_covers_conversations_and_facts(researcher):
    turns = {"turns": ["Hello!"]}
    variants = [turns, {**turns, "conversation": "a"}, {**turns, "conversation": "b"}, {**turns, "facts": {"a": 1}}]
    made = [stored(f"c{n}", [row], by=researcher).checksum for n, row in enumerate(variants)]
    assert len(set(made)) == len(variants)


def test_a_word_of_the_lists_in_a_candidate_flags_an_instance_too(tmp_path, researcher):
    files = folder_of({f"mutual/dev/dev_{n}.txt": instance(n) for n in (1, 2)})
    files |= folder_of({"mutual/dev/dev_3.txt": instance(3, options=["m : no .", "m : shit !", "m : oh ?", "m : ."])})
    corpus = imported("lamps", tar_of(tmp_path / "x.tar.gz", files), format="mutual", by=researcher).corpus
    flags = corpus.dialogues.order_by("position").values_list("external_id", "flagged")
    assert [*flags] == [("dev_1", False), ("dev_2", False), ("dev_3", True)]


def test_one_refused_row_and_nothing_is_stored(half_bad, researcher):
    with pytest.raises(NotImported) as refused:
        imported("lamps", half_bad, format="mutual", by=researcher)
    assert refused.value.code == "rows_refused"
    [row] = refused.value.found.bad
    assert (row.file, row.reason.code, refused.value.found.good) == ("mutual/dev/dev_9.txt", "answer_no_option", 2)
    assert not Corpus.objects.exists()
    assert not Name.objects.filter(kind="corpus").exists()


def test_the_good_rows_alone_are_stored_when_one_says_so(half_bad, researcher):
    made = imported("lamps", half_bad, format="mutual", partial=True, by=researcher)
    assert (made.corpus.dialogues_count, made.found.refused) == (2, 1)


def test_a_corpus_is_never_imported_over(archive, researcher):
    before = imported("lamps", archive, format="mutual", by=researcher).corpus
    with pytest.raises(NotImported) as refused:
        imported("lamps", archive, format="mutual", by=researcher)
    assert refused.value.code == "corpus_exists"
    assert "choose another name" in str(refused.value)
    assert Corpus.objects.get(name="lamps") == before
    assert Dialogue.objects.count() == 3


@pytest.mark.parametrize("taken", ["weibo", "lamps-plus"])
def test_a_name_that_another_thing_has_stores_nothing(taken, archive, project, researcher):
    if taken != "weibo":
        names.claim(taken, "study")
    with pytest.raises(Refused) as refused:
        imported("weibo" if taken == "weibo" else "lamps", archive, format="mutual", by=researcher)
    assert refused.value.code == "slug_taken"
    assert not Corpus.objects.exists()
    assert not Dialogue.objects.exists()


@pytest.mark.parametrize("taken", ["lamps", "lamps-plus"])
def test_a_name_that_is_taken_is_told_before_the_file_is_read(taken, archive, researcher, monkeypatch):
    def read(files, ledger, recipe):
        pytest.fail("read")

    monkeypatch.setattr(mutual, "read", read)
    names.claim(taken, "study")
    with pytest.raises(Refused) as refused:
        imported("lamps", archive, format="", by=researcher)
    assert refused.value.code == "slug_taken"


def test_the_name_of_a_second_variant_may_be_taken_where_there_is_none(tmp_path, researcher):
    names.claim("lamps-plus", "study")
    made = imported("lamps", tar_of(tmp_path / "x.tar.gz", mutual_files(1, 2)), format="mutual", by=researcher)
    assert made.corpus.dialogues_count == 2


@pytest.mark.parametrize("name", ["", "two words", "名字", "x" * 56, "a/b", "a@1", "a:dev"])
def test_a_name_is_short_and_plain(name, archive, researcher):
    with pytest.raises(Refused) as refused:
        imported(name, archive, format="mutual", by=researcher)
    assert refused.value.code == "name_wrong"


def test_the_ledger_of_a_corpus_adds_up_and_counts_refused_rows(half_bad, researcher):
    made = imported("lamps", half_bad, format="mutual", partial=True, by=researcher).corpus
    assert made.ledger == {"read": 3, "kept": 2, "joined": 0, "dropped": {"refused": 1}, "changed": {}}
    assert made.recipe == {"rules": {}, "zone": "UTC", "seed": 0, "leave": []}


def test_a_reader_that_loses_count_stores_nothing(archive, researcher, monkeypatch):
    def read(files, ledger, recipe):
        ledger.read += 1
        yield from mutual.read(files, ledger, recipe)

    careless = SimpleNamespace(read=read, total=mutual.total)
    monkeypatch.setitem(contents.READERS, "mutual", careless)
    with pytest.raises(contents.LedgerOpen):
        imported("lamps", archive, format="mutual", by=researcher)
    assert not Corpus.objects.exists()


def test_without_a_format_the_content_tells_it(archive, tmp_path, researcher):
    assert imported("lamps", archive, format="", by=researcher).corpus.format == "mutual"
    lines = jsonl_of(tmp_path / "x.txt", [dialogue(1)])
    assert imported("talk", lines, format="", by=researcher).corpus.format == "jsonl"


@pytest.mark.parametrize("content", [b"", b"A note about the weather.\n", b"{}\n", b"\xff\xfe\x00"])
def test_a_content_that_tells_no_format_is_refused_with_the_formats(content, tmp_path, researcher):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(NotImported) as refused:
        imported("talk", tmp_path / "file", format="", by=researcher)
    assert (refused.value.code, refused.value.reason.code) == ("file_refused", "format_unclear")
    assert all(format in str(refused.value) for format in contents.READERS)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "There is no dialogue in it. Nothing was stored."),
        (b"\x1f\x8bnonsense", "The archive is broken or of a kind that cannot be read; pack it again"),
        (b"%PDF-1.7 and more", "all rows were refused"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_with_a_sentence(content, sentence, tmp_path, researcher):
    (tmp_path / "file.jsonl").write_bytes(content)
    with pytest.raises(NotImported) as refused:
        imported("lamps", tmp_path / "file.jsonl", by=researcher)
    assert sentence in str(refused.value)


def test_progress_rises_to_the_number_of_dialogues(tmp_path, researcher, monkeypatch):
    monkeypatch.setattr(corpora, "EVERY", 2)
    told = []
    corpora.import_corpus(
        name="talk",
        path=jsonl_of(tmp_path / "x.jsonl", map(dialogue, range(9))),
        format="jsonl",
        partial=False,
        report=lambda done, total=None: told.append((done, total)),
        by=researcher,
    )
    assert told == sorted(told)
    assert told[-1] == (9, 9)


@pytest.mark.parametrize("half", ["reading", "storing"])
def test_an_import_that_ends_half_way_stores_nothing_and_can_be_done_again(half, tmp_path, researcher, monkeypatch):
    monkeypatch.setattr(corpora, "EVERY", 2)
    path = jsonl_of(tmp_path / "x.jsonl", map(dialogue, range(9)))

    def report(done, total=None):
        if half == "reading" or (total and 2 * done > total):
            raise SystemExit

    with pytest.raises(SystemExit):
        corpora.import_corpus(name="talk", path=path, format="jsonl", partial=False, report=report, by=researcher)
    assert not Corpus.objects.exists() and not Dialogue.objects.exists()
    assert imported("talk", path, by=researcher).corpus.dialogues_count == 9


def received(path: Path, researcher, name="lamps") -> Job:
    file = ContentFile(path.read_bytes(), name="mutual archive.tar.gz")
    return reviews.receive(name=name, file=file, format="", by=researcher)


def reviewed(job: Job) -> Job:
    """Run a review as the worker does."""
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, result=reviews.run_review(job, no_progress))
    job.refresh_from_db()
    return job


def wanted(review: Job, researcher, name="lamps") -> Job:
    return reviews.ask_for_import(review=review, name=name, source="a shop", licence="CC0", by=researcher)


def test_a_job_whose_process_is_started_twice_makes_one_corpus(archive, researcher):
    job = wanted(reviewed(received(archive, researcher)), researcher)
    first, again = (corpus_jobs.run_import(job, no_progress) for _time in range(2))
    assert first == again
    assert (first["corpus"], first["variant"], first["stored"], first["refused"]) == ("lamps", "lamps-plus", 3, 0)
    assert Corpus.objects.count() == 2


def test_a_review_tells_refused_rows_and_the_good_ones_are_imported(half_bad, researcher):
    job = reviewed(received(half_bad, researcher))
    assert (job.result["good"], job.result["refused"], job.result["format"]) == (2, 1, "mutual")
    assert job.result["rows"][0] | {"excerpt": ""} == {
        "file": "mutual/dev/dev_9.txt",
        "line": None,
        "code": "answer_no_option",
        "excerpt": "",
        "params": {"answer": "E", "first": "A", "last": "D"},
    }
    assert not Corpus.objects.exists()
    assert corpus_jobs.run_import(wanted(job, researcher), no_progress)["stored"] == 2
    made = Corpus.objects.get()
    assert (made.source, made.licence, made.ledger) == ("a shop", "CC0", job.result["ledger"])
    assert made.checksum == job.result["corpora"][0]["checksum"]


def test_only_a_review_with_dialogues_can_be_imported(archive, tmp_path, researcher):
    (tmp_path / "empty").write_bytes(b"A note about the weather.\n")
    for review in (received(archive, researcher), reviewed(received(tmp_path / "empty", researcher))):
        with pytest.raises(Refused) as refused:
            wanted(review, researcher)
        assert refused.value.code == "nothing_to_import"


def test_a_review_says_why_a_file_cannot_be_read(tmp_path, researcher):
    (tmp_path / "note").write_bytes(b"A note about the weather.\n")
    job = reviewed(received(tmp_path / "note", researcher))
    assert (job.result["refusal"], job.result["reason"]["code"]) == ("file_refused", "format_unclear")


def test_a_sum_that_does_not_close_is_told_with_its_difference(archive, researcher, monkeypatch):
    def read(files, ledger, recipe):
        ledger.read += 1
        yield from mutual.read(files, ledger, recipe)

    careless = SimpleNamespace(read=read, total=mutual.total, fits=mutual.fits)
    monkeypatch.setitem(contents.READERS, "mutual", careless)
    job = reviewed(received(archive, researcher))
    assert (job.result["refusal"], job.result["params"]) == ("ledger_open", {"difference": "4 ≠ 3"})
    assert "4 ≠ 3" in why_not(job)


LOG = (
    "[10:00] <ann> the lamp is dark\n[10:01] <bo> ann: is it shit?\n"
    "[10:02] <ann> bo: mail me at a@b.example\n[10:03] <ann> bo: or ann\n=== cleo [c@d] has joined #lamps\n"
)


def test_a_review_counts_again_with_other_choices(tmp_path, researcher):
    log = tar_of(tmp_path / "log.tar.gz", {"#lamps/2008-07-14.txt": LOG.encode()})
    job = reviewed(received(log, researcher))
    assert job.result["replacements"] == {
        "email": [["mail me at ", "a@b.example", "[email]", "\nor ann"]],
        "user": [["mail me at [email]\nor ", "ann", "@user", ""]],
    }
    assert job.result["ledger"] == {
        "read": 5,
        "kept": 3,
        "joined": 1,
        "dropped": {"notice": 1},
        "changed": {"email": 1, "user": 1},
    }
    [dialogue] = job.result["dialogues"]
    assert (dialogue["of"], dialogue["turns"][0]["at"]) == (3, "2008-07-14T10:00:00Z")
    [flagged] = job.result["flagged_texts"]
    assert flagged["pieces"] == [["is it ", False], ["shit", True], ["?", False]]
    changes = {"zone": "Europe/Paris", "leave": ["email", "user"], "seed": 7}
    words = ContentFile(b"dark\n", name="ours.txt")
    again = reviewed(reviews.count_again(review=job, changes=changes, words=words, by=researcher))
    [flagged] = again.result["flagged_texts"]
    assert flagged["pieces"] == [["the lamp is ", False], ["dark", True]]
    assert (again.result["replacements"], again.result["ledger"]["changed"]) == ({}, {})
    assert again.result["dialogues"][0]["turns"][0]["at"] == "2008-07-14T08:00:00Z"
    assert again.result["flagged"] == 1
    corpus_jobs.run_import(wanted(again, researcher), no_progress)
    made = Corpus.objects.get()
    assert {**made.recipe, "rules": {}} == {
        "rules": {},
        "zone": "Europe/Paris",
        "seed": 7,
        "leave": ["email", "user"],
        "word_lists": ["ours.txt"],
    }
    assert made.dialogues.get().turns[2]["text"] == "mail me at a@b.example\nor ann"
    assert made.dialogues.get().flagged


def test_a_review_keeps_few_of_many_and_the_same_seed_the_same(tmp_path, researcher):
    rows = [dialogue(number, turns=20) for number in range(300)]
    for row in rows:
        row["turns"][3]["text"] = "x" * 5_000 + " shit"
    path = jsonl_of(tmp_path / "talk.jsonl", rows)
    first, again = (reviewed(received(path, researcher)).result for _time in range(2))
    assert first == again
    assert first["flagged"] == 300
    assert (len(first["dialogues"]), len(first["flagged_texts"])) == (10, 10)
    assert len(json.dumps(first)) < 50_000
    third = reviews.count_again(review=received(path, researcher), changes={"seed": 1}, by=researcher)
    assert reviewed(third).result["dialogues"] != first["dialogues"]


def test_a_name_taken_while_the_job_waited_is_a_result(archive, researcher):
    job = wanted(reviewed(received(archive, researcher)), researcher)
    stored("lamps", [dialogue(1)], by=researcher)
    result = corpus_jobs.run_import(job, no_progress)
    assert (result["refusal"], result["stored"]) == ("corpus_exists", 0)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, result=result)
    job.refresh_from_db()
    assert "There is a corpus “lamps” already" in why_not(job)


def test_frozen_dialogues_refuse_to_be_changed(researcher):
    corpus = stored("talk", [dialogue(1)], by=researcher)
    with pytest.raises(Frozen):
        corpus.dialogues.update(answer=1)
