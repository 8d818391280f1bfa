"""Results of a study: who and what counts, models on the same questions, the rules."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.domain.statistics import wilson
from study.actions.imported_answers import import_answers
from study.actions.results import results_in_force
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, LateAnswer, Presentation, Question, QuestionPurpose, Run, Study
from study.selectors.results.choices import choices_of
from study.selectors.results.results import is_readable, results_of
from tests import factories
from tests.study.results_cases import (
    answer,
    answer_all,
    closed_study,
    example_a_file,
    own_question,
    participant,
    question_set,
    run_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(researcher):
    return question_set(researcher, 4, corpora=("movie", "ubuntu"))


@pytest.fixture
def study(researcher, questions):
    return closed_study(researcher, questions)


def cell(results, metric="R@1", **part):
    wanted = dict.fromkeys(("corpus", "group", "form", "condition", "type", "turns")) | part
    [found] = [one for one in results["cells"] if one["metric"] == metric and wanted.items() <= one.items()]
    return found


def rule_of(results, name):
    [found] = [rule for rule in results["rules"] if rule["rule"] == name]
    return found


def figure(results, metric="R@1", corpus=None, model="tfidf"):
    wanted = {"metric": metric, "corpus": corpus, "model": model}
    [found] = [one for one in results["models"] if wanted.items() <= one.items()]
    return found


def test_example_a_read_from_a_file(tmp_path, researcher):
    import_answers(slug="a", path=example_a_file(tmp_path), report=factories.no_progress, by=researcher)
    found = cell(results_of(Study.objects.get(slug="a")))
    assert (found["k"], found["n"], found["p"], found["estimator"]) == (58, 80, 0.725, "pooled k/n")
    assert (found["people"], found["questions"]) == (8, 10)
    assert found["headline"] == pytest.approx([0.529069, 0.860853], abs=5e-7)
    assert found["n_eff"] == pytest.approx(36.2901, abs=5e-5)
    assert found["icc"] == pytest.approx(0.1327913, abs=5e-8)
    assert found["design_effect"] == pytest.approx(2.204458, abs=5e-7)
    assert found["wilson"] == pytest.approx([0.618559, 0.810822], abs=5e-7)
    assert found["people_ci"] == pytest.approx([0.547653, 0.902347], abs=5e-7)
    assert (found["starred"], found["flag"], found["headline_why"]) == (False, None, None)
    assert found["bootstrap"][0] < 0.725 < found["bootstrap"][1]


def test_cells_by_corpus_and_group(study):
    answer_all(study, ["112-", "1-11"], group="crowd")
    answer_all(study, ["1111"], group="lab")
    results = results_of(study)
    assert (cell(results)["k"], cell(results)["n"]) == (9, 12)
    assert (cell(results, "R@2")["k"], cell(results, "R@2")["n"]) == (10, 12)
    assert cell(results, "MRR@2")["p"] == pytest.approx(9.5 / 12)
    assert (cell(results, corpus="movie")["k"], cell(results, corpus="movie")["n"]) == (5, 6)  # questions 1 and 3
    assert (cell(results, group="crowd")["k"], cell(results, group="crowd")["n"]) == (5, 8)
    assert (cell(results, corpus="ubuntu", group="crowd")["k"], cell(results, group="lab")["people"]) == (2, 1)
    assert cell(results, turns="<=2")["n"] == 12


def test_means_have_no_k_and_no_binomial_interval(study):
    answer_all(study, ["112-", "1-11", "2111"])
    found = cell(results_of(study), "MRR@2")
    for key in ("k", "wald", "wilson", "jeffreys", "agresti_coull", "clopper_pearson", "starred"):
        assert found[key] is None, key
    assert found["estimator"] == "mean over answers"
    low, high = found["headline"]
    assert low < found["bootstrap"][0] < found["p"] < high < 1
    assert found["headline"] is not None


def test_mrr_is_not_identified_from_two_choices_and_says_so(study):
    answer_all(study, ["112-", "1-11"])
    found = cell(results_of(study), "MRR")
    assert (found["p"], found["n"], found["left_out"], found["headline"]) == (None, 0, 8, None)
    assert "rankings" in found["headline_why"]


def test_one_person_has_no_headline_and_all_right_is_flagged(study):
    answer_all(study, ["1111"])
    found = cell(results_of(study))
    assert (found["headline"], found["k"]) == (None, 4)
    assert found["headline_why"]
    assert found["wilson"] == pytest.approx(wilson(4, 4))
    answer_all(study, ["1111"])
    found = cell(results_of(study))
    assert (found["flag"], found["headline"]) == ("no variance", pytest.approx(wilson(2, 2)))


def test_only_people_who_did_not_withdraw_and_questions_of_work_count(study):
    answer_all(study, ["112-", "1-11"])
    before = results_of(study)
    gone = participant(study, state=ParticipantState.WITHDRAWN)
    first = Question.objects.filter(question_set__in=study.question_sets.all()).earliest("position")
    answer(gone, first, None)
    person = study.participants.counting().earliest("pk")
    for purpose in (QuestionPurpose.PRACTICE, QuestionPurpose.CHECK):
        answer(person, own_question(study, purpose), None)
    assert results_of(study) == before


@pytest.mark.parametrize("ended", [ParticipantState.FAILED_CHECKS, ParticipantState.TIMED_OUT])
def test_a_failed_attention_check_excludes_unless_the_rule_is_switched_off(study, ended):
    """Exclude also a person whose time ended before they pressed the last button."""
    answer_all(study, ["112-", "1-11"])
    check = own_question(study, QuestionPurpose.CHECK)
    attentive, failed = study.participants.earliest("pk"), participant(study, state=ended)
    for person, chosen in ((attentive, check.answer), (failed, (check.answer + 1) % check.candidates_count)):
        answer(person, check, None)
        Answer.objects.filter(presentation__participant=person, presentation__question=check).update(first=chosen)
    for question in study.question_sets.get().questions.all():
        answer(failed, question, None)
    applied, without = results_of(study), results_of(study, without=["failed_checks"])
    assert (cell(applied)["k"], cell(applied)["n"]) == (5, 8)
    assert (cell(without)["k"], cell(without)["n"]) == (5, 12)
    rule, switched = rule_of(applied, "failed_checks"), rule_of(without, "failed_checks")
    assert (rule["applied"], rule["people"], rule["with"], rule["without"]) == (True, 1, 5 / 8, 5 / 12)
    assert (switched["applied"], switched["with"], switched["without"]) == (False, 5 / 8, 5 / 12)


def test_an_unanswered_check_excludes_who_saw_it_or_finished_without_it(study):
    answer_all(study, ["1111", "11--"])
    finished, seen, unseen = study.participants.order_by("pk").last(), participant(study), participant(study)
    check = own_question(study, QuestionPurpose.CHECK)
    study.participants.filter(pk=finished.pk).update(state=ParticipantState.UNANSWERED_CHECK)
    study.participants.filter(pk__in=(seen.pk, unseen.pk)).update(state=ParticipantState.TIMED_OUT)
    first = study.question_sets.get().questions.get(position=0)
    for person, shown_at in ((finished, None), (seen, timezone.now()), (unseen, None)):
        Presentation.objects.create(participant=person, question=check, position=90, shown_at=shown_at)
    for person in (seen, unseen):
        answer(person, first, None)
    rule = rule_of(results_of(study), "unanswered_check")
    assert (rule["people"], rule["with"], rule["without"]) == (2, 4 / 5, 6 / 10)
    assert cell(results_of(study, without=["unanswered_check"]))["n"] == 10


def test_too_few_answers_exclude_by_the_minimum_of_the_plan(study):
    answer_all(study, ["1111", "-..."])
    assert rule_of(results_of(study), "too_few_answers")["people"] == 0
    study.settings = {"minimum_answers": 2}
    study.save()
    rule = rule_of(results_of(study), "too_few_answers")
    assert (rule["people"], rule["with"], rule["without"]) == (1, 1, 4 / 5)


def test_late_answers_are_out_of_the_headline_and_in_a_row_of_their_own(study):
    answer_all(study, ["1111"])
    answer_all(study, ["1-.."], state=ParticipantState.TIMED_OUT)
    person, before = study.participants.latest("pk"), results_in_force(study)
    changed, empty, _other = person.presentations.order_by("position")[1:4]
    LateAnswer.objects.create(presentation=changed, better=0, depth=2)
    LateAnswer.objects.create(presentation=empty, better=None, depth=2)
    after = results_in_force(study)
    rule = rule_of(after, "late_answers")
    assert (rule["people"], rule["with"], rule["without"]) == (1, 5 / 6, 6 / 7)
    without_rules = {"rules": [], "every_rule": {}}
    assert {**after, **without_rules} == {**before, **without_rules}
    included = results_of(study, without=["late_answers"])
    assert (cell(included)["k"], cell(included)["n"], included["unanswered"]) == (6, 7, 1)


def test_people_in_the_midst_do_not_count_and_leave_nothing_open_until_they_have_ended(study):
    answer_all(study, ["1111", "1-11"])
    before = results_of(study)
    answer_all(study, ["1-.."], state=ParticipantState.ANSWERING)
    midst = results_of(study)
    assert (before["still_answering"], midst["still_answering"]) == (0, 1)
    assert midst | {"still_answering": 0} == before
    study.participants.update(state=ParticipantState.COMPLETE)
    after = results_of(study)
    assert (after["still_answering"], after["answers"], after["unanswered"]) == (0, 10, 2)


def test_somebody_whose_time_is_over_counts_before_that_is_written_down(study):
    answer_all(study, ["1111", "1-11"])
    answer_all(study, ["1-.."], state=ParticipantState.ANSWERING)
    late = study.participants.filter(state=ParticipantState.ANSWERING)
    late.update(deadline_at=timezone.now() + timedelta(minutes=5))
    assert (results_in_force(study)["still_answering"], results_in_force(study)["unanswered"]) == (1, 0)
    late.update(deadline_at=timezone.now() - timedelta(minutes=5))
    assert (results_in_force(study)["still_answering"], results_in_force(study)["unanswered"]) == (0, 2)


def test_questions_left_open_and_first_choices_alone_are_told_and_never_wrong(study):
    answer_all(study, ["11..", "1211"])
    person = participant(study)
    answer(person, study.question_sets.get().questions.get(position=0), None, depth=1)
    results = results_of(study)
    assert (results["unanswered"], results["first_choice_only"], results["answers"]) == (2, 1, 7)
    assert (cell(results)["k"], cell(results)["n"]) == (5, 7)
    assert (cell(results, "R@2")["n"], cell(results, "R@2")["left_out"]) == (6, 1)


def test_answers_to_questions_without_a_known_key_are_told_and_not_scored(study):
    answer_all(study, ["1111", "1111"])
    Question.objects.filter(position=3).update(answer=None)
    results = results_of(study)
    assert (cell(results)["n"], results["without_key"]) == (6, 2)


def test_models_stand_on_the_questions_that_people_answered(study, questions, researcher):
    run_of(questions, "101t", by=researcher)
    answer_all(study, ["11.", "1-."])  # the third and fourth question have no answer
    results = results_of(study)
    assert (figure(results)["k"], figure(results)["n"]) == (1, 2)
    assert figure(results)["ci"] == pytest.approx(wilson(1, 2))
    assert (figure(results, corpus="movie")["k"], figure(results, corpus="movie")["n"]) == (1, 1)


def test_a_question_without_a_prediction_is_counted_and_never_wrong(study, questions, researcher):
    run_of(questions, "1.1t", by=researcher)
    answer_all(study, ["1111", "1-11"])
    found = figure(results_of(study))
    assert (found["n"], found["without_prediction"], found["tied"]) == (3, 1, 1)
    assert (found["k"], found["p"]) == (None, pytest.approx((1 + 1 + 1 / 4) / 3))


def test_a_run_that_has_not_ended_is_not_shown(study, questions, researcher):
    run = run_of(questions, "1111", by=researcher)
    run.ended_at = None
    run.save()
    answer_all(study, ["1111", "1-11"])
    assert results_of(study)["models"] == []


def test_a_run_that_was_repeated_stands_once_by_its_newest(study, questions, researcher):
    run_of(questions, "1100", by=researcher)
    again = run_of(questions, "1100", by=researcher)
    answer_all(study, ["1111", "1-11"])
    assert {row["run"] for row in results_of(study)["models"]} == {again.pk}
    other = run_of(questions, "1100", by=researcher)
    other.seed = 7
    other.save()
    assert {row["run"] for row in results_of(study)["models"]} == {again.pk, other.pk}


def test_people_are_compared_with_the_best_model(study, questions, researcher):
    run_of(questions, "1100", model="better", by=researcher)
    run_of(questions, "1000", model="worse", by=researcher)
    answer_all(study, ["1111", "111-"])
    [found] = [one for one in results_of(study)["differences"] if one["corpus"] is None]
    # Shares right 1, 1, 1, .5 against 1, 1, 0, 0: the mean of 0, 0, 1, .5.
    assert (found["model"], found["difference"]) == ("better", pytest.approx(0.375))
    assert found["ci"][0] <= 0.375 <= found["ci"][1]


def test_a_model_that_was_asked_few_of_the_questions_is_not_the_best(study, questions, researcher):
    run_of(questions, "1100", model="whole", by=researcher)
    run_of(questions, "1...", model="lucky", by=researcher)
    run_of(questions, "000u", model="silent", by=researcher)
    answer_all(study, ["1111", "111-"])
    [found] = [one for one in results_of(study)["differences"] if one["corpus"] is None]
    assert (found["model"], found["models"], found["questions"]) == ("whole", 2, 4)
    run = Run.objects.get(pk=choices_of(study)["best"]["run"])
    assert (run.model, choices_of(study)["best"]["models"]) == ("whole", 2)


def test_results_are_not_readable_while_people_are_asked(study):
    assert is_readable(study)
    study.state = StudyState.OPEN
    assert not is_readable(study)


def test_results_in_force_change_with_the_first_new_answer(study):
    answer_all(study, ["1111", "1-11"])
    assert results_in_force(study)["answers"] == 8
    answer_all(study, ["11"])
    assert results_in_force(study)["answers"] == 10


def test_a_study_without_answers_has_no_figures(study):
    results = results_of(study)
    assert (results["answers"], results["models"], cell(results)["p"]) == (0, [], None)
    assert cell(results)["headline_why"]


def test_the_number_of_queries_does_not_grow_with_people(study, django_assert_max_num_queries):
    answer_all(study, ["1111"] * 12)
    with django_assert_max_num_queries(15):
        results_of(study)
