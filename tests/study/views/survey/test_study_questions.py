"""Questions of a study: texts until it is closed; then what people and models chose, and decisions about them."""

import re
from collections import Counter

import pytest
from django.urls import reverse

from core.models import Event
from study.actions.survey import studies
from study.domain.survey.validity import Validity, rival_of
from study.models import Participant, Question, QuestionDecision
from study.selectors.results.choices import choices_of, share_of
from tests.study import study_cases
from tests.study.results_cases import run_of

FORM = {"settings": {"forms": 1, "per_form": 4}, "questions": 4}


@pytest.fixture
def lines(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": None, "lab": None}, **FORM)


def answered(study, firsts: list[int], group: str = "crowd", second: int = 4) -> Participant:
    """Return a person who chose these candidates first, at the questions in the order of their set."""
    person = study_cases.begun(study, group)
    study_cases.spend(person, seconds=60)
    asked = {shown.question.position: shown for shown in study_cases.counting(person)}
    for position, first in enumerate(firsts):
        study_cases.answer(asked[position], first, second if first != second else 3, milliseconds=2_000)
    check = study_cases.check_of(person)
    study_cases.answer(check, check.question.answer)
    return study_cases.participants.finish(participant=person)


@pytest.fixture
def closed(lines, researcher):
    """Six people in the crowd, of whom five chose line 2 where line 0 is the true one, and one of the lab."""
    for first in (2, 2, 2, 2, 2, 0):
        answered(lines, [first, 1, 2, 3])
    answered(lines, [0, 1, 2, 3], group="lab")
    return studies.close(study=lines, why="Written for tests.", by=researcher)


def at(study, position: int) -> Question:
    return Question.objects.get(question_set__studies=study, position=position, condition="")


def page(client, study, question: Question | None = None, **query: str):
    name, arguments = ("study_question", [study.slug, question.pk]) if question else ("study_questions", [study.slug])
    return client.get(reverse(name, args=arguments), query)


# ---- before closing ----


def test_an_open_study_shows_texts_and_neither_choices_nor_the_true_line(own, lines):
    answered(lines, [2, 1, 2, 3])
    listed, one = page(own, lines), page(own, lines, at(lines, 0))
    assert [row.share for row in listed.context["rows"]] == [None] * 4
    assert not any(name in one.context for name in ("candidates", "answer", "rival", "models"))
    shown = one.content.decode()
    assert "And when is number 0 here?" in shown
    assert "is-key" not in shown
    assert "R@1" not in listed.content.decode() + shown


def test_a_draft_lists_what_its_sets_hold(own, researcher):
    study_cases.study("lines", by=researcher, is_open=False)
    answer = own.get(reverse("study_questions", args=["lines"]))
    assert answer.context["total"] == 12


# ---- what was chosen ----


def test_choices_are_counted_by_group(closed):
    found = {row["name"]: row for row in choices_of(closed)["questions"]}
    parts = {part["group"]: part for part in found["lines-questions/q0"]["parts"]}
    assert (parts["crowd"]["first"], parts["crowd"]["right"], parts["crowd"]["scored"]) == ([1, 0, 5, 0, 0], 1, 6)
    assert (parts["lab"]["first"], parts["lab"]["right"]) == ([1, 0, 0, 0, 0], 1)
    assert parts["crowd"]["second"] == [0, 0, 0, 0, 6]
    assert (parts["crowd"]["median"], parts["lab"]["median"]) == (2_000, None)


def test_agreement_is_over_questions_and_pairs_of_people_of_any_group(closed):
    [whole, movie] = choices_of(closed)["agreement"]
    # At the first question 5 of 7 chose line 2 and 2 line 0: 11 of 21 pairs agree; at the others all do.
    assert (whole["corpus"], whole["questions"], movie["corpus"]) == (None, 4, "movie")
    assert whole["same"] == pytest.approx((11 / 21 + 3) / 4)
    assert whole["beyond_chance"] == pytest.approx(((11 / 21 - 1 / 5) / (4 / 5) + 3) / 4)
    low, high = whole["same_ci"]
    assert low < whole["same"] < high


def test_places_are_where_each_person_saw_the_line_they_chose(closed):
    [found] = choices_of(closed)["places"]
    chosen, true, right = Counter(), Counter(), Counter()
    for shown in study_cases.Presentation.objects.filter(question__purpose="work").select_related("answer", "question"):
        chosen[shown.order.index(shown.answer.first)] += 1
        true[shown.order.index(shown.question.answer)] += 1
        right[shown.order.index(shown.question.answer)] += shown.answer.first == shown.question.answer
    assert (found["candidates"], found["answers"]) == (5, 28)
    for place, row in enumerate(found["places"]):
        assert (row["place"], row["chosen"]["k"], row["chosen"]["n"]) == (place + 1, chosen[place], 28)
        assert (row["right"]["k"], row["right"]["n"]) == (right[place], true[place])
    assert sum(row["chosen"]["p"] for row in found["places"]) == pytest.approx(1)
    assert {row["seen"]["n"] for row in found["places"]} == {0}  # no script told what was on the screen


def test_places_tell_how_often_their_line_was_on_the_screen_before_the_answer(own, closed):
    answers = study_cases.Presentation.objects.filter(question__purpose="work").select_related("answer")
    for number, shown in enumerate(answers):
        shown.answer.unseen = [None, [], shown.order[3:], shown.order[4:]][number % 4]
        shown.answer.save()
    [found] = choices_of(closed)["places"]
    assert [row["seen"] for row in found["places"]] == [{"k": k, "n": 21} for k in (21, 21, 21, 14, 7)]
    assert "66.7" in page(own, closed).content.decode()


def test_people_and_the_best_model_part_both_ways(own, closed, researcher):
    run_of(closed.question_sets.get(), "1000", by=researcher)
    asked = {
        show: [row.asked.question.position for row in page(own, closed, show=show).context["rows"]]
        for show in ("model_wrong", "model_right")
    }
    right = {row.asked.question.position: row.model_is_right for row in page(own, closed).context["rows"]}
    assert asked["model_right"] == [position for position in (0,) if right[position]]
    assert sorted(asked["model_wrong"]) == [position for position in (1, 2, 3) if not right[position]]
    assert asked["model_right"]
    assert asked["model_wrong"]


def test_who_does_not_count_is_in_no_choice(own, closed):
    person = closed.participants.filter(group__name="lab").get()
    own.post(reverse("exclude_participants", args=["lines"]), {"row": [person.pk], "why": "A colleague."})
    row = next(each for each in choices_of(closed)["questions"] if each["name"] == "lines-questions/q0")
    assert [part["group"] for part in row["parts"]] == ["crowd"]


def test_the_hardest_question_comes_first_and_is_perhaps_valid(own, closed):
    rows = page(own, closed).context["rows"]
    assert rows[0].asked.question.position == 0
    assert rows[0].p == pytest.approx(2 / 7)
    assert [row.rival for row in rows] == [2, None, None, None]
    assert [row.asked.question.position for row in page(own, closed, show="rival").context["rows"]] == [0]


def test_no_share_is_shown_of_fewer_than_five_people(own, lines, researcher):
    for _person in range(4):
        answered(lines, [2, 1, 2, 3])
    studies.close(study=lines, why="Written for tests.", by=researcher)
    assert {row.p for row in page(own, lines).context["rows"]} == {None}
    one = page(own, lines, at(lines, 0)).context
    assert {(each.first_share, each.second_share) for each in one["candidates"]} == {(None, None)}
    assert [each.first for each in one["candidates"]] == [0, 0, 4, 0, 0]


def test_a_question_that_no_one_answered_has_an_n_of_0(own, lines, researcher):
    studies.close(study=lines, why="Written for tests.", by=researcher)
    rows = page(own, lines)
    counts = re.findall(r'<td class="n wide-only">(.*?)</td>', rows.content.decode())
    assert counts == ["0"] * len(rows.context["rows"])


def test_one_question_shows_each_candidate_with_its_choices_and_the_models(own, closed, researcher):
    run = run_of(closed.question_sets.get(), "0", by=researcher)
    context = page(own, closed, at(closed, 0)).context
    assert [each.first for each in context["candidates"]] == [2, 0, 5, 0, 0]
    assert context["candidates"][2].first_share == pytest.approx(5 / 7)
    assert [each.is_true for each in context["candidates"]] == [True, False, False, False, False]
    assert [(model.run, model.letter) for model in context["candidates"][1].models] == [(run.pk, "B")]
    assert [sum(column.count for column in each.positions) for each in context["candidates"]] == [7] * 5
    assert context["shown_to"] == 7
    assert (context["first_people"], context["second_people"]) == (7, 7)
    assert [(row.group, row.title) for row in context["conditions"]] == [
        ("crowd", "whole context"),
        ("lab", "whole context"),
    ]


def test_one_question_tells_what_the_answers_are_worth_and_of_few_people_nothing(own, lines, researcher):
    for first, second in ((0, 1), (2, 0), (2, 0), (2, 0), (2, 3)):  # the true one is line 0
        answered(lines, [first], second=second)
    answered(lines, [0], group="lab")
    shown = page(own, studies.close(study=lines, why="Written for tests.", by=researcher), at(lines, 0))
    rows = {row.group: row for row in shown.context["conditions"]}
    assert shown.context["reciprocal"] == "MRR@2"
    assert (rows["crowd"].p, rows["crowd"].reciprocal) == (1 / 5, pytest.approx((1 + 3 / 2) / 5))
    assert (rows["lab"].p, rows["lab"].reciprocal) == (None, None)
    assert rows["lab"].first == [1, 0, 0, 0, 0] and "counts only: fewer than 5 people" in shown.content.decode()
    assert '<td class="n">50.0</td>' in shown.content.decode()


def test_a_model_that_errs_where_people_do_not_is_found(own, closed, researcher):
    run_of(closed.question_sets.get(), "1010", by=researcher)  # chooses lines 0, 1, 0, 1; line N is true at question N
    rows = page(own, closed, show="model_wrong").context["rows"]
    assert [row.asked.question.position for row in rows] == [2, 3]


# ---- decisions ----


def decide(client, study, question: Question, **fields: str):
    return client.post(reverse("decide_question", args=[study.slug, question.pk]), fields, follow=True)


def test_a_question_is_marked_with_a_reason_and_nothing_is_rescored(own, closed, researcher):
    before = page(own, closed).context["rows"][0].p
    decide(own, closed, at(closed, 0), decision="perhaps_valid", why="Both lines answer the question.")
    found = QuestionDecision.objects.get()
    assert (found.decision, found.decided_by, found.question) == ("perhaps_valid", researcher, at(closed, 0))
    context = page(own, closed).context
    assert context["rows"][0].p == before
    assert context["marked"].all == pytest.approx(23 / 28)
    assert context["marked"].without == 1.0
    assert Event.objects.get(subject="question", became="perhaps_valid").why == "Both lines answer the question."


def test_a_decision_needs_a_reason_and_a_closed_study(own, lines, closed, researcher):
    answer = decide(own, closed, at(closed, 0), decision="perhaps_valid", why="")
    assert (answer.status_code, QuestionDecision.objects.exists()) == (422, False)
    running = study_cases.study("running", by=researcher)
    answer = decide(own, running, at(running, 0), decision="perhaps_valid", why="Look.")
    assert (answer.status_code, QuestionDecision.objects.exists()) == (422, False)


def test_a_question_of_another_study_is_not_found(own, stranger, closed, researcher):
    other = study_cases.study("others", by=researcher)
    assert page(own, closed, at(other, 0)).status_code == 404
    assert page(stranger, closed, at(closed, 0)).status_code == 404
    assert stranger.post(reverse("decide_question", args=["lines", at(closed, 0).pk])).status_code == 404


# ---- the rule ----


@pytest.mark.parametrize(
    ("counts", "answer", "rival"),
    [
        ([2, 7, 11, 1, 0], 1, 2),
        ([2, 11, 7, 1, 0], 1, None),  # the true one has most
        ([3, 4, 5, 3, 0], 3, None),  # a third only
        ([0, 0, 4], 0, None),  # four people
        ([0, 0, 5], 0, 2),
        ([5, 0], None, None),
    ],
)
def test_another_line_is_a_rival_from_four_in_ten_and_above_the_true_one(counts, answer, rival):
    assert rival_of(counts, answer) == rival
    assert set(Validity) == {"perhaps_valid", "true_only", "undecided"}


def test_a_question_that_nobody_met_whole_is_shown_over_its_conditions():
    part = {"group": "", "scored": 5, "right": 3.0, "second": [0, 0], "quartiles": None}
    row = {
        "name": "q",
        "corpus": "",
        "parts": [
            part | {"question": 2, "first": [3, 2], "median": 1_000},
            part | {"question": 3, "first": [1, 4], "median": None},
        ],
    }
    assert (share_of(row, {1}).first, share_of(row, {2}).first) == ([4, 6], [3, 2])
