"""Rewriting from the shell: make, import, simulate, freeze, statistics, export."""

import json
from hashlib import sha256

import pytest

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Item, Project, Recording
from core.models import Role
from tests import factories, recordings
from tests.rewriting import answered, file_of, items, judge, practice_items, question, rewriting_project, write

PEOPLE = (("an", Role.ANNOTATOR), ("ivo", Role.INSPECTOR))


@pytest.fixture
def items_file(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text(file_of([question(number) for number in range(12)]), encoding="utf-8")
    return path


def test_the_whole_way_from_a_file_to_mutual_s_folders(shell, items_file, tmp_path):
    made = shell("create_project", "listening", "--kind", "rewriting", "--set", "inspectors=2", "--json").json
    assert made["settings"] == {
        "inspectors": 2,
        "rounds": 3,
        "lease_minutes": 240,
        "per_day": 30,
        "inspected_percent": 100,
        "first_in_full": 20,
        "practice": 0,
        "practice_window": 20,
        "practice_threshold": 80,
        "practice_attempts": 3,
        "language": "both",
    }
    assert shell("import_items", "listening", items_file, "--format", "jsonl", "--json").json == {
        "rows": 12,
        "stored": 12,
        "duplicate": 0,
        "refused": 0,
        "rows_refused": [],
        "rows_duplicate": [],
    }
    done = shell("simulate_annotators", "listening", "--people", "5", "--seed", "1", "--json").json
    assert (done["people"], done["written"] >= 11) == (5, True)
    frozen = shell("freeze_release", "listening", "--json").json
    kept = Item.objects.filter(state="kept").count()
    assert (frozen["release"], frozen["instances"], sum(frozen["splits"].values())) == ("listening@1", kept, kept)

    table = shell("release_statistics", "listening", "--json").json
    assert (table["release"], table["pairs"], table["questions"], table["dialogues"]) == ("listening@1", kept, 12, 12)
    assert set(table["vocabulary"]) == {"context", "response", "both"}
    assert set(table["splits"]) == {"train", "dev", "test"}
    assert f"pairs: {kept}" in shell("release_statistics", "listening@1").out.splitlines()

    shell("export_release", "listening", "--format", "jsonl", "--out", tmp_path / "jsonl")
    content = b"".join((tmp_path / "jsonl" / f"{split}.jsonl").read_bytes() for split in ("train", "dev", "test"))
    assert sha256(content).hexdigest() == frozen["checksum"]
    written = shell("export_release", "listening", "--format", "mutual", "--out", tmp_path / "mutual", "--json").json
    assert written["left_out"] == {}
    assert len(list((tmp_path / "mutual").rglob("*.txt"))) == kept
    first = json.loads((tmp_path / "mutual/train/train_1.txt").read_text())
    assert list(first) == ["answers", "options", "article", "id"]


def test_mutual_plus_from_the_shell(shell, items_file, tmp_path):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    shell("simulate_annotators", "listening")
    own = tmp_path / "replies.txt"
    own.write_text("\ufeffPardon?\n\nWhat was that?\nOnce more?\nSay again?\nI missed that.\n", encoding="utf-8")
    frozen = shell("freeze_release", "listening", "--plus", "--replies", own, "--json").json
    plus = frozen["variants"]["plus"]
    assert plus["safe_replies"] == ["Pardon?", "What was that?", "Once more?", "Say again?", "I missed that."]
    out = tmp_path / "plus"
    written = shell(
        "export_release", "listening", "--variant", "plus", "--format", "jsonl", "--out", out, "--json"
    ).json
    assert written["checksum"] == plus["checksum"] != frozen["checksum"]
    lines = [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == frozen["instances"]
    assert all(row["candidates"][row["replaced"]] in plus["safe_replies"] for row in lines)
    assert "Variant plus: checksum" in shell("freeze_release", "listening", "--plus").out


def test_what_cannot_be_a_variant_is_refused(shell, items_file, tmp_path, project):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    shell("simulate_annotators", "listening")
    few = tmp_path / "few.txt"
    few.write_text("Pardon?\n", encoding="utf-8")
    assert "Between 5 and 100 safe replies" in shell("freeze_release", "listening", "--plus", "--replies", few).err
    assert shell("freeze_release", "listening", "--replies", few).code == 2
    assert "Rated pairs have no candidates" in shell("freeze_release", project.slug, "--plus").err
    shell("freeze_release", "listening")
    out = shell("export_release", "listening", "--variant", "plus", "--format", "csv", "--out", tmp_path / "out")
    assert (out.code, "has no variant “plus”" in out.err) == (1, True)


def test_a_refused_row_stops_the_file_unless_the_rest_is_wanted(shell, tmp_path):
    shell("create_project", "listening", "--kind", "rewriting")
    path = tmp_path / "dream.json"
    asked = {"question": "When?", "choice": ["a", "b", "c"], "answer": "a"}
    path.write_text(json.dumps([[["M: x", "W: y"], [asked, asked | {"answer": "d"}], "1"]]))
    stopped = shell("import_items", "listening", path, "--format", "dream", "--json")
    assert (stopped.code, stopped.json["stored"]) == (1, 0)
    assert stopped.json["rows_refused"] == [
        {
            "file": "dream.json",
            "line": 1,
            "record": 1,
            "dialogue": "1",
            "code": "answer_no_choice",
            "reason": 'the answer "d" is not one of the choices',
        }
    ]
    in_words = shell("import_items", "listening", path, "--format", "dream").err
    assert in_words.splitlines()[0] == 'dream.json, line 1, record 1 (1): the answer "d" is not one of the choices'
    partial = shell("import_items", "listening", path, "--format", "dream", "--partial", "--json")
    assert (partial.code, partial.json["stored"], partial.json["refused"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("rewriting", ["import_pairs", "other", "FILE"]),
        ("rewriting", ["import_ratings", "other", "FILE"]),
        ("rating", ["import_items", "other", "FILE", "--format", "jsonl"]),
    ],
)
def test_a_file_for_another_kind_of_project_is_refused(shell, items_file, kind, command):
    shell("create_project", "other", "--kind", kind)
    answer = shell(*[items_file if word == "FILE" else word for word in command], "--json")
    assert (answer.code, answer.json["code"]) == (1, "kind_wrong")
    assert not Item.objects.exists()


def test_a_format_of_another_kind_of_release_is_refused(shell, tmp_path):
    shell("create_project", "forum", "--kind", "rating")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("prompt\tresponse\n" + "".join(f"第{n}问\t第{n}答\n" for n in range(20)), encoding="utf-8")
    shell("import_pairs", "forum", pairs)
    shell("simulate_annotators", "forum")
    frozen = shell("freeze_release", "forum", "--json").json
    assert shell("release_statistics", "forum", "--json").json["pairs"] == frozen["instances"]
    answer = shell("export_release", "forum", "--format", "mutual", "--out", tmp_path / "out", "--json")
    assert (answer.code, answer.json["code"]) == (1, "format_wrong")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("chosen", ["inspectors=3", "rounds=0", "raters=2", "lease_minutes=often"])
def test_a_setting_that_a_rewriting_project_cannot_have_is_refused(shell, chosen):
    assert shell("create_project", "listening", "--kind", "rewriting", "--set", chosen).code == 1
    assert not Project.objects.exists()


def test_an_accepted_item_is_sent_back_by_its_id(shell, items_file):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    shell("simulate_annotators", "listening")
    kept = Item.objects.filter(state="kept").first()
    assert shell("reopen", "listening", kept.key, "--why", "  ").code == 1
    assert shell("reopen", "listening", kept.key, "--why", "The third one fits as well.").code == 0
    kept.refresh_from_db()
    assert kept.state == "returned"
    again = shell("reopen", "listening", kept.key, "--why", "Once more.")
    assert (again.code, "already being revised" in again.err) == (1, True)
    missing = shell("reopen", "listening", "nowhere", "--why", "?")
    assert (missing.code, "listening has no item nowhere" in missing.err) == (2, True)


def test_ids_that_several_items_share_name_none_of_them(shell, items_file):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    Item.objects.update(external_id="same")
    printed = shell("reopen", "listening", "same", "--why", "?")
    assert (printed.code, "several items same" in printed.err) == (2, True)


def test_an_item_without_an_id_goes_by_the_beginning_of_its_digest(shell, items_file):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    shell("simulate_annotators", "listening")
    kept = Item.objects.filter(state="kept").first()
    Item.objects.filter(pk=kept.pk).update(external_id="")
    assert shell("reopen", "listening", kept.digest[:16], "--why", "Mend the cut.").code == 0
    assert shell("reopen", "listening", kept.digest[:8], "--why", "Mend the cut.").code == 2


def test_two_people_are_asked_about_types_from_the_shell(shell, items_file):
    shell("create_project", "listening", "--kind", "rewriting")
    shell("import_items", "listening", items_file, "--format", "jsonl")
    empty = shell("ask_types", "listening")
    assert (empty.code, "Nothing is accepted yet" in empty.err) == (1, True)
    shell("simulate_annotators", "listening")
    kept = Item.objects.filter(state="kept").count()
    assert shell("ask_types", "listening", "--instances", "2", "--json").json["asked"] == 2
    assert shell("ask_types", "listening", "--json").json["asked"] == kept - 2
    assert shell("ask_types", "listening", "--instances", "0").code == 2


def test_practice_items_come_in_apart_from_the_work(shell, items_file, tmp_path):
    shell("create_project", "listening", "--kind", "rewriting", "--set", "practice=170")
    drawn = tmp_path / "practice.jsonl"
    drawn.write_text(file_of([question(number) for number in range(10, 15)]), encoding="utf-8")
    assert shell("import_items", "listening", items_file).code == 0
    found = shell("import_items", "listening", drawn, "--practice", "--json").json
    assert (found["rows"], found["stored"], found["duplicate"]) == (5, 3, 2)  # what is work is not practised on
    project = Project.objects.get()
    assert (project.items.counting().count(), project.items.filter(purpose="practice").count()) == (12, 3)


def test_the_window_of_practice_has_no_more_than_an_attempt(shell):
    printed = shell("create_project", "listening", "--kind", "rewriting", "--set", "practice=10")
    assert printed.code == 1
    assert "so 20 can never be graded" in printed.err


def test_qualification_of_authors_from_the_shell(shell, researcher):
    project = rewriting_project(researcher, practice=1, practice_window=1, practice_attempts=1)
    items(project)
    practice_items(project)
    author, inspector = (factories.person(name, role, project=project) for name, role in PEOPLE)
    write(project, author)
    judge(answered(project, inspector), InspectionVerdict.DISCARD, comments={"0": "Too easy."})
    report = shell("qualification", "listening", "--json").json
    [annotator] = report["authors"]
    assert (report["practice"], report["items"], annotator["user"], annotator["status"]) == (1, 1, "an", "failed")
    assert [(each["state"], each["drafts"], each["graded"], each["accepted"]) for each in annotator["attempts"]] == [
        ("failed", 1, 1, 0)
    ]
    assert "an" in shell("qualification", "listening").out.lower()
    said = shell("resume_rater", "listening", "--user", "an", "--why", "talked it over")
    assert (said.code, said.out) == (0, "an may practise once more.\n")
    assert shell("qualification", "listening", "--json").json["authors"][0]["status"] == "again"
    again = shell("resume_rater", "listening", "--user", "an", "--why", "once more")
    assert (again.code, "still has practice attempts left" in again.err) == (1, True)


@pytest.mark.parametrize("packed", [recordings.zipped, recordings.tarred])
def test_an_archive_with_audio_is_imported_and_a_wrong_file_refuses_its_row_alone(shell, tmp_path, packed):
    shell("create_project", "listening", "--kind", "rewriting")
    path = packed(
        tmp_path / "discussions",
        recordings.row(1),
        recordings.row(2, audio="a.png"),
        recordings.row(3, audio=None, answer_image=None, answer="A"),
    )
    done = shell("import_items", "listening", path, "--format", "jsonl", "--json")
    assert done.code == 1
    assert '"no_audio"' in done.out
    assert Recording.objects.count() == Item.objects.count() == 0
    done = shell("import_items", "listening", path, "--format", "jsonl", "--partial", "--json").json
    assert (done["stored"], done["refused"]) == (2, 1)
    assert sorted(Item.objects.values_list("state", flat=True)) == ["open", "recorded"]
    assert {recording.path.exists() for recording in Recording.objects.all()} == {True}
    again = shell("import_items", "listening", path, "--partial", "--json").json
    assert (again["stored"], again["duplicate"]) == (0, 2)
