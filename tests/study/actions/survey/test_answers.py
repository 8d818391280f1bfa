"""Answers: by whom, when, how often they are sent, and the rank of the truth in them."""

from datetime import datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.utils import timezone

from core.actions.refusals import Refused
from study.actions.survey import answers, participants, studies
from study.models import Answer, LateAnswer, Participant, Presentation
from study.selectors.results.results import results_of
from tests.study import study_cases


def refusal(*, first: int | None, second: int | None = None, **arguments) -> str:
    ranking = [number for number in (first, second) if number is not None]
    with pytest.raises(Refused) as refused:
        answers.give(ranking=ranking, **arguments)
    return refused.value.code


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher)


@pytest.fixture
def person(study):
    return study_cases.begun(study)


@pytest.mark.parametrize(
    ("first", "second", "better", "depth"),
    [(0, 1, 0, 2), (1, 0, 1, 2), (1, 2, None, 2), (0, None, 0, 1), (2, None, None, 1)],
    ids=["first", "second", "neither", "first alone", "wrong alone"],
)
def test_the_server_works_out_where_the_truth_stands(person, first, second, better, depth):
    presentation = study_cases.counting(person)[0]
    right = presentation.question.answer
    shifted = [None if choice is None else (right + choice) % 5 for choice in (first, second)]
    answer = study_cases.answer(presentation, *shifted)
    assert (answer.better, answer.tied, answer.depth) == (better, 0, depth)


def test_an_answer_is_changed_until_the_end_and_can_be_taken_back(person):
    presentation = study_cases.counting(person)[0]
    study_cases.answer(presentation, 1, 2)
    study_cases.spend(person, seconds=1)
    study_cases.answer(study_cases.counting(person)[0], 4, 1, milliseconds=812)
    assert Answer.objects.values_list("first", "second", "milliseconds").get() == (4, 1, 812)
    assert study_cases.answer(presentation, None) is None
    assert not Answer.objects.exists()
    study_cases.answer(presentation, 3)
    participants.finish(participant=person)
    assert refusal(presentation=presentation, first=1, participant=person) == "ended"
    assert Answer.objects.get().first == 3


def test_lines_that_no_page_of_the_question_showed_are_stored_and_one_that_was_seen_stays_so(person):
    presentation = study_cases.counting(person)[0]
    for told, stored in (([1, 3, 4], [1, 3, 4]), (None, [1, 3, 4]), ([0, 3, 1], [1, 3]), ([], []), ([2], [])):
        study_cases.answer(presentation, 0, unseen=told)
        assert Answer.objects.get().unseen == stored


def test_what_was_on_the_screen_is_unknown_without_a_script_and_where_the_consent_does_not_say_that_it_is_noted(
    person, study
):
    first, second = study_cases.counting(person)[:2]
    assert study_cases.answer(first, 0).unseen is None
    type(study).objects.update(notes_screen=False)
    second = Presentation.objects.select_related("participant__study", "question").get(pk=second.pk)
    assert study_cases.answer(second, 0, unseen=[1]).unseen is None


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ((1, 1), "choices_equal"),
        ((5, 1), "no_choice"),
        ((1, 9), "no_choice"),
        ((-1, 1), "no_choice"),
    ],
)
def test_choices_that_cannot_be_are_refused_and_what_stood_there_stays(person, choices, code):
    presentation = study_cases.counting(person)[0]
    study_cases.answer(presentation, 0, 1)
    first, second = choices
    assert refusal(presentation=presentation, first=first, second=second, participant=person) == code
    assert Answer.objects.values_list("first", "second").get() == (0, 1)


def test_another_persons_question_is_not_answered(study, person):
    other = study_cases.begun(study)
    presentation = study_cases.counting(person)[0]
    assert refusal(presentation=presentation, first=1, participant=other) == "not_yours"
    assert not Answer.objects.exists()


def test_what_is_sent_twice_is_stored_once_even_after_the_end(person):
    presentation, key = study_cases.counting(person)[0], uuid4()
    once = study_cases.answer(presentation, 1, 2, key=key)
    twice = study_cases.answer(presentation, 1, 2, key=key)
    participants.finish(participant=person)
    assert study_cases.answer(presentation, 1, 2, key=key) == once == twice
    assert Answer.objects.get().answered_at == once.answered_at


@pytest.mark.parametrize("choices", [(1, 3), (2, 1), (1, None), (None, None)])
def test_the_key_of_an_answer_takes_no_other_choices(person, choices):
    presentation, key = study_cases.counting(person)[0], uuid4()
    study_cases.answer(presentation, 1, 2, key=key)
    first, second = choices
    assert refusal(presentation=presentation, first=first, second=second, key=key, participant=person) == "key_used"
    assert Answer.objects.values_list("first", "second").get() == (1, 2)


def test_three_seconds_of_grace_are_given_and_flagged(person):
    presentation, later = study_cases.counting(person)[:2]
    over = timezone.now()
    Participant.objects.filter(pk=person.pk).update(deadline_at=over - timedelta(seconds=1))
    assert study_cases.answer(presentation, 1, 2).in_grace
    Participant.objects.filter(pk=person.pk).update(deadline_at=over - timedelta(seconds=3.01))
    assert refusal(presentation=later, first=1, participant=person) == "too_late"
    participants.close_overdue()
    assert refusal(presentation=later, first=1, participant=person) == "too_late"
    assert list(Answer.objects.values_list("presentation", flat=True)) == [presentation.pk]
    assert participants.finish(participant=person).state == "timed_out"


def test_an_answer_in_time_is_not_flagged(person):
    assert not study_cases.answer(study_cases.counting(person)[0], 1, 2).in_grace


def test_closing_a_study_lets_those_who_answer_go_on_to_the_end_of_their_time(study, person, researcher):
    studies.close(study=study, why="Written for tests.", by=researcher)
    for presentation in (study_cases.counting(person)[0], study_cases.check_of(person)):
        assert study_cases.answer(presentation, 0, 2)
    assert participants.finish(participant=person).state == "complete"


def test_closing_a_study_without_a_limit_ends_it_for_everybody(researcher):
    study = study_cases.study("slow", by=researcher, settings={"minutes": 0})
    person = study_cases.begun(study)
    study_cases.answer(study_cases.counting(person)[0], 1, 2)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert Participant.objects.get().state == "timed_out"
    assert refusal(presentation=study_cases.counting(person)[1], first=1, participant=person) == "too_late"
    assert Answer.objects.count() == 1


def test_closing_a_study_without_a_limit_pays_nobody_without_answers(researcher):
    study = study_cases.study("slow", by=researcher, settings={"minutes": 0})
    study_cases.begun(study)
    studies.close(study=study, why="Written for tests.", by=researcher)
    person = Participant.objects.get()
    assert (person.state, person.code) == ("too_few_answers", study.codes["too_few_answers"])


# ---- given in time, arrived late ----


def over(person: Participant, **ago: float) -> list[Presentation]:
    """Let the time of a person end so long ago. Return their questions that count, as read from then on."""
    Participant.objects.filter(pk=person.pk).update(deadline_at=timezone.now() - timedelta(**ago))
    return study_cases.counting(Participant.objects.get(pk=person.pk))


@pytest.mark.parametrize("is_swept", [False, True])
def test_an_answer_given_in_time_that_arrives_late_is_kept_beside_the_one_in_time(person, is_swept):
    first = study_cases.counting(person)[0]
    study_cases.answer(first, 1, 2)
    first, second, *_others = over(person, minutes=12)
    if is_swept:
        participants.close_overdue()
    assert isinstance(study_cases.answer(first, 3, 4, seconds_left=7), LateAnswer)
    study_cases.answer(second, 0, 1, seconds_left=0)
    assert Answer.objects.values_list("first", "second").get() == (1, 2)
    assert list(LateAnswer.objects.order_by("pk").values_list("first", "second")) == [(3, 4), (0, 1)]
    assert study_cases.answer(first, None, seconds_left=5) is None
    assert LateAnswer.objects.get().first == 0
    assert Answer.objects.get().first == 1


@pytest.mark.parametrize(
    ("ago", "seconds_left"),
    [({"minutes": 12}, None), ({"minutes": 12}, -1), ({"days": 1, "seconds": 1}, 30)],
    ids=["nothing said", "given after the time", "a day later"],
)
def test_what_was_not_given_in_time_or_arrives_a_day_late_is_refused(person, ago, seconds_left):
    first, *_others = over(person, **ago)
    with pytest.raises(Refused) as refused:
        study_cases.answer(first, 3, 4, seconds_left=seconds_left)
    assert refused.value.code == "too_late"
    assert not LateAnswer.objects.exists()


def test_a_late_answer_is_stored_once_however_often_it_is_sent(person):
    first, *_others = over(person, minutes=1)
    key = uuid4()
    once = study_cases.answer(first, 3, 4, key=key, seconds_left=7)
    assert study_cases.answer(first, 3, 4, key=key, seconds_left=7) == once
    assert refusal(presentation=first, first=1, key=key, seconds_left=7, participant=person) == "key_used"


def test_an_answer_that_was_stored_in_time_is_acknowledged_when_it_comes_again_late(person):
    first, key = study_cases.counting(person)[0], uuid4()
    stored = study_cases.answer(first, 3, 4, key=key)
    first, *_others = over(person, minutes=1)
    assert study_cases.answer(first, 3, 4, key=key, seconds_left=7) == stored
    assert not LateAnswer.objects.exists()


def test_after_finishing_nothing_is_late(person):
    participants.finish(participant=person)
    first, *_others = over(person, minutes=-1)
    assert refusal(presentation=first, first=1, seconds_left=7, participant=person) == "ended"


def test_who_answered_offline_alone_is_paid_once_enough_has_arrived(researcher):
    study = study_cases.study("slow", by=researcher, settings={"minimum_answers": 2})
    person = study_cases.begun(study)
    first, second, *_others = over(person, minutes=1)
    participants.close_overdue()
    states = [Participant.objects.get().state]
    for presentation in (first, second):
        study_cases.answer(presentation, 1, 2, seconds_left=3)
        states.append(Participant.objects.get().state)
    assert states == ["too_few_answers", "too_few_answers", "timed_out"]
    assert Participant.objects.get().code == study.codes["timed_out"]


# ---- the ranking as given, and the times of its changes ----


def ranked(person: Participant, presentation: Presentation, *ranking: int, **details):
    return answers.give(presentation=presentation, ranking=ranking, participant=person, **{"key": uuid4(), **details})


@pytest.fixture
def ranker(researcher):
    return study_cases.begun(study_cases.study("orders", by=researcher, settings={"answer": "ranking"}))


def test_what_follows_from_a_ranking_is_stored_beside_it(ranker):
    presentation = study_cases.counting(ranker)[0]
    right = presentation.question.answer
    order = [(right + shift) % 5 for shift in (3, 1, 0, 4, 2)]
    ranked(ranker, presentation, *order)
    stored = Answer.objects.get()
    assert stored.ranking == order
    assert (stored.first, stored.second, stored.better, stored.tied, stored.depth) == (order[0], order[1], 2, 0, 5)


def test_the_last_place_follows_from_the_others_and_a_shorter_ranking_is_kept_as_it_is(ranker):
    full, partial, *_others = study_cases.counting(ranker)
    assert ranked(ranker, full, 4, 0, 3, 1).ranking == [4, 0, 3, 1, 2]
    answer = ranked(ranker, partial, 4, 0, 3)
    assert (answer.ranking, answer.depth) == ([4, 0, 3], 3)


def test_a_filled_ranking_is_known_again_by_its_key(ranker):
    presentation, key = study_cases.counting(ranker)[0], uuid4()
    once = ranked(ranker, presentation, 4, 0, 3, 1, key=key)
    for sent in ((4, 0, 3, 1), (4, 0, 3, 1, 2)):
        assert ranked(ranker, presentation, *sent, key=key) == once
    assert len(Answer.objects.get().saved_times) == 1


@pytest.mark.parametrize(
    ("settings", "ranking", "code"),
    [
        ({"answer": "first"}, [1, 2], "too_many_ranks"),
        ({"answer": "first-second"}, [1, 2, 3], "too_many_ranks"),
        ({"answer": "ranking"}, [1, 2, 1], "choices_equal"),
        ({"answer": "ranking"}, [1, 2, 3, 0, 4, 5], "no_choice"),
    ],
)
def test_a_ranking_goes_as_far_as_the_study_asks(researcher, settings, ranking, code):
    person = study_cases.begun(study_cases.study("orders", by=researcher, settings=settings))
    with pytest.raises(Refused) as refused:
        ranked(person, study_cases.counting(person)[0], *ranking)
    assert refused.value.code == code
    assert not Answer.objects.exists()


def test_each_saved_change_leaves_its_time_and_not_what_was_chosen(person):
    presentation, times = study_cases.counting(person)[0], []
    for chosen in ((1,), (1, 2), (), (3, 0)):
        ranked(person, presentation, *chosen)
        presentation.refresh_from_db()
        answer = Answer.objects.filter(presentation=presentation).first()
        times.append(answer.saved_times if answer else presentation.saved_times)
    assert [len(each) for each in times] == [1, 2, 3, 4]
    assert all(later[:-1] == earlier for earlier, later in pairwise(times))
    assert times[-1] == sorted(times[-1])
    assert all(text.endswith("Z") and datetime.fromisoformat(text) for text in times[-1])


def test_no_more_times_are_kept_than_the_newest_fifty(person):
    presentation = study_cases.counting(person)[0]
    for change in range(answers.MOST_TIMES + 3):
        answer = ranked(person, presentation, change % 5)
    assert len(answer.saved_times) == answers.MOST_TIMES


def test_a_withdrawal_leaves_neither_rankings_nor_times(ranker):
    kept, taken_back, *_others = study_cases.counting(ranker)
    ranked(ranker, kept, 1, 2, 3)
    ranked(ranker, taken_back, 1)
    ranked(ranker, taken_back)
    participants.withdraw(participant=ranker)
    assert not Answer.objects.exists()
    assert not Presentation.objects.filter(participant=ranker).exists()


def test_the_time_at_a_question_is_never_less_than_before_however_often_its_page_is_loaded(person):
    study_cases.spend(person, seconds=60)
    asked = study_cases.counting(person)[0]
    for said, kept in ((9_000, 9_000), (1_200, 9_000), (None, 9_000), (9_500, 9_500)):
        assert study_cases.answer(asked, 0, 1, milliseconds=said).milliseconds == kept


def test_a_browser_tells_no_longer_time_than_has_passed_since_the_start_less_that_at_the_other_questions(person):
    study_cases.spend(person, seconds=20)
    first, second, third, *_rest = study_cases.counting(person)
    assert 20_000 <= study_cases.answer(first, 0, 1, milliseconds=600_000).milliseconds < 60_000
    Answer.objects.update(milliseconds=12_000)
    assert 8_000 <= study_cases.answer(second, 0, 1, milliseconds=600_000).milliseconds < 48_000
    Answer.objects.update(milliseconds=6_000)
    assert study_cases.answer(third, 0, 1, milliseconds=7_000).milliseconds == 7_000


def test_answers_that_a_browser_kept_while_it_was_offline_keep_the_times_that_it_tells(person):
    study_cases.spend(person, seconds=60)
    asked = study_cases.counting(person)
    for number, told in enumerate((14_000, 15_000, 16_000)):
        assert study_cases.answer(asked[number], 0, 1, milliseconds=told).milliseconds == told


def test_a_late_answer_tells_no_longer_time_than_the_survey_has(person):
    asked = study_cases.counting(person)[0]
    study_cases.spend(person, seconds=10 * 60 * 60)
    late = study_cases.answer(asked, 0, 1, milliseconds=9 * 60 * 60 * 1000, seconds_left=1)
    assert (type(late), late.milliseconds) == (LateAnswer, (person.study.survey.minutes * 60 + 3) * 1000)


def test_without_a_script_the_server_measures_from_the_page_to_the_answer(person):
    asked = study_cases.counting(person)[0]
    assert study_cases.answer(asked, 0, 1).milliseconds is None  # its page was never shown
    Presentation.objects.filter(pk=asked.pk).update(shown_at=timezone.now() - timedelta(seconds=30))
    assert 30_000 <= study_cases.answer(asked, 1, 2).milliseconds < 60_000


def test_a_person_without_a_script_can_be_too_fast(researcher):
    study = study_cases.study("lines", by=researcher, settings={"too_fast": 5})
    people = {seconds: study_cases.begun(study) for seconds in (1, 20)}
    for seconds, person in people.items():
        person.presentations.update(shown_at=timezone.now() - timedelta(seconds=seconds))
        for asked in [*study_cases.counting(person), study_cases.check_of(person)]:
            study_cases.answer(asked, asked.question.answer or 0)
        participants.finish(participant=person)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert results_of(study)["people"] == 1
