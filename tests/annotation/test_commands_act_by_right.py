"""Commands act with the rights of the named person, and refuse bad arguments without a traceback."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.actions.queue import assignments, voiding
from annotation.models import Project, Rating, Slot
from core.actions import accounts
from core.models import Role, User
from tests import factories


def run(*arguments: str) -> int:
    """Return the exit code of a command."""
    try:
        call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())
    except CommandError as wrong:
        return wrong.returncode
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.parametrize("command", ["freeze_release", "agreement", "simulate_annotators"])
def test_an_annotator_cannot_do_from_the_shell_what_pages_refuse(command, project, annotator):
    assert run(command, project.slug, "--as", annotator.username) == 1


def test_a_researcher_of_another_project_does_not_find_this_one(project):
    factories.person("rio", "researcher")
    assert run("agreement", project.slug, "--as", "rio") == 2


def test_only_an_administrator_makes_an_administrator(researcher, administrator):
    assert run("create_user", "new", "--role", "administrator", "--as", researcher.username) == 1
    assert not User.objects.filter(username="new").exists()
    assert run("create_user", "new", "--role", "administrator", "--as", administrator.username) == 0


def test_an_account_that_was_ended_is_not_acted_as(project, researcher, administrator):
    accounts.set_active(person=researcher, is_active=False, why="left", by=administrator)
    with pytest.raises(CommandError, match="The account “rui” is ended") as refused:
        call_command("agreement", project.slug, "--as", researcher.username)
    assert refused.value.returncode == 2


def test_commands_go_on_as_another_administrator_when_theirs_was_ended(db):
    run("create_project", "first", "--kind", "rating")
    own = Project.objects.get().created_by
    second = factories.person("second", Role.ADMINISTRATOR)
    accounts.set_active(person=own, is_active=False, why="signs in as second", by=second)
    run("create_project", "next", "--kind", "rating")
    assert (own.username, Project.objects.get(slug="next").created_by) == ("administrator", second)


@pytest.mark.parametrize("draws", ["1", "39", "100001", "9" * 30, "-1", "many", "1.5"])
def test_agreement_takes_a_sensible_number_of_resamples(draws, project):
    with pytest.raises(CommandError, match="from 40 to 100,000, or 0 for none"):
        call_command("agreement", project.slug, f"--bootstrap={draws}")


def test_work_of_somebody_who_has_left_can_be_voided(project, annotator, partner):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    User.objects.filter(pk=annotator.pk).update(is_active=False)
    assert run("void_work", project.slug, "--user", annotator.username, "--since", "2020-01-01", "--why", "left") == 0
    assert Rating.objects.counting().count() == 0
    assert len(assignments.claim(project=project, step="rate", by=partner)) == 1


def test_a_day_before_the_calendar_begins_means_all(project, annotator):
    factories.pairs(project, 1)
    factories.grade_next(project, annotator, 3)
    since = "--since=0001-01-01T00:00+14:00"
    assert run("void_work", project.slug, "--user", annotator.username, since, "--why", "all \udcff") == 0
    assert Rating.objects.counting().count() == 0


def test_a_voided_grade_of_a_text_that_is_not_here_is_asked_of_nobody(project, researcher, annotator, tmp_path):
    file = tmp_path / "grades.csv"
    file.write_text("item,rater,grade\nx1,a,3\nx1,b,4\n")
    assert run("import_ratings", project.slug, str(file)) == 0
    elsewhere = User.objects.get(username=f"{project.slug}/a")
    since = Rating.objects.earliest("pk").created_at.replace(year=2020)
    assert voiding.void_work(project=project, person=elsewhere, since=since, why="wrong", by=researcher) == 1
    assert assignments.claim(project=project, step="rate", by=annotator) == []
    assert Slot.objects.get().required == 1


def test_a_release_number_of_any_length_is_a_name_that_is_not_there(project):
    assert run("export_release", f"{project.slug}@{'9' * 5000}", "--format", "csv", "--out", "x") == 2


def test_whoever_belongs_to_no_project_is_not_told_to_make_one_that_is_there(project):
    factories.person("rio", "researcher")
    with pytest.raises(CommandError, match="rio belongs to no project: create_project makes one, or"):
        call_command("agreement", project.slug, "--as", "rio")
