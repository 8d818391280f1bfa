"""Dialogues out of scripts with speakers."""

import pytest

from annotation.importers import subtitles
from tests.corpora import FilesRead

HEADER = "Sr No.,Utterance,Speaker,Emotion,Dialogue_ID,Utterance_ID,Season,Episode\n"


def spoken(dialogue: int, number: int, speaker: str, text: str, episode: object = 7) -> str:
    return f'1,"{text}",{speaker},neutral,{dialogue},{number},2,{episode}\n'


SCENE = (
    spoken(0, 0, "Ada", "Is it on?"),
    spoken(0, 1, "Ben", "Yes."),
    spoken(0, 2, "Ben", "I think."),
    spoken(0, 3, "Ada", "Good."),
)


@pytest.fixture
def read(tmp_path):
    def script(*lines, name="train_script.csv", **recipe):
        return FilesRead(subtitles, tmp_path, {name: HEADER + "".join(lines)}, **recipe)

    return script


def test_a_scene_is_a_dialogue_whose_turns_are_merged(read):
    found = read(*SCENE)
    assert found.texts == [["Ada Is it on?", "Ben Yes.\nI think.", "Ada Good."]]
    [row] = found.rows
    assert (row.split, row.id, row.facts) == ("train", "train_script-1", {"season": "2", "episode": "7"})
    assert (found.ledger.read, found.ledger.kept, found.ledger.joined) == (4, 3, 1)


def test_lines_are_in_the_order_of_their_numbers(read):
    assert read(*reversed(SCENE)).texts == read(*SCENE).texts


def test_the_dialogues_of_one_episode_are_one_conversation(read):
    second = [line.replace(",neutral,0,", ",neutral,1,") for line in SCENE]
    third = [line.replace(",neutral,0,", ",neutral,2,").replace(",2,7", ",2,8") for line in SCENE]
    first, second, third = (row.conversation for row in read(*SCENE, *second, *third).rows)
    assert first == second != third


def test_without_an_episode_each_dialogue_is_a_conversation(tmp_path):
    header = "text,character,scene\n"
    lines = "".join(f"Line {n} of {scene}.,{'ab'[n % 2]},{scene}\n" for scene in range(2) for n in range(3))
    found = FilesRead(subtitles, tmp_path, {"film.csv": header + lines})
    assert len({row.conversation for row in found.rows}) == 2
    assert {row.split for row in found.rows} == {""}


def test_short_dialogues_and_empty_lines_are_dropped(read):
    found = read(*SCENE, spoken(1, 0, "Ada", "Hello."), spoken(1, 1, "Ben", " "), spoken(1, 2, "Ben", "Hi."))
    assert found.dropped == {"under_three_turns": 2, "blank": 1}


def test_names_after_a_title_become_tags_and_may_be_left(read):
    lines = (*SCENE[:3], spoken(0, 3, "Ada", "Ask Dr. Wren."))
    assert read(*lines).texts[0][-1] == "Ada Ask Dr. [name]."
    assert read(*lines, leave=["name"]).texts[0][-1] == "Ada Ask Dr. Wren."


def test_a_row_with_too_many_cells_is_refused(read):
    found = read(*SCENE, "1,a,b,c\n")
    assert [(row.line, row.reason.code) for row in found.refused] == [(6, "column_count")]
