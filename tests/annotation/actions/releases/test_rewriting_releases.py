"""Freezing accepted instances: what goes in, which split, and the same bytes for the same seed."""

import csv
import json
from collections import defaultdict
from hashlib import sha256

import pytest

from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.releases.plus import SAFE_REPLIES
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AssignmentState
from annotation.exporters.canonical import checksum
from annotation.models import Assignment, Item, Project, Purpose, Release
from annotation.selectors.releases.releases import (
    formats_of,
    instances_of,
    left_out,
    prospect_of,
    safe_replies,
    write,
    zipped,
)
from core.actions.refusals import Refused
from core.models import Role, User
from tests import factories
from tests.rewriting import CANDIDATES, begin, file_of, inspect, question, rewriting_project, submit
from tests.rewriting import write as write_next


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


def freeze(project: Project, seed: int = 0) -> Release:
    return releases.freeze(project=project, seed=seed, report=factories.no_progress, by=project.created_by)


def accept(project: Project, author: User, inspector: User, questions: list[dict]) -> None:
    """Write these questions, cut after the third turn, and accept them all."""
    factories.stored(project, file_of(questions), "items.jsonl")
    for _question in questions:
        write_next(project, author)
        inspect(project, inspector)


def instances(release: Release) -> list[dict]:
    return list(instances_of(release))


def test_an_instance_is_published_with_its_context_and_four_candidates_in_a_drawn_order(project, author, inspector):
    accept(project, author, inspector, [question(1, source="book")])
    [instance] = instances(freeze(project))
    assert [turn["speaker"] for turn in instance["context"]] == ["W", "M", "W"]
    assert (instance["speaker"], instance["id"], instance["source"], instance["author"]) == ("M", "q1", "book", "r1")
    assert instance["candidates"][instance["answer"]] == CANDIDATES[0]
    assert [CANDIDATES[part] for part in instance["parts"]] == instance["candidates"]
    assert instance["question"] == question(1)["question"]
    assert "an" not in json.dumps(instance["author"])


def test_the_right_one_stands_at_every_slot_about_equally_often(project, author, inspector):
    accept(project, author, inspector, [question(number) for number in range(24)])
    positions = [instance["answer"] for instance in instances(freeze(project))]
    assert set(positions) == {0, 1, 2, 3}


def test_only_accepted_work_goes_in_and_the_rest_is_counted(project, author, inspector, researcher):
    factories.stored(project, file_of([question(number) for number in range(6)]), "items.jsonl")
    accepted = write_next(project, author)
    inspect(project, inspector)
    discarded = write_next(project, author)
    inspect(project, inspector, InspectionVerdict.DISCARD)
    write_next(project, author)
    inspect(project, inspector, InspectionVerdict.RETURN)
    practice = write_next(project, factories.person("bo", project=project))
    inspect(project, inspector)
    Item.objects.filter(pk=practice.assignment.slot.item_id).update(purpose=Purpose.PRACTICE)
    release = freeze(project)
    assert [row["id"] for row in instances(release)] == [accepted.assignment.slot.item.external_id]
    assert release.counts["left_out"] == {"open": 3, "removed": 1}
    assert discarded.assignment.slot.item.external_id not in str(instances(release))
    prospect = prospect_of(project)
    assert (prospect.kept, prospect.left_out, prospect.prompts) == (1, release.counts["left_out"], 1)


def test_a_revised_instance_is_published_as_it_was_written_last(project, author, inspector):
    factories.stored(project, file_of([question(1)]), "items.jsonl")
    write_next(project, author)
    inspect(project, inspector, InspectionVerdict.RETURN)
    again = rewrites.open_assignment(assignment=Assignment.objects.get(state=AssignmentState.HELD), by=author)
    submit(again, cut=1, candidates=["Revised.", *CANDIDATES[1:]])
    inspect(project, inspector)
    [instance] = instances(freeze(project))
    assert len(instance["context"]) == 1
    assert "Revised." in instance["candidates"]
    assert CANDIDATES[0] not in instance["candidates"]


def test_everything_of_one_conversation_is_in_one_split_whatever_its_speakers_and_ids(project, author, inspector):
    """Import two more versions of each dialogue: with other speakers, case and punctuation, and with another ending."""
    questions = []
    for number in range(30):
        base = question(number)
        renamed = [turn.replace("W:", "Ann:").replace("M:", "Bob:").upper() for turn in base["turns"]]
        other_end = [*base["turns"][:3], "M: Then we need another one."]
        questions += [
            base,
            question(number, id=f"r{number}", turns=renamed, question=f"And room {number}?"),
            question(number, id=f"e{number}", turns=other_end, question=f"Whose room {number}?"),
        ]
    accept(project, author, inspector, questions)
    splits = defaultdict(set)
    for instance in instances(freeze(project, 5)):
        splits[instance["id"][1:]].add(instance["split"])
    assert all(len(some) == 1 for some in splits.values())
    assert {split for some in splits.values() for split in some} == {"train", "dev", "test"}


def test_the_same_seed_gives_the_same_release_and_another_another(project, author, inspector):
    accept(project, author, inspector, [question(number) for number in range(12)])
    first, again, other = freeze(project), freeze(project), freeze(project, 1)
    assert first.checksum == again.checksum == checksum(instances(first))
    assert first.checksum != other.checksum


def test_the_release_says_what_inspectors_found_and_how_large_the_sources_are(project, author, inspector):
    factories.stored(project, file_of([question(number) for number in range(4)]), "items.jsonl")
    for verdict in (InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD):
        write_next(project, factories.person(f"a-{verdict}", project=project))
        inspect(project, inspector, verdict)
    release = freeze(project)
    assert release.agreement.pop("agreement")["n"] == 0  # no two people judged the same
    share, _ends = (release.agreement["instances"].pop(name) for name in ("discarded_share", "discarded_share_ci"))
    assert share == 0.5
    assert release.agreement == {
        "inspections": 3,
        "blind": {
            "answers": 3,
            "right": 3,
            "undecided": 0,
            "share": 1.0,
            "share_ci": None,
            "share_why": "one_person",
        },
        "verdicts": {"accept": 1, "return": 1, "discard": 1},
        "rounds": {"1": 3},
        "instances": {"inspected": 2, "discarded": 1, "revised": 0, "not_inspected": 0, "returned_later": 0},
    }
    every = release.statistics["all"]
    assert (every["pairs"], every["dialogues"], every["questions"], every["turns_mean"]) == (1, 4, 4, 3.0)
    assert "an" not in release.agreement


def test_nothing_accepted_is_nothing_to_freeze(project, author):
    factories.stored(project, file_of([question(1)]), "items.jsonl")
    begin(project, author)
    with pytest.raises(Refused, check=lambda refused: refused.code == "nothing_kept"):
        freeze(project)


def test_it_is_written_in_every_format_and_zipped_with_its_folders(project, author, inspector, tmp_path):
    three = question(2, turns=["A: Hello.", "B: Hi.", "C: Good day.", "A: Well."])
    accept(project, author, inspector, [question(1), three])
    release = freeze(project)
    assert formats_of(project) == ("csv", "jsonl", "parquet", "trec", "huggingface", "mutual")
    assert left_out(release, format="mutual") == {"more than two speakers": 1}
    assert left_out(release, format="jsonl") == {}
    files = write(release, format="mutual", folder=tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in files} >= {
        "ids.csv",
        "left_out.csv",
        "release.json",
        "README.md",
    }
    assert "2 inspections: 2 accepted, 0 returned for revision, 0 discarded." in (tmp_path / "README.md").read_text()
    assert sum(path.suffix == ".txt" for path in files) == 1
    with zipped(release, format="mutual") as first, zipped(release, format="mutual") as second:
        content = first.read()
        assert content == second.read()
    assert any(f"{split}/{split}_1.txt".encode() in content for split in ("train", "dev", "test"))


def test_an_inspector_s_role_changes_nothing_of_the_labels(project, author, inspector):
    second = factories.person("aa", Role.ANNOTATOR, project=project)
    factories.stored(project, file_of([question(number) for number in range(2)]), "items.jsonl")
    for person in (author, second):
        write_next(project, person)
        inspect(project, inspector)
    assert sorted(instance["author"] for instance in instances(freeze(project))) == ["r1", "r2"]


# ---- MuTual-plus ----------------------------------------------------------------------------------------------------


def with_plus(project: Project, **changed) -> Release:
    wanted = {"seed": 0, "safe_replies": SAFE_REPLIES, "report": factories.no_progress} | changed
    return releases.freeze(project=project, by=project.created_by, **wanted)


def test_the_variant_has_the_ids_splits_and_slots_of_the_release(project, author, inspector):
    accept(project, author, inspector, [question(number) for number in range(24)])
    release = with_plus(project)
    plus = list(instances_of(release, "plus"))
    kept = ("id", "split", "context", "answer", "parts")
    assert [[each[name] for name in kept] for each in plus] == [
        [each[name] for name in kept] for each in instances(release)
    ]
    for before, after in zip(instances(release), plus, strict=True):
        changed = [position for position in range(4) if before["candidates"][position] != after["candidates"][position]]
        assert changed == [after["replaced"]]
        assert after["candidates"][after["replaced"]] in SAFE_REPLIES
    assert {each["parts"][each["replaced"]] for each in plus} == {0, 1, 2, 3}


def test_the_variant_changes_nothing_of_the_release(project, author, inspector):
    accept(project, author, inspector, [question(number) for number in range(6)])
    plain, plus, again = freeze(project), with_plus(project), with_plus(project)
    assert plain.variants == {}
    assert plain.checksum == plus.checksum
    assert plus.variants == again.variants
    assert with_plus(project, safe_replies=[f"{text} Please." for text in SAFE_REPLIES]).variants != plus.variants


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet", "huggingface", "mutual"])
def test_the_variant_is_written_in_every_format(project, author, inspector, tmp_path, format):
    accept(project, author, inspector, [question(number) for number in range(6)])
    release = with_plus(project)
    written = write(release, format=format, variant="plus", folder=tmp_path)
    about = json.loads((tmp_path / "release.json").read_text("utf-8"))
    assert (about["variant"], about["checksum"]) == ("plus", release.variants["plus"]["checksum"])
    assert "variant `plus`" in (tmp_path / "README.md").read_text("utf-8")
    assert written


def test_the_variant_s_figures_are_its_own(project, author, inspector, tmp_path):
    accept(project, author, inspector, [question(number) for number in range(12)])
    release = with_plus(project)
    write(release, format="csv", variant="plus", folder=tmp_path)
    about = json.loads((tmp_path / "release.json").read_text("utf-8"))
    here, plain = about["statistics"]["all"], release.statistics["all"]
    assert (here["pairs"], here["turns_mean"]) == (plain["pairs"], plain["turns_mean"])
    assert here["vocabulary"]["response"] > plain["vocabulary"]["response"]
    assert "Inspectors judged the instances as the release has them" in (tmp_path / "README.md").read_text("utf-8")


def test_the_checksum_of_the_variant_is_that_of_its_lines(project, author, inspector, tmp_path):
    accept(project, author, inspector, [question(number) for number in range(12)])
    release = with_plus(project)
    write(release, format="jsonl", variant="plus", folder=tmp_path)
    lines = b"".join((tmp_path / f"{split}.jsonl").read_bytes() for split in ("train", "dev", "test"))
    assert sha256(lines).hexdigest() == release.variants["plus"]["checksum"]


def test_in_mutual_s_folders_the_letter_is_that_of_the_right_one(project, author, inspector, tmp_path):
    accept(project, author, inspector, [question(number) for number in range(12)])
    release = with_plus(project)
    write(release, format="mutual", variant="plus", folder=tmp_path)
    rows = {row["id"]: row for row in instances_of(release, "plus")}
    _head, *names = csv.reader((tmp_path / "ids.csv").read_text("utf-8").splitlines())
    for file, own, _inspected in names:
        record = json.loads((tmp_path / file.split("_")[0] / f"{file}.txt").read_text("utf-8"))
        row = rows[own]
        assert record["answers"] == "ABCD"[row["answer"]]
        assert [option.split(" : ", 1)[1] for option in record["options"]] == row["candidates"]


@pytest.mark.parametrize(("lines", "code"), [(["One."], "safe_replies"), ([*SAFE_REPLIES, "one"] * 2, "safe_replies")])
def test_a_list_of_replies_that_does_not_do_freezes_nothing(project, author, inspector, lines, code):
    accept(project, author, inspector, [question(1)])
    with pytest.raises(Refused) as refused:
        with_plus(project, safe_replies=lines)
    assert refused.value.code == code
    assert not Release.objects.exists()


def test_the_next_release_is_offered_the_replies_of_the_last(project, author, inspector):
    accept(project, author, inspector, [question(1)])
    assert tuple(safe_replies(project)) == SAFE_REPLIES
    own = [f"{text} Please." for text in SAFE_REPLIES]
    with_plus(project, safe_replies=own)
    freeze(project)
    assert safe_replies(project) == own
