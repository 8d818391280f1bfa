"""A new version of the guideline: who is shown what is new before their next pair, and who must pass practice again."""

from copy import deepcopy

import pytest
from django.test import Client

from annotation.actions.projects import publishing
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.workflow import AttemptState
from annotation.models import Assignment, Cursor, GuidelineVersion, Project, Rating
from annotation.selectors.qualification.qualification import annotator_of
from core.models import User
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import attempt, choose, import_rows, known
from tests.annotation.views.rating.rating_page import PAGE, first_assignment, page_state_of, send, signed_in

NEWS = f"{PAGE}guideline/"
EDITOR = "/projects/weibo/guideline/"


def publish(project: Project, meaning: str = "", why: str = "", **switches: bool) -> GuidelineVersion:
    content = deepcopy(project.guidelines.first().content)
    content["grades"][0]["meaning"]["en"] = meaning or f"Wrong, version {project.guidelines.count() + 1}."
    chosen = {"is_announced": True, "asks_again": False, **switches}
    return publishing.publish(project=project, content=content, seen=None, why=why, **chosen, by=project.created_by)


@pytest.fixture(autouse=True)
def pairs(project):
    return factories.pairs(project, 12)


@pytest.fixture
def rater(project: Project, annotator: User) -> Client:
    """A rater who has opened the page."""
    client = signed_in(annotator)
    client.get(PAGE)
    return client


def is_asked_to_read(client: Client) -> bool:
    answer = client.get(PAGE)
    return answer.status_code == 302 and answer["Location"] == NEWS


def test_a_rater_reads_what_is_new_once_and_goes_on(project, rater, annotator):
    publish(project, "Harmful, or plainly untrue.")
    assert is_asked_to_read(rater)
    shown = rater.get(NEWS)
    [change] = shown.context["changes"]
    assert "".join(piece.text for piece in change.pieces) == "Harmful, or plainly untrue."
    assert rater.post(NEWS, {"number": "2"})["Location"] == PAGE
    assert not is_asked_to_read(rater)
    assert "changes" not in rater.get(NEWS).context


def test_no_further_pair_is_held_for_someone_who_reads(project, rater, annotator):
    for held in Assignment.objects.filter(person=annotator):
        factories.grade(held)
    publish(project)
    assert is_asked_to_read(rater)
    assert not Assignment.objects.filter(person=annotator, state="held").exists()


def test_nobody_is_shown_a_version_that_is_not_announced(project, rater):
    publish(project, is_announced=False)
    assert not is_asked_to_read(rater)
    assert "changes" not in rater.get(NEWS).context


def test_who_comes_for_the_first_time_reads_the_guideline_as_it_is(project, rater, partner):
    publish(project)
    other = signed_in(partner)
    assert not is_asked_to_read(other)
    send(other, first_assignment(other), grade=3, reason="limited", milliseconds=900)
    assert not is_asked_to_read(other)


def test_a_grade_from_a_page_that_was_open_meanwhile_is_stored_and_says_that_there_is_news(project, rater, annotator):
    pair = first_assignment(rater)
    version = publish(project)
    answer = send(rater, pair, grade=3, reason="limited", milliseconds=900)
    assert (answer.json()["guideline"], answer.json()["announced"]) == (version.number, True)
    assert Rating.objects.filter(assignment=pair).exists()
    assert is_asked_to_read(rater)  # that grade was given beside the earlier words


def test_changes_of_several_versions_are_shown_together(project, rater):
    publish(project, "First.")
    publish(project, "Second.")
    shown = rater.get(NEWS)
    assert shown.context["since"] == 1
    rater.post(NEWS, {"number": "2"})  # the page was from before the newest one
    assert is_asked_to_read(rater)
    assert rater.get(NEWS).context["since"] == 2


@pytest.mark.parametrize("number", ["", "x", "²", "-1", "9" * 30])
def test_what_no_page_sends_marks_nothing_unseen_as_read(project, rater, annotator, number):
    publish(project)
    assert rater.post(NEWS, {"number": number})["Location"] == PAGE
    assert is_asked_to_read(rater)


def test_a_number_that_is_not_there_yet_is_not_read_ahead(project, rater, annotator):
    publish(project)
    rater.post(NEWS, {"number": "99"})
    assert Cursor.objects.get(person=annotator).guideline_read == 2
    publish(project)
    assert is_asked_to_read(rater)


def test_only_raters_of_the_project_see_the_news(project, rater, inspector, outsider):
    publish(project)
    assert signed_in(inspector).get(NEWS).status_code == 403
    assert signed_in(outsider).get(NEWS).status_code == 404


def test_a_rater_whose_grades_came_without_the_page_is_shown_what_is_new(project, annotator):
    factories.grade_next(project, annotator, 3)
    publish(project)
    assert is_asked_to_read(signed_in(annotator))


def test_every_reason_since_the_known_version_is_told(project, rater):
    for why in ("Two raters differed.", "", "A new type."):
        publish(project, why=why)
    assert rater.get(NEWS).context["reasons"] == ["A new type.", "Two raters differed."]


# ---- practice again -------------------------------------------------------------------------------------------------
@pytest.fixture
def guarded(project: Project) -> Project:
    import_rows(project, known(10))
    choose(project, practice=4, attempts=2)
    return project


def test_who_has_passed_passes_again_before_the_next_pair(guarded, annotator):
    attempt(guarded, annotator, off=2)
    passed = attempt(guarded, annotator)
    held = factories.take(guarded, annotator, 3)
    publish(guarded, is_announced=False, asks_again=True)
    passed.refresh_from_db()
    assert passed.state == AttemptState.OUTDATED
    assert annotator_of(guarded, annotator).status == QualificationStatus.NEW
    factories.grade(held[0])  # it was given out already: nothing is lost
    assert factories.take(guarded, annotator, 3) == []
    assert signed_in(annotator).get(PAGE)["Location"] == "/projects/weibo/practice/"
    assert attempt(guarded, annotator, off=2).state == AttemptState.FAILED  # with as many attempts as at first
    assert attempt(guarded, annotator).state == AttemptState.PASSED
    assert len(factories.take(guarded, annotator, 3)) == 3


def test_what_is_new_is_read_before_practice_again(guarded, annotator):
    attempt(guarded, annotator)
    client = signed_in(annotator)
    client.get(PAGE)
    publish(guarded, asks_again=True)
    assert client.get("/projects/weibo/practice/")["Location"] == NEWS
    client.post(NEWS, {"number": "2"})
    assert client.get("/projects/weibo/practice/").status_code == 200


def test_an_attempt_that_is_under_way_goes_on(guarded, annotator):
    client = signed_in(annotator)
    client.post("/projects/weibo/practice/begin/")
    publish(guarded, asks_again=True)
    assert annotator_of(guarded, annotator).status == QualificationStatus.UNDER_WAY


def test_the_editor_offers_both_only_where_they_reach_someone(guarded, researcher, annotator):
    client = signed_in(researcher)
    assert client.get(EDITOR).context["readers"].raters == 0
    attempt(guarded, annotator)
    factories.grade_next(guarded, annotator, 3)
    factories.take(guarded, annotator)
    readers = client.get(EDITOR).context["readers"]
    assert (readers.raters, readers.at_work, readers.passed) == (1, 1, 1)


def test_a_version_without_announcement_says_so_to_an_open_page(project, rater):
    pair = first_assignment(rater)
    publish(project, is_announced=False)
    answer = send(rater, pair, grade=3, reason="limited", milliseconds=900).json()
    assert (answer["guideline"], answer["announced"]) == (2, False)
    assert page_state_of(rater)["guideline"] == 2
