"""Grades given elsewhere: any number of people, known and unknown items, all of a file or none of it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.projects import projects
from annotation.actions.rating import imported_ratings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Kind, Project, Rating, Slot
from core.models import Event, User
from core.models.scoped import scope_of
from tests import factories
from tests.factories import no_progress, stored

Row = Sequence[object]


@pytest.fixture
def import_rows(project: Project, researcher: User, tmp_path: Path):
    """Import a csv file of these rows; its header is item, rater, grade unless another is given."""

    def run(
        *rows: Row, header: str = "item,rater,grade", into: Project = project
    ) -> imported_ratings.RatingsImportOutcome:
        path = tmp_path / "grades.csv"
        path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
        return imported_ratings.import_ratings(project=into, path=path, report=no_progress, by=researcher)

    return run


def grades_of(project: Project) -> dict[str, dict[str, int]]:
    """Return all grades in force, by item and by rater."""
    found: dict[str, dict[str, int]] = {}
    ratings = Rating.objects.counting().filter(assignment__slot__item__project=project)
    for item, rater, grade in ratings.values_list(
        "assignment__slot__item__external_id", "assignment__person__name", "grade"
    ):
        found.setdefault(item, {})[rater] = grade
    return found


def states(project: Project) -> dict[str, str]:
    return dict(project.items.values_list("external_id", "state"))


def reasons(refused: pytest.ExceptionInfo[RowsRefused]) -> list[tuple[int | None, str]]:
    return [(row.line, row.reason.code) for row in refused.value.rows]


def test_unknown_items_and_people_are_made_on_the_way(project, import_rows):
    outcome = import_rows(("q1", "ann", 4), ("q1", "bob", 5), ("q2", "ann", 1), ("q2", "bob", 4))
    assert outcome == (4, 2, 2, 0, 0, 0, [])
    assert grades_of(project) == {"q1": {"ann": 4, "bob": 5}, "q2": {"ann": 1, "bob": 4}}
    assert states(project) == {"q1": ItemState.KEPT, "q2": ItemState.REMOVED}


def test_whoever_rated_elsewhere_belongs_to_the_project_and_cannot_sign_in(project, import_rows):
    import_rows(("q1", "ann", 4))
    ann = User.objects.get(name="ann")
    assert (ann.username, ann.is_active, ann.has_usable_password()) == ("weibo/ann", False, False)
    assert project.memberships.filter(person=ann).exists()


def test_items_have_any_number_of_raters(project, import_rows):
    nineteen = [("q1", f"r{number}", 3) for number in range(19)]
    import_rows(*nineteen, ("q2", "r0", 3), ("q2", "r1", 3), ("q2", "r2", 5), ("q3", "r0", 3))
    assert {item: len(grades) for item, grades in grades_of(project).items()} == {"q1": 19, "q2": 3, "q3": 1}
    assert states(project) == {"q1": "kept", "q2": "removed", "q3": "open"}


def test_nobody_is_asked_for_grades_of_items_that_came_with_theirs(project, import_rows, annotator):
    import_rows(("q1", "ann", 3))
    assert list(Slot.objects.values_list("required", "free")) == [(1, 0)]
    stored(project, "吃了吗?\t吃了。\n")
    [assignment] = factories.grade_next(project, annotator, 4)
    assert assignment.slot.item.content["prompt"] == "吃了吗?"


def test_importing_a_file_again_adds_nothing(project, import_rows):
    rows = [("q1", "ann", 4), ("q1", "bob", 5), ("q2", "ann", 1)]
    import_rows(*rows)
    assert import_rows(*rows) == (0, 0, 2, 3, 0, 0, [])
    assert (Item.objects.count(), Assignment.objects.count(), Rating.objects.count()) == (2, 3, 3)


def test_who_was_imported_before_stays_that_person_once_a_member_has_the_name(project, import_rows):
    import_rows(("q1", "ann", 4))
    factories.person("ann", project=project)
    assert import_rows(("q1", "ann", 4)).ratings == 0
    assert {rating.assignment.person.username for rating in Rating.objects.all()} == {"weibo/ann"}


def test_more_grades_of_known_items_come_on_top(project, import_rows):
    import_rows(("q1", "ann", 4))
    assert import_rows(("q1", "ann", 4), ("q1", "bob", 5)) == (1, 0, 2, 1, 0, 0, [])
    assert states(project) == {"q1": "kept"}
    import_rows(("q1", "cho", 1))
    assert states(project) == {"q1": "removed"}


def test_a_grade_that_contradicts_a_stored_one_refuses_the_file(project, import_rows):
    import_rows(("q1", "ann", 4))
    with pytest.raises(RowsRefused) as refused:
        import_rows(("q2", "bob", 3), ("q1", "ann", 5))
    assert reasons(refused) == [(3, "graded_before")]
    assert grades_of(project) == {"q1": {"ann": 4}}
    assert not User.objects.filter(name="bob").exists()


def test_a_grade_of_another_pair_under_a_known_id_refuses_the_file(project, import_rows):
    header = "item,rater,grade,prompt,response"
    with pytest.raises(RowsRefused) as refused:
        import_rows(("q1", "ann", 4, "吃了吗?", "吃了。"), ("q1", "bob", 4, "吃了吗?", "没吃。"), header=header)
    assert (reasons(refused), Rating.objects.count()) == ([(3, "other_text")], 0)
    import_rows(("q1", "ann", 4, "吃了吗?", "吃了。"), header=header)
    with pytest.raises(RowsRefused) as refused:
        import_rows(("q1", "cho", 4, "", ""), ("q1", "bob", 4, "周末去哪儿?", "去爬山。"), header=header)
    assert reasons(refused) == [(3, "other_text")]
    import_rows(("q1", "bob", 4, " 吃了吗?", "吃了。 "), ("q1", "cho", 5, "", ""), header=header)
    assert grades_of(project) == {"q1": {"ann": 4, "bob": 4, "cho": 5}}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (("q1", "ann", 6), "grade_outside"),
        (("q1", "ann", 0), "grade_outside"),
        (("q1", "ann", "good"), "grade_no_number"),
        (("q1", "ann", 3.5), "grade_no_number"),
        (("q1", "ann", ""), "no_value"),
        (("", "ann", 3), "no_value"),
        (("q1", "", 3), "no_value"),
        (("q1", "ann"), "column_count"),
        (("q0", "ann", 3), "rated_twice"),
    ],
)
def test_one_bad_row_refuses_the_file(project, import_rows, row, code):
    with pytest.raises(RowsRefused) as refused:
        import_rows(("q0", "ann", 3), row)
    assert reasons(refused) == [(3, code)]
    assert Item.objects.count() == Rating.objects.count() == 0


def test_a_file_without_the_columns_is_refused_as_a_whole(import_rows):
    with pytest.raises(RowsRefused) as refused:
        import_rows(("q1", 3), header="item,grade")
    assert reasons(refused) == [(None, "missing_column")]


def test_grades_meet_the_pairs_imported_before_by_id_or_by_text(project, import_rows):
    stored(project, "id,prompt,response\nq1,吃了吗?,吃了。\n", "pairs.csv")
    stored(project, "去哪儿?\t去爬山。\n")
    outcome = import_rows(
        ("q1", "ann", 4, "", ""),
        ("whatever", "ann", 2, "去哪儿?", "去爬山。"),
        header="item,rater,grade,prompt,response",
    )
    assert (outcome.ratings, outcome.items) == (2, 0)
    assert Item.objects.count() == 2


def test_two_ids_with_one_text_are_two_items(project, import_rows):
    header = "item,rater,grade,prompt,response"
    rows = [("q1", "ann", 4, "吃了吗?", "吃了。"), ("q2", "ann", 1, "吃了吗?", "吃了。")]
    assert import_rows(*rows, header=header).items == 2
    assert import_rows(*rows, header=header).duplicate == 2
    assert grades_of(project) == {"q1": {"ann": 4}, "q2": {"ann": 1}}


def test_types_are_kept_as_they_were_given(project, import_rows):
    import_rows(("q1", "ann", 2, "echoing"), ("q1", "bob", 2, ""), header="item,rater,grade,type")
    assert set(Rating.objects.values_list("reason", flat=True)) == {"echoing", ""}


def test_other_scales_and_numbers_of_raters(researcher, import_rows):
    project = projects.create(
        slug="quality", kind=Kind.RATING, settings={"grades": "-2..2", "raters": 3, "gap": 2}, by=researcher
    )
    import_rows(("d1", "a", -2), ("d1", "b", -1), ("d1", "c", 0), ("d2", "a", "2.0"), ("d2", "b", 2), into=project)
    assert states(project) == {"d1": "kept", "d2": "open"}


def test_a_person_who_skipped_a_pair_elsewhere_named_is_not_overwritten(project, import_rows):
    import_rows(("q1", "ann", 4))
    Assignment.objects.update(state=AssignmentState.VOIDED)
    assert import_rows(("q1", "ann", 4)) == (0, 0, 1, 1, 0, 0, [])
    with pytest.raises(RowsRefused):
        import_rows(("q1", "ann", 3))


def test_what_was_imported_stands_in_the_audit_log(project, import_rows):
    import_rows(("q1", "ann", 4), ("q1", "bob", 5))
    became = Event.objects.filter(**scope_of(project), subject__in=["assignment", "item", "queue"]).values_list(
        "subject", "became"
    )
    assert sorted(became) == [
        ("assignment", "submitted"),
        ("assignment", "submitted"),
        ("item", "kept"),
        ("queue", "ratings imported"),
    ]


def test_many_items_take_few_statements(project, import_rows, django_assert_max_num_queries):
    rows = [(f"q{number}", rater, 3) for number in range(300) for rater in ("ann", "bob")]
    with django_assert_max_num_queries(72):
        import_rows(*rows)
