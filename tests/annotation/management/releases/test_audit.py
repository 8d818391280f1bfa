"""Audits from the shell: the leaks and shortcuts of a corpus and of a release."""

import pytest

from annotation.actions.releases import releases
from core.models import Role
from tests import dialogues, factories
from tests.corpora import stored
from tests.factories import no_progress

HARBOUR = "m : the ferry leaves at nine and my cousin waits near the harbour with two heavy bags while rain falls ."


def told(number: int, split: str, text: str = "", **details) -> dict[str, object]:
    turns = [{"speaker": "m", "text": text or f"Lamp {number} is broken, the {number}th one this week."}]
    options = [f"{word} lamp {number}" for word in ("buy", "sell", "mend", "paint")]
    return {
        "id": f"{split}_{number}",
        "split": split,
        "turns": turns,
        "candidates": options,
        "answer": number % 4,
        **details,
    }


@pytest.fixture
def lamps(researcher):
    """Create sixty instances: one context is in two splits, another one also in other case, and two options
    are equal.
    """
    rows = [told(number, "train" if number < 40 else "dev") for number in range(60)]
    rows += [told(61, "train", HARBOUR), told(62, "dev", HARBOUR), told(63, "test", HARBOUR.upper() + "!")]
    rows += [told(64, "test", "A flat."), told(65, "dev", "A — flat")]
    rows += [told(66, "test", "Two are one.", candidates=["Yes.", "No", "yes", "Well"], answer=None)]
    return stored("lamps", rows, by=researcher)


def test_what_is_found_is_said_in_json(shell, lamps):
    printed = shell("audit_release", "lamps", "--json")
    assert printed.code == 0
    found = printed.json
    assert (found["of"], found["checksum"], found["instances"], found["answered"]) == ("lamps", lamps.checksum, 66, 65)
    leaks = found["leaks"]
    assert (leaks["exact"], leaks["near"], leaks["similar"], leaks["phrases"]) == (1, 2, 0, 0)
    assert found["splits"] == {"train": 41, "dev": 22, "test": 3}
    assert [(row["likeness"], [each["id"] for each in row["instances"]]) for row in leaks["rows"]] == [
        ("exact", ["train_61", "dev_62", "test_63"]),
        ("near", ["test_64", "dev_65"]),
    ]
    shortcuts = found["shortcuts"]
    assert [row["id"] for row in shortcuts["equal_options"]["rows"]] == ["test_66"]
    assert shortcuts["position_A"]["n"] == 65
    assert shortcuts["position_A"]["chance"] == 0.25
    assert shortcuts["longest"]["value"] == 0.25  # all are as long
    assert shortcuts["longest"]["finding"] == "as_expected"


def test_what_is_found_is_said_in_words(shell, lamps):
    printed = shell("audit_release", "lamps")
    assert "Contexts in several splits: 1 letter by letter, 2 but for case" in printed.out
    assert "exact   train_61 (train), dev_62 (dev), test_63 (test)" in printed.out
    assert "1 instance has two equal options" in printed.out
    assert "as expected" in printed.out


def test_dialogues_without_options_have_leaks_alone(shell, researcher):
    rows = [
        {"id": str(number), "split": split, "turns": [{"speaker": "m", "text": HARBOUR}]}
        for number, split in enumerate(("train", "test"))
    ]
    stored("talk", rows, by=researcher)
    found = shell("audit_release", "talk", "--json").json
    assert (found["leaks"]["exact"], found["answered"]) == (1, 0)
    assert found["shortcuts"]["linear"]["finding"] == "too_few"


def test_a_release_is_audited_by_its_name(shell, researcher):
    project = dialogues.rewriting_project(researcher)
    dialogues.items(project, 1)
    dialogues.write_next(project, factories.person("an", project=project))
    dialogues.judge_next(project, factories.person("ivo", Role.INSPECTOR, project=project))
    release = releases.freeze(project=project, seed=0, report=no_progress, by=researcher)
    found = shell("audit_release", "dream", "--json").json
    assert (found["of"], found["checksum"]) == ("dream@1", release.checksum)
    assert (found["instances"], found["leaks"]["rows"]) == (1, [])
    assert shell("audit_release", "dream@1", "--json").json == found


def test_rated_pairs_are_refused(shell, project):
    factories.pairs(project, 4)
    shell("simulate_annotators", project.slug)
    shell("freeze_release", project.slug)
    printed = shell("audit_release", project.slug, "--json")
    assert printed.code == 1
    assert printed.json["code"] == "holds_pairs"


def test_an_unknown_name_is_answered_with_the_known_ones(shell, lamps):
    printed = shell("audit_release", "lamp")
    assert printed.code == 2
    assert "Did you mean lamps?" in printed.err
    assert shell("audit_release", "lamps:dev").code == 2  # a split alone has nothing to leak to


def test_the_label_of_the_speaker_is_no_word_of_an_option(shell, researcher):
    plain = [told(number, "train") for number in range(60)]
    labelled = [{**row, "candidates": [f"m : {text}" for text in row["candidates"]]} for row in plain]
    stored("plain", plain, by=researcher)
    stored("labelled", labelled, by=researcher)
    one, other = (shell("audit_release", name, "--json").json["shortcuts"] for name in ("plain", "labelled"))
    assert one == other
