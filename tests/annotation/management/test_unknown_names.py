"""Unknown names: the refusal lists the existing ones that the person may see."""

import pytest

from annotation.actions.projects import projects
from core.models import Role
from tests import factories

COMMANDS = {
    "freeze_release": ["SLUG"],
    "agreement": ["SLUG"],
    "void_work": ["SLUG", "--user", "an", "--since", "2026-01-01", "--why", "tired"],
    "import_pairs": ["SLUG", "FILE"],
    "import_items": ["SLUG", "FILE"],
    "import_ratings": ["SLUG", "FILE"],
    "simulate_annotators": ["SLUG"],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("prompt,response\na,b\n")
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_project_that_is_not_there_is_answered_with_those_that_are(shell, project, file, name):
    def answer(slug):
        return shell(name, *[{"SLUG": slug, "FILE": file}.get(word, word) for word in COMMANDS[name]])

    like, unlike = answer("webo"), answer("forum")
    assert (like.code, like.err) == (2, "There is no project “webo”. Did you mean weibo?")
    assert (unlike.code, unlike.err) == (2, "There is no project “forum”. Known: weibo.")


def test_nobody_learns_of_a_project_they_have_no_right_to(shell, project):
    factories.person("rita", Role.RESEARCHER)
    printed = shell("freeze_release", "webo", "--as", "rita")
    assert printed.err == "rita belongs to no project: create_project makes one, or somebody adds them to theirs."


def test_of_many_projects_the_first_are_named_and_the_others_counted(shell, administrator):
    for number in range(23):
        projects.create(slug=f"p{number}", kind="rating", by=administrator)
    said = shell("agreement", "forum").err
    assert said.startswith("There is no project “forum”. Known: p22, p21, ")
    assert said.endswith(", p3 and 3 more.")


@pytest.mark.parametrize("command", [["export_release", "--format", "jsonl", "--out", "out"], ["release_statistics"]])
def test_a_release_that_is_not_there_is_answered_with_those_that_are(shell, project, command):
    name, *options = command
    none_yet = "There is no release “weibo”. There is none yet: freeze_release makes one."
    assert shell(name, "weibo", *options).err == none_yet
    factories.pairs(project, 20)
    shell("simulate_annotators", "weibo")
    shell("freeze_release", "weibo")
    assert shell(name, "weibo@2", *options).err == "There is no release “weibo@2”. Did you mean weibo@1?"
    assert shell(name, "forum", *options).err == "There is no release “forum”. Known: weibo@1."


def test_a_format_that_is_not_there_is_answered_with_those_that_are(shell, project, tmp_path):
    printed = shell("export_release", "weibo", "--format", "xlsx", "--out", tmp_path)
    assert printed.code == 2
    for format in ("csv", "jsonl", "mutual"):
        assert f"'{format}'" in printed.err


def test_a_person_who_is_not_there_is_answered_with_those_of_the_project(shell, project, annotator, partner, outsider):
    def answer(name):
        return shell("void_work", "weibo", "--user", name, "--since", "2026-01-01", "--why", "tired").err

    assert answer("nobody") == "There is no user “nobody”. Known: an, bo, rui."
    assert answer("ann") == "There is no user “ann”. Did you mean an?"
    assert answer("olu") == "There is no user “olu”. Known: an, bo, rui."
    assert shell("agreement", "weibo", "--as", "oluu").err == "There is no user “oluu”. Did you mean olu?"


def test_a_corpus_that_is_not_there_is_answered_with_those_that_are(shell, tmp_path):
    said = shell("export_corpus", "talk", "--format", "jsonl", "--out", tmp_path).err
    assert said == "There is no corpus “talk”. There is none yet: import_corpus makes one."
