"""Commands on the grades of a model: what was set for it, and voiding it."""

import pytest

from tests import factories


@pytest.fixture
def file(project, tmp_path):
    factories.stored(project, "吃了吗?\t吃了。\n")
    project.items.update(external_id="q1")
    path = tmp_path / "grades.csv"
    path.write_text("item,grade\nq1,4\n")
    return path


def test_settings_are_stored_with_the_model(shell, project, file):
    shell("import_ratings", "weibo", file, "--model", "qwen", "--set", "temperature=0", "--set", "prompt=Is a = b?")
    assert project.grading_models.get().settings == {"temperature": "0", "prompt": "Is a = b?"}
    [model] = shell("agreement", "weibo", "--json").json["models"]
    assert (model["guideline"], model["settings"]["prompt"]) == (1, "Is a = b?")


@pytest.mark.parametrize("wrong", ["temperature", "=0", "temperature=", f"{'k' * 41}=0"])
def test_a_setting_is_a_key_and_a_value(shell, project, file, wrong):
    assert shell("import_ratings", "weibo", file, "--model", "qwen", "--set", wrong).code == 2
    assert not project.grading_models.exists()


def test_people_have_no_settings(shell, project, file):
    printed = shell("import_ratings", "weibo", file, "--set", "temperature=0")
    assert (printed.code, printed.err) == (2, "--set: only a model has settings, with --model NAME.")


def test_a_model_is_voided(shell, project, file):
    shell("import_ratings", "weibo", file, "--model", "qwen")
    wrong = shell("void_work", "weibo", "--model", "quen", "--why", "wrong file")
    assert (wrong.code, wrong.err) == (2, "There is no model “quen”. Did you mean qwen?")
    printed = shell("void_work", "weibo", "--model", "qwen", "--why", "wrong file")
    assert printed.out == "1 grade by the model qwen voided.\n"
    assert shell("agreement", "weibo", "--json").json["models"] == []


@pytest.mark.parametrize("more", [["--model", "qwen", "--since", "2026-01-01"], ["--user", "an"]])
def test_a_day_goes_with_a_person(shell, project, file, more):
    printed = shell("void_work", "weibo", *more, "--why", "wrong")
    assert (printed.code, printed.err) == (2, "--since goes with --user, and with --user alone.")
