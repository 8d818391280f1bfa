"""Answers from elsewhere: the three forms, what is created, what is refused, and importing twice."""

import pytest
from django.urls import reverse

from annotation.actions.imports.refused_rows import RowsRefused
from core.actions.refusals import Refused
from core.models import Event, Name, Role
from study.actions import imported_answers
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, Participant, Presentation, Question, Study
from study.selectors.results.comparisons import comparisons_of
from study.selectors.results.export import tables_of
from study.selectors.results.results import results_of
from tests import factories
from tests.study.results_cases import EXAMPLE_A, answers_file, closed_study, example_a_file, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def import_rows(tmp_path, researcher):
    def import_rows(header, *rows, slug="elsewhere", candidates=None, by=researcher):
        path = answers_file(tmp_path, header, rows)
        return imported_answers.import_answers(
            slug=slug, path=path, candidates=candidates, report=factories.no_progress, by=by
        )

    return import_rows


def stored():
    """Return (better, tied, depth) by person and question."""
    rows = Answer.objects.values_list(
        "presentation__participant__label", "presentation__question__external_id", "better", "tied", "depth"
    )
    return {row[:2]: row[2:] for row in rows}


def refused_by(call):
    with pytest.raises(RowsRefused) as refused:
        call()
    assert not Answer.objects.exists()
    assert not Study.objects.exists()
    return [(row.line, row.reason.code) for row in refused.value.rows]


def test_a_new_study_is_made_closed_with_its_people_and_questions(import_rows, researcher):
    outcome = import_rows(
        "participant,question,correct,group,form,corpus,milliseconds",
        ("ann", "q1", 1, "crowd", 2, "movie", 4100),
        ("bo", "q1", 0, "lab", "", "movie", ""),
        candidates=5,
    )
    assert outcome._asdict() == {
        "study": "elsewhere",
        "created": True,
        "rows": 2,
        "stored": 2,
        "unanswered": 0,
        "duplicate": 0,
        "participants": 2,
        "described": 0,
        "questions": 1,
        "candidates": 5,
        "candidates_guessed": False,
        "question_set": None,
    }
    study = Study.objects.get(slug="elsewhere")
    assert (study.is_imported, study.state) == (True, StudyState.CLOSED)
    assert study.memberships.get().person == researcher
    assert Name.objects.get(name="elsewhere").kind == "study"
    question = study.own_questions.get()
    assert (question.external_id, question.corpus, question.candidates_count) == ("q1", "movie", 5)
    ann = study.participants.get(label="ann")
    assert (ann.group.name, ann.form, ann.state) == ("crowd", 2, ParticipantState.COMPLETE)
    assert ann.presentations.get().answer.milliseconds == 4100
    assert Event.objects.filter(subject="study", subject_id=study.pk).count() == 2


def test_right_or_wrong_is_a_first_choice_alone_and_empty_is_left_open(import_rows):
    outcome = import_rows("participant,question,correct", ("ann", "q1", 1), ("ann", "q2", 0), ("ann", "q3", ""))
    assert (outcome.stored, outcome.unanswered, outcome.candidates) == (2, 1, None)
    assert stored() == {("ann", "q1"): (0, 0, 1), ("ann", "q2"): (None, 0, 1)}
    assert Presentation.objects.filter(answer=None).get().question.external_id == "q3"


def test_ranks_with_gaps_are_a_first_and_a_second_choice(import_rows):
    import_rows("participant,question,rank", ("ann", "q1", 1), ("ann", "q2", 2), ("ann", "q3", ""), candidates=5)
    assert stored() == {("ann", "q1"): (0, 0, 2), ("ann", "q2"): (1, 0, 2), ("ann", "q3"): (None, 0, 2)}


def test_ranks_beyond_the_second_without_gaps_are_full_rankings(import_rows):
    outcome = import_rows("participant,question,rank", ("ann", "q1", 1), ("ann", "q2", 5), ("ann", "q3", 3))
    assert (outcome.candidates, outcome.candidates_guessed) == (5, True)
    assert stored() == {("ann", "q1"): (0, 0, 5), ("ann", "q2"): (4, 0, 5), ("ann", "q3"): (2, 0, 5)}


def test_of_two_candidates_a_missing_rank_means_one_choice(import_rows):
    import_rows("participant,question,rank", ("ann", "q1", 1), ("ann", "q2", ""), candidates=2)
    assert stored() == {("ann", "q1"): (0, 0, 1), ("ann", "q2"): (None, 0, 1)}


def test_scores_are_full_rankings_with_ties(import_rows):
    outcome = import_rows(
        "participant,question,better,tied", ("ann", "q1", 1, 2), ("ann", "q2", 0, 0), ("ann", "q3", "", "")
    )
    assert (outcome.candidates, outcome.candidates_guessed, outcome.unanswered) == (4, True, 1)
    assert stored() == {("ann", "q1"): (1, 2, 4), ("ann", "q2"): (0, 0, 4)}


def test_the_same_file_again_adds_nothing(import_rows, tmp_path, researcher):
    again = {"slug": "a", "path": example_a_file(tmp_path), "report": factories.no_progress, "by": researcher}
    first, second = (imported_answers.import_answers(**again) for _time in range(2))
    assert (first.stored, first.duplicate) == (80, 0)
    assert (second.stored, second.duplicate, second.participants, second.questions) == (0, 80, 0, 0)
    assert Answer.objects.count() == 80
    assert Event.objects.filter(became="answers imported").count() == 1


def test_a_second_file_adds_people_questions_and_what_was_left_open(import_rows):
    import_rows("participant,question,correct", ("ann", "q1", 1), ("ann", "q2", ""))
    outcome = import_rows("participant,question,correct", ("ann", "q2", 0), ("bo", "q3", 1), candidates=4)
    assert (outcome.created, outcome.stored, outcome.participants, outcome.questions) == (False, 2, 1, 1)
    known = dict(Question.objects.values_list("external_id", "candidates_count"))
    assert known == {"q1": 0, "q2": 4, "q3": 4}  # now it is known of those that the file names
    assert sorted(Question.objects.values_list("position", flat=True)) == [1, 2, 3]
    assert Participant.objects.get(label="ann").presentations.count() == 2


def test_numbers_are_read_in_whatever_width_they_are_written(import_rows):
    import_rows("participant,question,rank", ("ann", "q1", "１"), ("ann", "q2", "２"))
    assert [*Answer.objects.order_by("presentation__question__external_id").values_list("better", flat=True)] == [0, 1]


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        (
            "participant,question,correct",
            [("ann", "q1", 2), ("ann", "", 1), ("", "q1", 1)],
            [(2, "no_whole_number"), (3, "no_value"), (4, "no_value")],
        ),
        ("participant,question,correct", [("ann", "q1", 1), ("ann", "q1", 0)], [(3, "answered_twice")]),
        (
            "participant,question,rank",
            [("ann", "q1", 0), ("ann", "q2", "first")],
            [(2, "no_whole_number"), (3, "no_whole_number")],
        ),
        ("participant,question,rank", [("ann", "q1", 6)], [(2, "rank_outside")]),
        ("participant,question,better,tied", [("ann", "q1", 0, 1), ("ann", "q2", "", 1)], [(3, "better_missing")]),
        ("participant,question,better,tied", [("ann", "q1", 3, 2)], [(2, "too_many_others")]),
        (
            "participant,question,better,tied",
            [("ann", "q1", 3, 2), ("ann", "q2", "", 1), ("", "q2", 0, 0), ("bo", "q1", 5, 0)],
            [(2, "too_many_others"), (3, "better_missing"), (4, "no_value"), (5, "too_many_others")],
        ),
        ("participant,question,rank", [("ann", "q1", 7), ("", "q1", 1)], [(2, "rank_outside"), (3, "no_value")]),
        ("participant,question,rank,correct", [("ann", "q1", 1, 1)], [(2, "several_forms")]),
        ("participant,question,answer", [("ann", "q1", 1)], [(None, "no_column_of")]),
        ("participant,correct", [("ann", 1)], [(None, "missing_column")]),
        (
            "participant,question,correct,group",
            [("ann", "q1", 1, "lab"), ("ann", "q2", 1, "crowd")],
            [(3, "other_name")],
        ),
        ("participant,question,correct,corpus", [("ann", "q1", 1, "a"), ("bo", "q1", 1, "b")], [(3, "other_name")]),
        ("participant,question,correct,milliseconds", [("ann", "q1", 1, -4)], [(2, "no_whole_number")]),
    ],
)
def test_refused_rows_are_told_with_line_and_reason_and_nothing_is_stored(header, rows, expected, import_rows):
    assert refused_by(lambda: import_rows(header, *rows, candidates=5)) == expected


def test_an_answer_that_contradicts_a_stored_one_is_refused(import_rows):
    import_rows("participant,question,correct", ("ann", "q1", 1))
    with pytest.raises(RowsRefused) as refused:
        import_rows("participant,question,correct", ("bo", "q1", 1), ("ann", "q1", ""))
    assert [(row.line, row.reason.code) for row in refused.value.rows] == [(3, "answered_before")]
    with pytest.raises(RowsRefused) as refused:
        import_rows("participant,question,correct", ("bo", "q1", 1), ("ann", "q1", 0))
    assert [(row.line, row.reason.code) for row in refused.value.rows] == [(3, "answered_before")]
    assert Answer.objects.count() == 1


def test_another_number_of_candidates_is_refused(import_rows):
    import_rows("participant,question,correct", ("ann", "q1", 1), candidates=4)
    with pytest.raises(RowsRefused) as refused:
        import_rows("participant,question,correct", ("bo", "q1", 1), candidates=5)
    assert [row.reason.code for row in refused.value.rows] == ["other_candidates"]


RANKED = "participant,question,rank"


def test_a_guessed_number_of_candidates_says_so_where_results_rest_on_it(import_rows, client, researcher):
    import_rows(RANKED, ("ann", "q1", 1), ("bo", "q1", 4))
    study = Study.objects.get(slug="elsewhere")
    whole = {"corpus": None, "candidates": 4, "fewest": 4, "most": 4, "guessed": True}
    assert results_of(study)["candidates"] == [whole]
    client.force_login(researcher)
    page = " ".join(client.get(reverse("results", args=["elsewhere"])).content.decode().split())
    assert "at least 4 candidates" in page and "depend on it" in page
    import_rows(RANKED, ("ann", "q1", 1), ("bo", "q1", 4), slug="given", candidates=4)
    assert results_of(Study.objects.get(slug="given"))["candidates"] == [whole | {"guessed": False}]
    page = client.get(reverse("results", args=["given"])).content.decode()
    assert "at least" not in page and "rest on it" not in page


def test_a_lower_highest_rank_contradicts_no_stored_number_and_a_higher_one_is_told_with_what_to_do(import_rows):
    import_rows(RANKED, ("ann", "q1", 4))
    assert import_rows(RANKED, ("bo", "q1", 3)).stored == 1
    for again in ({"candidates": None}, {"candidates": 6}):
        with pytest.raises(RowsRefused) as refused:
            import_rows(RANKED, ("cy", "q1", 5), **again)
        assert [row.reason.code for row in refused.value.rows] == ["guessed_candidates"]


def test_a_file_in_gb18030_with_semicolons_is_read(tmp_path, researcher):
    path = tmp_path / "answers.csv"
    path.write_bytes("participant;question;correct\n王五;问题一二三四五;1\n李四;问题一二三四五;0\n".encode("gb18030"))
    imported_answers.import_answers(slug="zh", path=path, report=factories.no_progress, by=researcher)
    assert set(Participant.objects.values_list("label", flat=True)) == {"王五", "李四"}


def test_a_study_with_participants_of_its_own_takes_no_answers_from_elsewhere(import_rows, researcher):
    closed_study(researcher, question_set(researcher), slug="own")
    with pytest.raises(Refused) as refused:
        import_rows("participant,question,correct", ("ann", "q1", 1), slug="own")
    assert refused.value.code == "not_imported"


@pytest.mark.parametrize(
    ("slug", "code"), [("new", "slug_taken"), ("no spaces", "name_wrong"), ("a" * 61, "name_wrong")]
)
def test_a_name_that_cannot_be_is_refused(slug, code, import_rows):
    with pytest.raises(Refused) as refused:
        import_rows("participant,question,correct", ("ann", "q1", 1), slug=slug)
    assert refused.value.code == code


def test_a_researchers_study_is_nobody_elses(import_rows):
    import_rows("participant,question,correct", ("ann", "q1", 1))
    stranger = factories.person("sue", Role.RESEARCHER)
    with pytest.raises(Refused) as refused:
        import_rows("participant,question,correct", ("bo", "q1", 1), by=stranger)
    assert refused.value.code == "slug_taken"


ABOUT = "participant,question,correct,age,ubuntu"


def said() -> dict[str, dict[str, str]]:
    return dict(Participant.objects.values_list("label", "demographics"))


def test_what_people_say_about_themselves_comes_with_their_answers(import_rows):
    outcome = import_rows(
        ABOUT, ("ann", "q1", 1, "21-30", "expert"), ("ann", "q2", 0, "", "expert"), ("bo", "q1", 0, "55+", "")
    )
    assert said() == {"ann": {"age": "21-30", "ubuntu": "expert"}, "bo": {"age": "55+"}}
    assert outcome.described == 2


def test_an_answer_that_the_question_has_not_is_refused_with_its_line_and_column(tmp_path, researcher):
    path = answers_file(tmp_path, ABOUT, [("ann", "q1", 1, "21-30", "guru"), ("bo", "q1", 1, "old", "")])
    with pytest.raises(RowsRefused) as refused:
        imported_answers.import_answers(slug="elsewhere", path=path, report=factories.no_progress, by=researcher)
    assert [(row.line, row.reason.code, row.reason.params["column"]) for row in refused.value.rows] == [
        (2, "no_such_answer", "ubuntu"),
        (3, "no_such_answer", "age"),
    ]
    assert "never, basic, intermediate, expert" in str(refused.value.rows[0].reason)
    assert not Study.objects.exists()


def test_a_person_who_says_two_things_of_one_is_refused(import_rows):
    rows = [("ann", "q1", 1, "21-30", ""), ("ann", "q2", 1, "31-40", "")]
    assert refused_by(lambda: import_rows(ABOUT, *rows)) == [(3, "other_name")]


def test_a_later_file_may_say_what_was_not_said_and_not_something_else(import_rows):
    import_rows("participant,question,correct", ("ann", "q1", 1))
    again = import_rows(ABOUT, ("ann", "q1", 1, "21-30", "basic"))
    assert (again.stored, again.duplicate, again.described) == (0, 1, 1)
    assert said() == {"ann": {"age": "21-30", "ubuntu": "basic"}}
    assert import_rows(ABOUT, ("ann", "q1", 1, "21-30", "basic")).described == 0
    with pytest.raises(RowsRefused):
        import_rows(ABOUT, ("ann", "q1", 1, "21-30", "expert"))
    assert said() == {"ann": {"age": "21-30", "ubuntu": "basic"}}


def test_the_export_has_what_was_said(import_rows, tmp_path):
    import_rows(ABOUT, ("ann", "q1", 1, "21-30", "expert"))
    study = Study.objects.get()
    people = next(table for table in tables_of(study) if table.name == "people")
    [row] = people.rows
    assert (row["says_age"], row["says_ubuntu"]) == ("21-30", "expert")
    assert {"says_age", "says_ubuntu"} <= {column.name for column in people.columns}


# ---- questions of a set, by their names -----------------------------------------------------------------------------


RIGHT = [
    (f"p{person}", f"q{number}", letter) for person, row in enumerate(EXAMPLE_A) for number, letter in enumerate(row)
]


@pytest.fixture
def drawn(researcher):
    """Ten questions, and a model that is right in seven of them."""
    questions = question_set(researcher)
    run_of(questions, "1110101010", by=researcher)
    return questions


@pytest.mark.every_database
def test_questions_with_the_names_of_a_set_are_its_questions_and_a_model_is_compared_on_them(import_rows, drawn):
    outcome = import_rows("participant,question,correct", *RIGHT)
    assert (outcome.question_set, outcome.questions, outcome.stored) == ("drawn", 10, 80)
    study = Study.objects.get(slug="elsewhere")
    assert not study.own_questions.exists()
    [row] = [each for each in comparisons_of(study, ["tfidf"])["rows"] if each["corpus"] is None]
    assert (row["difference"], row["p"]) == pytest.approx((0.125, 0.41015625)), "example A of METHODS"
    again = import_rows("participant,question,correct", *RIGHT, ("p9", "q0", 1), ("p9", "more", 0))
    assert (again.question_set, again.duplicate, again.stored, again.questions) == ("drawn", 80, 2, 1)


@pytest.mark.parametrize(
    ("header", "rows", "candidates"),
    [
        ("participant,question,correct", [*RIGHT, ("p1", "unknown", 1)], None),
        ("participant,question,correct", RIGHT, 5),
        ("participant,question,correct,corpus", [(*row, "another") for row in RIGHT], None),
    ],
)
def test_other_names_candidates_or_corpora_are_questions_of_their_own(import_rows, drawn, header, rows, candidates):
    outcome = import_rows(header, *rows, candidates=candidates)
    assert (outcome.question_set, outcome.questions) == (None, len({row[1] for row in rows}))
    assert results_of(Study.objects.get(slug="elsewhere"))["models"] == []


def test_sets_that_ask_other_things_under_the_same_names_are_not_chosen_between(import_rows, drawn, researcher):
    question_set(researcher, name="other")
    assert import_rows("participant,question,correct", *RIGHT).question_set is None


def test_the_set_of_a_stranger_is_no_set(import_rows, drawn):
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert import_rows("participant,question,correct", *RIGHT, by=stranger).question_set is None


def test_pages_say_whose_questions_they_are_or_why_no_model_is_compared(import_rows, drawn, client, researcher):
    import_rows("participant,question,correct", *RIGHT)
    import_rows("participant,question,correct", ("ann", "alone", 1), slug="alone")
    client.force_login(researcher)
    for slug, link, why in (("elsewhere", True, False), ("alone", False, True)):
        page = client.get(reverse("study", args=[slug])).content.decode()
        assert (reverse("question_set", args=["drawn"]) in page, "No model can be compared" in page) == (link, why)
        assert client.get(reverse("results", args=[slug])).status_code == 200
        models = client.get(reverse("study_models", args=[slug])).content.decode()
        assert ("matched by name with those of drawn" in models, "No model can be compared" in models) == (link, why)
