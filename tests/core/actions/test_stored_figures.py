"""A stored figure: computed once for what it is made of, by whoever looks first; by a job where that takes long."""

import threading
from datetime import timedelta
from itertools import count

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from annotation.models import Project
from core.actions import jobs, stored_figures
from core.actions.events import record
from core.actions.stored_figures import FigureKind
from core.domain.transitions import JobState
from core.models import Event, Job, StoredFigure, User
from core.selectors.fingerprints import are_events_settled, newest_event
from core.tasks import carry_out
from tests import factories
from tests.live_server import PATIENCE


class CountedFigure:
    """A figure that says how often it was computed; of the events of a project."""

    def __init__(self) -> None:
        self.times = count(1)
        self.is_long, self.gone, self.meanwhile = False, 0, lambda: None

    def kind(self) -> FigureKind:
        return FigureKind(
            "counted",
            compute=self.compute,
            fingerprint=lambda project: str(newest_event(project)[0]),
            is_long=lambda project: self.is_long,
            page=lambda project: ("board", [project.slug]),
            is_settled=are_events_settled,
            withdrawn=lambda project: self.gone,
        )

    def compute(self, project, arguments, report):
        self.meanwhile()
        return {"time": next(self.times), "of": newest_event(project)[0], **arguments}


@pytest.fixture
def figure(monkeypatch) -> CountedFigure:
    made = CountedFigure()
    monkeypatch.setitem(stored_figures.KINDS, "counted", made.kind())
    return made


@pytest.fixture
def look(figure, project, researcher):
    def look(scope=project, arguments=stored_figures.WITHOUT, **details):
        return stored_figures.look(stored_figures.KINDS["counted"], scope, arguments, by=researcher, **details)

    return look


def happens(project: Project, by: User) -> None:
    record(project, became="described", scope=project, by=by)


def carried_out(job: Job) -> None:
    ended = carry_out(jobs.start(job_pk=job.pk), jobs.silent)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=ended["result"])


def test_it_is_computed_once_until_something_happens(look, project, researcher):
    first, second = look(), look()
    assert (first.content["time"], second.content["time"]) == (1, 1)
    assert second.is_current
    assert first.as_of == second.as_of
    happens(project, researcher)
    assert look().content["time"] == 2
    assert StoredFigure.objects.count() == 1, "the older one is gone"


def test_neither_another_project_nor_a_job_moves_it(look, project, researcher):
    look()
    happens(factories.another_project("other", researcher), researcher)
    job = jobs.ask_for(kind="count", arguments={}, scope=project, by=researcher)
    jobs.start(job_pk=job.pk)
    assert look().content["time"] == 1


def test_each_project_and_each_choice_of_arguments_has_its_own(look, researcher):
    other = factories.another_project("other", researcher)
    found = [look(), look(arguments={"by": "item"}), look(other)]
    assert [each.content["time"] for each in found] == [1, 2, 3]
    again = [look(), look(arguments={"by": "item"}), look(other)]
    assert [each.content["time"] for each in again] == [1, 2, 3]


def test_a_long_one_is_a_job_for_all_who_look_and_is_there_when_it_is_done(look, figure):
    figure.is_long = True
    first, second = look(), look()
    assert (first.content, first.is_asked, second.is_asked) == (None, True, False)
    assert first.job == second.job
    carried_out(first.job)
    assert (look().content["time"], look().is_current, look().job) == (1, True, None)


def test_the_last_one_is_shown_beside_the_job_that_computes_a_newer_one(look, figure, project, researcher):
    before = look()
    figure.is_long = True
    happens(project, researcher)
    StoredFigure.objects.update(as_of=timezone.now() - timedelta(hours=1))
    found = look()
    assert (found.content, found.is_current, found.is_asked) == (before.content, False, True)
    carried_out(found.job)
    assert look().content["time"] == 2


def test_a_long_one_is_not_computed_again_for_a_while(look, figure, project, researcher):
    look()
    figure.is_long = True
    happens(project, researcher)
    StoredFigure.objects.update(seconds=60)
    found = look()
    assert (found.content["time"], found.is_current, found.job, found.is_there) == (1, False, None, True)
    StoredFigure.objects.update(as_of=timezone.now() - timedelta(minutes=11))
    assert look().is_asked


def test_a_job_that_came_to_nothing_is_told_and_not_asked_for_again_by_itself(look, figure, project, researcher):
    figure.is_long = True
    failed = look().job
    jobs.start(job_pk=failed.pk)
    jobs.finish(job_pk=failed.pk, becomes=JobState.FAILED, error="died")
    assert (look().job, look().is_asked, look().is_there) == (failed, False, False)
    assert look(is_asked_again=True).is_asked
    assert look().job != failed


def test_after_a_change_it_is_asked_for_again_whatever_came_of_the_last_job(look, figure, project, researcher):
    figure.is_long = True
    failed = look().job
    jobs.cancel(job=failed, by=researcher)
    happens(project, researcher)
    assert look().is_asked


def test_what_happens_while_it_is_computed_makes_the_next_look_compute_again(look, figure, project, researcher):
    figure.meanwhile = lambda: happens(project, researcher)
    first = look()
    figure.meanwhile = lambda: None
    assert (first.content["time"], look().content["time"], look().content["time"]) == (1, 2, 2)


def test_it_is_forgotten_in_one_project_alone(look, project, researcher):
    other = factories.another_project("other", researcher)
    look(), look(arguments={"by": "item"}), look(other)
    stored_figures.forget(project)
    assert [row.scope for row in StoredFigure.objects.all()] == [other]


def test_what_a_person_took_back_while_it_was_computed_is_not_stored(look, figure):
    def withdraw() -> None:
        figure.gone += 1

    figure.meanwhile = withdraw
    assert look().content["time"] == 1
    assert not StoredFigure.objects.exists()


def test_a_database_that_cannot_be_written_costs_nobody_the_look(look, monkeypatch):
    def locked(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(stored_figures, "_store", locked)
    assert (look().content["time"], look().content["time"]) == (1, 2)


def test_a_job_done_twice_computes_once(look, figure):
    figure.is_long = True
    job = look().job
    carried_out(job)
    assert stored_figures.compute(job, jobs.silent)
    assert look().content["time"] == 1


if connection.vendor != "sqlite":  # which has one writer, so that no event is committed out of turn

    @pytest.mark.django_db(transaction=True)
    def test_an_event_that_is_committed_after_one_with_a_higher_number_is_not_overlooked(look, project, researcher):
        written, may_commit = threading.Event(), threading.Event()

        def slow() -> None:
            try:
                with transaction.atomic():
                    happens(project, researcher)
                    written.set()
                    may_commit.wait(PATIENCE)
            finally:
                connection.close()

        thread = threading.Thread(target=slow)
        thread.start()
        assert written.wait(PATIENCE)
        happens(project, researcher)  # a higher number, and committed at once
        newest = Event.objects.latest("pk")
        first = look()
        may_commit.set()
        thread.join(PATIENCE)
        assert Event.objects.latest("pk") == newest
        assert (first.content["time"], look().content["time"], look().content["time"]) == (1, 2, 2)
