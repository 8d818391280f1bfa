"""Stored boards, agreement and progress of a rating project: they say at once what would be computed anew."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.projects.boards import (
    AGREEMENT,
    BOARD,
    PROGRESS,
    QUALITY,
    agreement_in_force,
    quality_in_force,
)
from annotation.actions.queue import assignments, skips, voiding
from annotation.actions.rating import ratings
from annotation.actions.rating.imported_ratings import import_ratings
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.models import Assignment
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.projects import board, stored_boards
from annotation.selectors.projects.board import AgreementBoard, Board, QualityBoard
from annotation.selectors.projects.progress import progress_of
from annotation.selectors.projects.stored_boards import packed, unpacked
from annotation.selectors.quality.alerts import rater_alerts
from annotation.selectors.quality.quality import quality_report
from core.actions import accounts, stored_figures
from core.models import StoredFigure
from tests import cleaning, factories
from tests.annotation.actions.qualification import gold_pairs

BEGAN = timezone.now() - timedelta(days=1)


@pytest.fixture
def graded(project, annotator, partner):
    factories.stored(project, "".join(f"第{number // 3}问\t第{number}答\n" for number in range(12)))
    factories.grade_next(project, annotator, 1, 2, 3, 4, 5, 3, 3, 4)
    factories.grade_next(project, partner, 1, 2, 4, 4, 1, 3, 2)
    factories.model_grades(project, "near", 1, 2, 3, 3)
    return project


def stored(project, by) -> list[Any]:
    """Return what pages, tables and API answers are made of."""
    looks = [stored_figures.look(kind, project, by=by) for kind in (BOARD, PROGRESS)]
    return [agreement_in_force(project), quality_in_force(project), *(_without_time(look.content) for look in looks)]


def computed(project) -> list[Any]:
    """Return the same, computed from the grades as they are now."""
    found = board.board_of(project)
    here = {**packed(found), "alerts": rater_alerts(found.people, found.agreement)}
    return [agreement_report(project), quality_report(project), _without_time(here), progress_of(project)]


def _without_time(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "board": content["board"][:-1]} if "board" in content else content


def change(project, **who) -> None:
    last = Assignment.objects.changeable(who["annotator"])[0]
    ratings.change(assignment=last, grade=5, reason=factories.REASONS[5], by=who["annotator"])


def skip(project, **who) -> None:
    [held] = factories.take(project, who["annotator"])
    ratings.skip(assignment=held, reason="cut_off", by=who["annotator"])


def undo_a_skip(project, **who) -> None:
    skip(project, **who)
    skips.undo_skip(assignment=Assignment.objects.skipped(who["annotator"])[0], by=who["annotator"])


def expire(project, **who) -> None:
    factories.take(project, who["newcomer"])
    Assignment.objects.filter(person=who["newcomer"]).update(lease_until=BEGAN)
    assignments.expire_assignments()


def void(project, **who) -> None:
    voiding.void_work(project=project, person=who["partner"], since=BEGAN, why="a mistake", by=who["researcher"])


def clean(project, **who) -> None:
    cleaning.put_words(project, "第1答")
    cleaning.scan(project)
    cleaning.decide(project, who["researcher"], project.items.get(content__response="第1答"), CleaningVerdict.SENSITIVE)


def ask_third_persons(project, **who) -> None:
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=who["researcher"])


def import_people(project, **who) -> None:
    path = who["tmp_path"] / "grades.csv"
    path.write_text("item,rater,grade\n" + "".join(f"q{n},{r},{1 + n % 5}\n" for n in range(8) for r in "xy"))
    import_ratings(project=project, path=path, report=factories.no_progress, by=who["researcher"])


def import_a_model(project, **who) -> None:
    factories.model_grades(project, "far", 5, 5, 1, 1)


def import_pairs(project, **who) -> None:
    factories.stored(project, "prompt\tresponse\nWell?\tYes.\nSo?\tNo.\n")


def put_gold_between(project, **who) -> None:
    gold_pairs.import_rows(project, gold_pairs.known(6))
    gold_pairs.choose(project, gold_first=50, gold_lowest=50)
    gold_pairs.grade_all(project, who["newcomer"], off=2, most=10)


def deactivate(project, **who) -> None:
    accounts.set_active(person=who["partner"], is_active=False, why="left", by=who["administrator"])


def rename(project, **who) -> None:
    accounts.change_own(name="A new name", language="", theme="", by=who["partner"])


ACTS = {
    "a person who has another name": rename,
    "a grade": lambda project, **who: factories.grade_next(project, who["partner"], 4),
    "a grade that settles": lambda project, **who: factories.grade_next(project, who["newcomer"], 5, 5, 5),
    "a changed grade": change,
    "a pair taken": lambda project, **who: factories.take(project, who["newcomer"]),
    "a skip": skip,
    "a skip undone": undo_a_skip,
    "a lease that ended": expire,
    "voided work": void,
    "cleaning": clean,
    "third persons": ask_third_persons,
    "imported grades": import_people,
    "a model": import_a_model,
    "imported pairs": import_pairs,
    "gold": put_gold_between,
    "a member": lambda project, **who: projects.add_member(
        project=project, person=factories.person("zoe"), role="annotator", by=who["researcher"]
    ),
    "a member who left": lambda project, **who: projects.remove_member(
        project=project, person=who["newcomer"], by=who["researcher"]
    ),
    "an account that is closed": deactivate,
}
MAY_MOVE_NOTHING = {"a pair taken", "a skip undone", "a lease that ended"}  # by themselves, on pairs that are begun


@pytest.mark.parametrize("act", ACTS)
def test_whatever_happens_what_is_stored_is_what_would_be_computed(
    act, graded, annotator, partner, newcomer, researcher, administrator, tmp_path
):
    who = {"annotator": annotator, "partner": partner, "newcomer": newcomer, "researcher": researcher}
    before = stored(graded, researcher)
    ACTS[act](graded, **who, administrator=administrator, tmp_path=tmp_path)
    graded.refresh_from_db()
    after = computed(graded)
    assert stored(graded, researcher) == after
    assert before != after or act in MAY_MOVE_NOTHING


def test_what_moves_nothing_leaves_what_is_stored(graded, annotator, researcher):
    stored(graded, researcher)
    times = list(StoredFigure.objects.order_by("pk").values_list("as_of", flat=True))
    other = factories.another_project("other", researcher)
    factories.pairs(other, 2)
    factories.change_role(annotator, other, "annotator")
    stored(graded, researcher)
    assert list(StoredFigure.objects.order_by("pk").values_list("as_of", flat=True)) == times


def test_tokens_and_passwords_leave_what_is_stored(graded, partner, researcher):
    stored_figures.look(AGREEMENT, graded, by=researcher)
    token = accounts.make_token(days=1, by=partner)
    accounts.revoke_token(prefix=token[:15], by=partner)
    accounts.change_password(password="another-one-of-mine", by=partner)
    assert StoredFigure.objects.get().fingerprint == stored_figures.KINDS[AGREEMENT.name].fingerprint(graded)


def test_the_pace_of_the_week_moves_with_the_hours_while_there_is_any(graded, researcher, monkeypatch):
    first = stored_figures.look(BOARD, graded, by=researcher)
    this_hour = stored_boards.this_hour()
    monkeypatch.setattr("annotation.selectors.projects.stored_boards.this_hour", lambda: this_hour + timedelta(hours=1))
    later = stored_figures.look(BOARD, graded, by=researcher)
    assert later.as_of > first.as_of
    for days in (15, 16):  # nothing was done in the fourteen days before: the clock moves nothing
        monkeypatch.setattr(
            "annotation.selectors.projects.stored_boards.this_hour", lambda days=days: this_hour + timedelta(days=days)
        )
        last = stored_figures.look(BOARD, graded, by=researcher)
        assert last.as_of == stored_figures.look(BOARD, graded, by=researcher).as_of
        first, later = later, last
    assert first.as_of == later.as_of


@pytest.mark.parametrize(
    ("kind", "content", "read"),
    [
        (AGREEMENT, AgreementBoard, board.agreement_board_of),
        (BOARD, Board, board.board_of),
        (QUALITY, QualityBoard, board.quality_board_of),
    ],
)
def test_what_comes_back_is_what_was_stored(kind, content, read, graded, researcher):
    found = unpacked(content, graded, stored_figures.look(kind, graded, by=researcher).content)
    assert _without_time(packed(found)) == _without_time(packed(read(graded)))
    assert repr(found).partition("as_of")[0] == repr(read(graded)).partition("as_of")[0]


def test_no_text_of_a_pair_is_stored(graded, researcher):
    stored(graded, researcher)
    for text in graded.items.earliest("position").content.values():
        assert not StoredFigure.objects.filter(content__contains=text).exists()
