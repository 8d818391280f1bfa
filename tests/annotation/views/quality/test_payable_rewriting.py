"""Payable work of rewriting: the working time save by save, counted by hand."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import reasoning
from annotation.actions.queue.voiding import void_work
from annotation.actions.rewriting import rewrites
from annotation.actions.rewriting.simulated_rewriting import simulate_rewriting
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Inspection, Project, Rewrite, Step, Transcript
from annotation.selectors.rewriting.rewriting_board import rewriting_board_of
from core.models import Role, User
from tests import factories, recordings
from tests.annotation.management.shell import Shell
from tests.annotation.views.rating.rating_page import signed_in
from tests.rewriting import (
    CANDIDATES,
    begin,
    expire_all,
    inspect,
    items,
    practice_items,
    rewriting_project,
    submit,
    take,
    write,
)

pytestmark = pytest.mark.every_database

ALWAYS = {"since": "2000-01-01", "until": "2999-12-31"}


@pytest.fixture
def project(researcher: User) -> Project:
    project = rewriting_project(researcher)
    items(project, 6)
    return project


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def judge(project: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=project)


def pass_time(rewrite: Rewrite, **passed: float) -> Rewrite:
    """So long ago, now, was the last save."""
    Rewrite.objects.filter(pk=rewrite.pk).update(saved_at=timezone.now() - timedelta(**passed))
    return Rewrite.objects.get(pk=rewrite.pk)


def save(rewrite: Rewrite, text: str) -> Rewrite:
    return rewrites.save(
        rewrite=rewrite, cut=3, candidates=[text, "", "", ""], revision=rewrite.revision, by=rewrite.assignment.person
    )


def rows(by: User, **days: str) -> list[dict[str, str]]:
    answer = signed_in(by).get("/projects/listening/payable.csv", days or ALWAYS)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def figures(row: dict[str, str], *names: str) -> list[str]:
    return [row[name] for name in names]


def test_time_at_work_is_counted_save_by_save_without_pauses(project, author, researcher):
    rewrite = begin(project, author)
    rewrite = save(pass_time(rewrite, seconds=100), "Then it")
    rewrite = save(pass_time(rewrite, minutes=40), "Then it is")  # a pause
    rewrite = save(pass_time(rewrite, seconds=140), "Then it is too")
    submit(pass_time(rewrite, seconds=120))
    [row] = rows(researcher)
    assert figures(row, "user", "step", "done", "items", "hours") == ["an", "write", "1", "1", "0.1"]  # 360 s
    assert rewriting_board_of(project).authors[0].seconds == pytest.approx(360, abs=5)


def test_work_on_a_draft_counts_for_whoever_comes_back_to_it(project, author, researcher):
    rewrite = begin(project, author)
    save(pass_time(rewrite, seconds=180), "Then it")
    expire_all()
    assert rows(researcher) == []
    for _slot in range(6):  # the item is assigned again after the others
        submit(begin(project, author))
    assert figures(rows(researcher)[0], "done", "hours") == ["6", "0.05"]


def test_each_step_of_each_person_is_a_row(project, author, judge, researcher):
    for verdict in (InspectionVerdict.ACCEPT, InspectionVerdict.DISCARD, InspectionVerdict.RETURN):
        write(project, author)
        inspect(project, judge, verdict)
    write(project, author)  # what came back, revised
    skipped = begin(project, author)
    rewrites.skip(rewrite=skipped, reason="no_clue", by=author)
    begin(project, author)  # only begun
    Inspection.objects.update(opened_at=timezone.now() - timedelta(seconds=72))
    writing, judging = rows(researcher)
    names = ("user", "step", "done", "items", "accepted", "discarded", "voided", "skipped")
    assert figures(writing, *names) == ["an", "write", "4", "3", "1", "1", "0", "1"]
    assert figures(judging, *names) == ["ivo", "inspect", "3", "3", "1", "1", "0", "0"]
    assert judging["hours"] == "0.06"


def test_who_names_types_is_paid_for_it(project, author, judge, researcher):
    write(project, author)
    inspect(project, judge)
    reasoning.ask_about(project=project, by=researcher)
    typist = factories.person("cy", project=project)
    assignment = take(project, Step.TYPE, typist)
    reasoning.choose(assignment=assignment, answer="situation", milliseconds=36_000, by=typist)
    row = next(row for row in rows(researcher) if row["user"] == "cy")
    assert figures(row, "step", "done", "items", "hours") == ["type", "1", "1", "0.01"]


def test_voided_work_is_told_apart_and_a_verdict_on_it_is_still_work(project, author, judge, researcher):
    write(project, author)
    inspect(project, judge, InspectionVerdict.ACCEPT)
    void_work(project=project, person=author, since=timezone.now() - timedelta(days=1), why="copied", by=researcher)
    writing, judging = rows(researcher)
    assert figures(writing, "done", "voided") == ["0", "1"]
    assert figures(judging, "done", "voided") == ["1", "0"]


def test_days_before_and_after_are_left_out(project, author, researcher):
    write(project, author)
    Assignment.objects.update(ended_at="2026-03-31T23:59:59Z")
    assert len(rows(researcher, since="2026-03-01", until="2026-03-31")) == 1
    assert rows(researcher, since="2026-04-01", until="2026-04-30") == []


def test_bots_are_not_paid(project, researcher):
    simulate_rewriting(project=project, people=4, seed=0, report=factories.no_progress, by=researcher)
    assert rows(researcher) == []


def test_the_shell_and_the_api_say_the_same(project, author, researcher, administrator, capsys, tmp_path):
    write(project, author)
    out = tmp_path / "all.csv"
    days = ["--since", ALWAYS["since"], "--until", ALWAYS["until"]]
    printed = Shell(capsys)("payable", "listening", *days, "--out", out, "--json").json
    assert list(csv.DictReader(io.StringIO(out.read_text()))) == rows(researcher)
    answered = signed_in(researcher).get("/api/v1/projects/listening/payable/", ALWAYS).json()
    assert answered == {"people": printed["people"]}


def test_the_board_offers_the_table_to_researchers_and_says_rates(project, author, judge, researcher):
    for verdict in (InspectionVerdict.ACCEPT, InspectionVerdict.DISCARD):
        write(project, author)
        inspect(project, judge, verdict)
    page = signed_in(researcher).get("/projects/listening/").content.decode()
    assert "For paying people" in page
    assert "50.0&nbsp;%" in page  # of two decided, one discarded
    assert signed_in(judge).get("/projects/listening/payable.csv", ALWAYS).status_code == 403


def test_the_means_of_an_author_are_of_their_own_texts(project, author, researcher):
    write(project, author)
    other = factories.person("bo", project=project)
    candidates = ["Forty tickets, thirty chairs.", *CANDIDATES[1:]]
    submit(begin(project, other), candidates=candidates)
    means = {each.person.username: each.means for each in rewriting_board_of(project).authors}
    assert means["bo"].right == 0.75  # forty, tickets and thirty, but not chairs
    assert means["an"].right != means["bo"].right
    assert means["an"].wrong == means["bo"].wrong


def test_grading_practice_is_paid_and_practising_is_not(researcher):
    project = rewriting_project(researcher, practice=2, practice_window=1, practice_attempts=1)
    practice_items(project, 2)
    author = factories.person("an", project=project)
    judge = factories.person("ivo", Role.INSPECTOR, project=project)
    write(project, author)
    inspect(project, judge)
    [row] = rows(researcher)
    assert figures(row, "user", "step", "done", "items", "accepted") == ["ivo", "inspect", "1", "1", "0"]


def test_transcripts_are_paid_by_step(project, researcher, tmp_path):
    recordings.items(project, tmp_path)
    first, second = (factories.person(name, project=project) for name in ("bo", "cy"))
    begun = recordings.take(project, Step.TRANSCRIBE, first)
    Transcript.objects.filter(pk=begun.pk).update(saved_at=timezone.now() - timedelta(seconds=180))
    begun.refresh_from_db()
    recordings.submit_draft(begun)
    recordings.check(project, second)
    found = [figures(row, "user", "step", "done", "hours") for row in rows(researcher)]
    assert found == [["bo", "transcribe", "1", "0.05"], ["cy", "check", "1", "0.0"]]
