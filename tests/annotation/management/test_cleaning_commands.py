"""Cleaning from the shell: scan, decide, look at the ledger."""

import pytest

from annotation.domain.workflow import ItemState
from annotation.models import CleaningDecision
from tests.cleaning import MARKED, marked_pairs


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "forum words.txt"
    path.write_text("吃面\n", encoding="utf-8")
    return path


def test_a_list_is_stored_and_the_pairs_are_looked_through(shell, project, administrator, words):
    marked_pairs(project)
    printed = shell("clean_scan", "weibo", "--words", words, "--json").json
    assert (printed["pairs"], printed["found"], printed["waiting"]) == (6, MARKED + 1, MARKED + 1)
    assert printed["by_rule"] == {"forum words": 1, "weather": 3, "wechat": 1}
    off = shell("clean_scan", "weibo", "--off", "weather", "--off", "forum words")
    assert off.out.startswith("6 pairs read, 1 of them marked, 1 waits for a decision.")
    assert shell("clean_scan", "weibo", "--on", "weather", "--json").json["waiting"] == MARKED


def test_what_cannot_be_scanned_is_said(shell, project, administrator, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert "This list has no words" in shell("clean_scan", "weibo", "--words", empty).err
    assert shell("clean_scan", "weibo", "--name", "x").code == 2
    assert shell("clean_scan", "nowhere").code == 2


def test_a_rule_that_is_not_there_is_answered_with_those_that_are_and_nothing_is_stored(shell, project, words):
    unlike = shell("clean_scan", "weibo", "--words", words, "--off", "nosuch")
    assert unlike.code == 2
    assert unlike.err.startswith("There is no rule “nosuch”. Known: ")
    assert "weather" in unlike.err
    assert unlike.err.endswith("forum words.")
    assert shell("clean_scan", "weibo", "--on", "wether").err == "There is no rule “wether”. Did you mean weather?"
    assert not project.cleaning_rules.exists()


def test_pairs_are_decided_about_one_after_the_other(shell, project, administrator, annotator):
    marked_pairs(project)
    first = shell("clean", "weibo", "--as", "an", "--json").json
    assert set(first) == {"pair", "prompt", "response", "findings", "responses"}
    second = shell("clean", "weibo", "--as", "an", "--pair", first["pair"], "--sensitive", "--json").json
    assert second["pair"] != first["pair"]
    assert CleaningDecision.objects.get().verdict == "sensitive"
    assert shell("clean", "weibo", "--as", "an", "--pair", first["pair"], "--undo").code == 0
    assert not project.items.filter(state=ItemState.CLEANED).exists()


def test_a_decision_needs_a_pair_in_hand_and_a_verdict(shell, project, administrator, annotator):
    marked_pairs(project)
    assert shell("clean", "weibo", "--as", "an", "--keep").code == 2
    assert "is none of these" in shell("clean", "weibo", "--as", "an", "--pair", "nothing", "--keep").err
    assert not CleaningDecision.objects.exists()


def test_when_nothing_waits_it_is_said(shell, project, administrator):
    assert shell("clean", "weibo").out == "No pair waits for you.\n"


def test_the_ledger_is_for_those_who_oversee(shell, project, administrator, annotator, inspector):
    marked_pairs(project)
    assert shell("cleaning_ledger", "weibo", "--as", "an").code == 1
    pair = shell("clean", "weibo", "--as", "an", "--json").json["pair"]
    shell("clean", "weibo", "--as", "an", "--pair", pair, "--keep")
    ledger = shell("cleaning_ledger", "weibo", "--as", "ines", "--json").json
    assert ledger["waiting"] == MARKED - 1
    assert ledger["people"] == {"an": {"keep": 1, "sensitive": 0, "knowledge": 0, "undone": 0}}
    assert ledger["rules"]["weather"]["found"] == 3


def test_bots_clean_before_they_rate(shell, project, administrator):
    marked_pairs(project)
    done = shell("simulate_annotators", "weibo", "--json").json
    assert done["decisions"] > 0
    left = project.items.counting().count()
    assert done["grades"] == 2 * left
