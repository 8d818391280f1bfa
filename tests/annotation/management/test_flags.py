"""Flags from the shell: listed with their pairs, resolved with a note."""

import pytest

from annotation.actions import flags
from annotation.models import Flag, Item
from tests import factories
from tests.rewriting import begin, items, rewriting_project


@pytest.fixture
def pair(project, annotator, administrator) -> Item:
    [pair] = factories.pairs(project, 1)
    [assignment] = factories.take(project, annotator)
    flags.raise_flag(assignment=assignment, comment="缺了半句", by=annotator)
    return pair


def test_open_flags_are_listed_with_their_pairs(shell, pair):
    [row] = shell("flags", "weibo", "--json").json["flags"]
    assert {"user": "an", "item": pair.key, "comment": "缺了半句", "note": None, **pair.content}.items() <= row.items()
    assert f"an, {pair.key}: 缺了半句" in shell("flags", "weibo").out


def test_a_flag_is_resolved_with_a_note(shell, pair):
    number = Flag.objects.get().pk
    assert shell("flags", "weibo", "--resolve", number).code == 1
    assert shell("flags", "weibo", "--resolve", number, "--note", "It stays.").code == 0
    assert shell("flags", "weibo", "--json").json == {"flags": []}
    assert shell("flags", "weibo", "--resolved", "--json").json["flags"][0]["note"] == "It stays."


def test_a_flag_that_is_not_there_is_wrong_usage(shell, pair):
    assert shell("flags", "weibo", "--resolve", 0, "--note", "?").code == 2


def test_annotators_list_no_flags(shell, pair, annotator):
    assert shell("flags", "weibo", "--as", "an").code == 1


def test_flags_on_dialogues_are_listed_with_them(shell, researcher, administrator):
    project = rewriting_project(researcher)
    items(project)
    author = factories.person("bo", project=project)
    flags.raise_flag(assignment=begin(project, author).assignment, comment="Who is W?", by=author)
    [row] = shell("flags", "listening", "--json").json["flags"]
    assert (row["user"], row["comment"], row["question"]) == ("bo", "Who is W?", "What is wrong with room 1?")
    assert "  M: I know.\n  What is wrong with room 1?" in shell("flags", "listening").out
    assert shell("flags", "listening", "--resolve", row["flag"], "--note", "A woman.").code == 0
