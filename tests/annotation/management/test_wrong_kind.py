"""Commands of the one kind of work on a project of the other: a sentence that says so, and exit code 1."""

import pytest

from annotation.models import Kind, Project
from tests import factories
from tests.rewriting import rewriting_project

OF_RATING = {
    "agreement": [],
    "clean": [],
    "clean_scan": [],
    "cleaning_ledger": [],
    "export_ratings": ["--out", "FILE", "--format", "csv"],
    "import_gold": ["FILE"],
    "import_pairs": ["FILE"],
    "import_ratings": ["FILE"],
    "quality": [],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("prompt,response\na,b\n")
    return path


def run(shell, name, slug, options, file):
    return shell(name, slug, *[file if word == "FILE" else word for word in options])


@pytest.mark.parametrize("name", OF_RATING)
def test_a_rewriting_project_is_not_rated(shell, researcher, file, name):
    project = rewriting_project(researcher)
    factories.person("an", project=project)
    printed = run(shell, name, project.slug, OF_RATING[name], file)
    said = "This is not possible here: the project “listening” is for another kind of work (Rewriting).\n"
    assert (printed.code, printed.out, printed.err) == (1, "", said)


def test_items_to_rewrite_do_not_come_into_a_rating_project(shell, project, file):
    printed = run(shell, "import_items", project.slug, ["FILE"], file)
    assert (printed.code, "another kind of work (Rating)" in printed.err) == (1, True)


def test_rated_pairs_have_no_reasoning_types(shell, project):
    printed = shell("reasoning_types", project.slug)
    assert (printed.code, "another kind of work (Rating)" in printed.err) == (1, True)


@pytest.mark.parametrize("kind", Kind)
def test_what_serves_both_kinds_says_what_is_missing(shell, researcher, kind):
    """Run the commands on an empty project: nothing to freeze, no release, nothing to void, and bots without work."""
    shell("create_project", "empty", "--kind", kind)
    project = Project.objects.get(slug="empty")
    factories.person("an", project=project)
    assert shell("freeze_release", "empty").code == 1
    assert shell("release_statistics", "empty").code == 2
    assert shell("void_work", "empty", "--user", "an", "--since", "2026-03-01", "--why", "tired").code == 0
    assert shell("simulate_annotators", "empty").code == 0
