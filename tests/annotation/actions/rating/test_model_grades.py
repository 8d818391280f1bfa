"""A model's grades come in as a model's: once, of pairs that are known, under a name that is no person's."""

import pytest

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.actions.rating import imported_ratings
from annotation.actions.rating.model_grades import ModelGradesOutcome, import_model_grades, void_model
from annotation.models import Item, Kind, ModelGrade, Project, Purpose, Rating, Slot
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.rating.model_grades import model_grades_of, released_by_model
from annotation.selectors.rating.rating_rows import rating_rows
from core.actions.refusals import Refused
from core.models import Event, User
from tests import factories
from tests.factories import no_progress, stored

PAIRS = "id\tprompt\tresponse\nq1\t吃了吗?\t吃了。\nq2\t周末去哪儿?\t去爬山。\nq3\t下雨了吗?\t下了。\n"


@pytest.fixture
def pairs(project: Project) -> Project:
    """Return the project with three pairs: q1, q2, q3."""
    stored(project, PAIRS)
    return project


@pytest.fixture
def write(tmp_path):
    def written(*rows: str, header: str):
        path = tmp_path / "grades.csv"
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return path

    return written


@pytest.fixture
def import_rows(project, researcher, write):
    """Import a model's grades; the header is item, grade unless another is given."""

    def run(
        *rows: str, model: str = "qwen", header: str = "item,grade", partial: bool = False, **settings: str
    ) -> ModelGradesOutcome:
        path = write(*rows, header=header)
        return import_model_grades(
            project=project,
            path=path,
            model=model,
            settings=settings,
            is_partial=partial,
            report=no_progress,
            by=researcher,
        )

    return run


@pytest.fixture
def import_people(project, researcher, write):
    def run(*rows: str) -> None:
        path = write(*rows, header="item,rater,grade")
        imported_ratings.import_ratings(project=project, path=path, report=no_progress, by=researcher)

    return run


def grades() -> set[tuple[str, str, int]]:
    return set(ModelGrade.objects.values_list("item__external_id", "model__name", "grade"))


def reasons(refused: pytest.ExceptionInfo[RowsRefused]) -> list[tuple[int | None, str]]:
    return [(row.line, row.reason.code) for row in refused.value.rows]


def test_a_model_grades_pairs_and_is_no_person(pairs, import_rows, researcher):
    people, slots = User.objects.count(), list(Slot.objects.values_list("required", "free"))
    assert import_rows("q1,4", "q2,2") == ("qwen", 2, 0, 0, 0, [])
    assert grades() == {("q1", "qwen", 4), ("q2", "qwen", 2)}
    assert (User.objects.count(), Rating.objects.count(), Item.objects.count()) == (people, 0, 3)
    assert list(Slot.objects.values_list("required", "free")) == slots
    assert Event.objects.filter(became="model grades imported", by=researcher).count() == 1


def test_a_file_again_adds_nothing_and_more_come_on_top(pairs, import_rows):
    import_rows("q1,4", "q2,2")
    assert import_rows("q1,4", "q2,2")[:3] == ("qwen", 0, 2)
    assert import_rows("q1,4", "q3,5")[:3] == ("qwen", 1, 1)
    assert import_rows("q1,1", model="qwen again")[:3] == ("qwen again", 1, 0)
    assert ModelGrade.objects.count() == 4


def test_another_grade_by_the_same_model_refuses_the_file(pairs, import_rows):
    import_rows("q1,4")
    with pytest.raises(RowsRefused) as refused:
        import_rows("q2,3", "q1,5", partial=True)
    assert reasons(refused) == [(3, "model_graded_before")]
    assert grades() == {("q1", "qwen", 4)}


def test_a_rater_column_may_name_the_model_alone(pairs, import_rows):
    header = "item,rater,grade"
    assert import_rows("q1,qwen,4", "q2,,3", header=header).grades == 2
    with pytest.raises(RowsRefused) as refused:
        import_rows("q3,qwen,4", "q3,ann,5", header=header)
    assert reasons(refused) == [(3, "rater_is_another")]
    assert ModelGrade.objects.count() == 2


def test_grades_of_people_with_rows_of_a_model_are_refused(pairs, import_rows, import_people):
    import_rows("q1,4")
    with pytest.raises(RowsRefused) as refused:
        import_people("q1,ann,4", "q1,qwen,5", "q2,bob,3")
    assert reasons(refused) == [(3, "rater_is_model")]
    assert not Rating.objects.exists()
    import_people("q1,ann,4", "q2,bob,3")
    assert Rating.objects.count() == 2


@pytest.mark.parametrize("name", ["an", "An", "AN", "ａｎ", "bot 9", "bot  9", "weibo/bot-9", "bot-9"])
def test_no_model_has_the_name_of_a_person(pairs, annotator, import_rows, import_people, name):
    import_people("q1,bot-9,4")
    User.objects.filter(username="weibo/bot-9").update(name="bot 9")
    with pytest.raises(Refused) as refused:
        import_rows("q1,4", model=name)
    assert refused.value.code == "model_is_person"
    assert not ModelGrade.objects.exists()


def test_grades_of_a_model_that_came_in_as_of_a_person_are_voided_first(pairs, import_people, import_rows, researcher):
    import_people("q1,qwen,4", "q1,ann,4")
    with pytest.raises(Refused):
        import_rows("q1,4")
    qwen = User.objects.get(username="weibo/qwen")
    since = pairs.created_at
    voiding.void_work(project=pairs, person=qwen, since=since, why="a model", by=researcher)
    assert import_rows("q1,4").grades == 1
    assert Rating.objects.counting().count() == 1


@pytest.mark.parametrize(("first", "name"), [("qwen", "Qwen"), ("Qwen 2", "ｑｗｅｎ 2"), ("Qwen 2", "QWEN  2")])
def test_a_model_has_one_name_however_it_is_spelled(pairs, import_rows, import_people, first, name):
    import_rows("q1,4", model=first)
    with pytest.raises(Refused, match=first) as refused:
        import_rows("q2,4", model=name)
    assert refused.value.code == "model_spelled"
    with pytest.raises(RowsRefused) as of_people:
        import_people(f"q1,{name},4")
    assert reasons(of_people) == [(2, "rater_is_model")]


@pytest.mark.parametrize("sign", ["\u200b", "\u202e", "\n", "\x07", "\u2028", "\xad"])
def test_a_model_has_no_invisible_characters_in_its_name(pairs, annotator, import_rows, sign):
    with pytest.raises(Refused) as refused:
        import_rows("q1,4", model=f"a{sign}n")
    assert refused.value.code == "model_invisible"


@pytest.mark.parametrize("name", ["", "  ", "q" * 81])
def test_a_model_needs_a_name_that_can_be_stored(pairs, import_rows, name):
    with pytest.raises(Refused) as refused:
        import_rows("q1,4", model=name)
    assert refused.value.code == "model_unnamed"


@pytest.mark.parametrize(
    ("row", "reason"),
    [("q1,6", "grade_outside"), ("q1,0", "grade_outside"), ("q1,4.5", "grade_no_number"), ("q1,", "no_value")],
)
def test_a_grade_must_be_on_the_scale(pairs, import_rows, row, reason):
    with pytest.raises(RowsRefused) as refused:
        import_rows("q2,3", row)
    assert reasons(refused) == [(3, reason)]
    assert not ModelGrade.objects.exists()
    outcome = import_rows("q2,3", row, partial=True)
    assert (outcome.grades, outcome.refused, outcome.rows_refused[0]["code"]) == (1, 1, reason)


def test_pairs_that_are_not_in_the_project_are_refused_and_never_made(pairs, import_rows):
    with pytest.raises(RowsRefused) as refused:
        import_rows("q1,3", "q9,4")
    assert reasons(refused) == [(3, "item_unknown")]
    assert import_rows("q1,3", "q9,4", partial=True)[:5] == ("qwen", 1, 0, 0, 1)
    with pytest.raises(RowsRefused):
        import_rows("q8,3", "q9,4", partial=True)
    assert Item.objects.count() == 3


def test_gold_is_no_pair_to_grade(pairs, annotator, partner, import_rows):
    gold = factories.plant(pairs, Purpose.GOLD, annotator, partner)
    Item.objects.filter(pk=gold.pk).update(external_id="gold")
    with pytest.raises(RowsRefused) as refused:
        import_rows("gold,3")
    assert reasons(refused) == [(2, "item_unknown")]


def test_a_pair_is_found_by_its_text_and_must_have_it(project, import_rows):
    stored(project, "吃了吗?\t吃了。\n")
    header = "item,prompt,response,grade"
    assert import_rows("a,吃了吗?,吃了。,4", header=header).grades == 1
    [item] = Item.objects.all()
    Item.objects.update(external_id="q1")
    with pytest.raises(RowsRefused) as refused:
        import_rows("q1,吃了吗?,没吃。,4", header=header)
    assert reasons(refused) == [(2, "other_text")]
    assert item.model_grades.count() == 1


def test_rows_of_a_model_that_did_not_count_are_left_out(pairs, import_rows):
    assert import_rows("q1,4,yes", "q2,3,no", header="item,grade,counted")[:4] == ("qwen", 1, 0, 1)


def test_a_rewriting_project_takes_no_grades_of_models(researcher, tmp_path):
    other = projects.create(slug="listening", kind=Kind.REWRITING, by=researcher)
    path = tmp_path / "grades.csv"
    path.write_text("item,grade\nq1,4\n")
    with pytest.raises(Refused) as refused:
        import_model_grades(project=other, path=path, model="qwen", report=no_progress, by=researcher)
    assert refused.value.code == "kind_wrong"


def test_prompt_and_settings_are_kept_and_never_change(pairs, import_rows):
    import_rows("q1,4", temperature="0")
    import_rows("q2,4", prompt="Grade this pair.")
    import_rows("q2,4", temperature="0")
    [model] = pairs.grading_models.all()
    assert model.settings == {"temperature": "0", "prompt": "Grade this pair."}
    with pytest.raises(Refused, match="temperature=0") as refused:
        import_rows("q3,4", temperature="1")
    assert refused.value.code == "model_other_settings"
    assert grades() == {("q1", "qwen", 4), ("q2", "qwen", 4)}


def test_a_model_is_of_the_guideline_under_which_its_first_grades_came_in(pairs, import_rows, researcher):
    import_rows("q1,4")
    first = pairs.guidelines.get()
    pairs.guidelines.create(number=2, content=first.content, created_by=researcher)
    import_rows("q2,4")
    import_rows("q1,4", model="after")
    assert dict(pairs.grading_models.values_list("name", "guideline__number")) == {"qwen": 1, "after": 2}


def test_a_voided_model_is_kept_and_counts_nowhere(pairs, import_rows, import_people, researcher):
    import_people("q1,ann,4", "q1,bob,5", "q2,ann,2", "q2,bob,2")
    before = agreement_report(pairs), list(rating_rows(pairs)), released_by_model(pairs)
    import_rows("q1,4", "q2,2")
    import_rows("q1,5", model="other")
    assert [each["model"] for each in agreement_report(pairs)["models"]] == ["other", "qwen"]
    for name in ("qwen", "other"):
        void_model(model=pairs.grading_models.get(name=name), why="wrong file", by=researcher)
    assert (agreement_report(pairs), list(rating_rows(pairs)), released_by_model(pairs)) == before
    assert ModelGrade.objects.count() == 3
    events = Event.objects.filter(subject="gradingmodel", became="voided", by=researcher)
    assert list(events.values_list("why", flat=True)) == ["wrong file"] * 2


def test_the_name_of_a_voided_model_is_free(pairs, import_rows, import_people, researcher):
    import_rows("q1,4", temperature="0")
    model = pairs.grading_models.get()
    assert void_model(model=model, why="wrong file", by=researcher) == 1
    assert void_model(model=model, why="wrong file", by=researcher) == 0
    assert import_rows("q1,2", model="Qwen", temperature="1") == ("Qwen", 1, 0, 0, 0, [])
    assert model_grades_of([Item.objects.get(external_id="q1").pk]).popitem()[1] == {"Qwen": 2}
    void_model(model=pairs.grading_models.get(voided_at=None), why="a person after all", by=researcher)
    import_people("q1,qwen,4")
    assert Rating.objects.count() == 1


def test_a_model_is_voided_with_a_reason_alone(pairs, import_rows, researcher):
    import_rows("q1,4")
    with pytest.raises(Refused) as refused:
        void_model(model=pairs.grading_models.get(), why=" ", by=researcher)
    assert refused.value.code == "why_missing"
    assert pairs.grading_models.get().voided_at is None
