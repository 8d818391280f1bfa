"""The audit finds each planted artefact in 200 questions, and few in clean sets."""

from random import Random

import pytest

from study.domain.questions.audit import AuditedQuestion, audit
from study.domain.questions.training import SeenInTraining

WORDS = [f"{first}{vowel}{last}" for first in "bdfgklm" for vowel in "aeiou" for last in "nrst"]
COUNT, CANDIDATES = 200, 5
RATE = 0.05  # of clean sets with a finding, at most: what the intervals promise together


def sentence(lots: Random) -> str:
    """Return 4 to 14 words, some with a capital letter, some with an end mark."""
    text = " ".join(lots.choices(WORDS, k=lots.randint(4, 14)))
    return f"{text.capitalize() if lots.random() < 0.6 else text}{lots.choice(['.', '?', '', ''])}"


def clean(seed: int = 0, count: int = COUNT) -> list[AuditedQuestion]:
    """Questions whose candidates are drawn alike, the true one at each position equally often."""
    lots = Random(seed)
    answers = [number % CANDIDATES for number in range(count)]
    lots.shuffle(answers)
    return [
        AuditedQuestion(
            context=[sentence(lots) for _turn in range(3)],
            candidates=[sentence(lots) for _candidate in range(CANDIDATES)],
            answer=answer,
            group=f"c{number // 2}",
            is_drawn=True,
        )
        for number, answer in enumerate(answers)
    ]


def changed(question: AuditedQuestion, *, true=None, false=None, **details) -> AuditedQuestion:
    """Return the question with other texts: `true` changes the true response, `false` each false one."""
    keep = str
    texts = [
        ((true or keep) if position == question.answer else (false or keep))(text)
        for position, text in enumerate(question.candidates)
    ]
    return AuditedQuestion(question.context, texts, question.answer, question.group, question.is_drawn, **details)


def short_false_ones(question):
    return changed(question, false=lambda text: " ".join(text.split()[:3]))


def always_second(question):
    return AuditedQuestion(question.context, question.candidates, 1, question.group, True)


def true_from_context(question):
    return changed(question, true=lambda text: question.context[0])


def true_with_capital(question):
    return changed(question, true=str.capitalize, false=str.lower)


def true_with_end_mark(question):
    return changed(question, true=lambda text: text.rstrip("?.") + ".")


def false_ones_with_not(question):
    return changed(question, false=lambda text: " ".join(["not", *text.split()[1:]]))


def near_true(question):
    """The first false response is the true one with another last word."""
    truth = question.candidates[question.answer].split()
    near = " ".join([*truth[:-1], *(["indeed"] if len(truth) > 6 else [truth[-1], "indeed"])])
    texts = [*question.candidates]
    texts[0 if question.answer else 1] = near
    return AuditedQuestion(question.context, texts, question.answer, question.group, True)


def equal_false_ones(question):
    return changed(question, false=lambda text: "What is it now?")


def findings(questions, seen=None) -> set[str]:
    return {check.name for check in audit(questions, seen)[0] if check.is_found}


@pytest.mark.parametrize(
    ("plant", "by"),
    [
        (short_false_ones, {"length", "longest"}),
        (always_second, {"position_B"}),
        (true_from_context, {"overlap", "most_overlap"}),
        (true_with_capital, {"capital"}),
        (true_with_end_mark, {"end_mark"}),
        (false_ones_with_not, {"linear"}),
        (near_true, {"near_true"}),
        (equal_false_ones, {"equal_candidates", "near_candidates"}),
    ],
)
def test_each_planted_artefact_is_found_in_200_questions(plant, by):
    """Planted in every second question, since no writer does it always."""
    questions = [plant(each) if number % 2 else each for number, each in enumerate(clean())]
    assert by <= findings(questions)


@pytest.mark.parametrize(("sets", "most"), [(20, 5), pytest.param(200, RATE * 200, marks=pytest.mark.slow)])
def test_clean_sets_are_called_faulty_no_more_often_than_promised(sets, most):
    """Of 20 sets at the promised rate more than five are faulty once in 3,000 times."""
    assert sum(bool(findings(clean(seed))) for seed in range(sets)) <= most


def test_responses_that_people_wrote_to_be_wrong_may_be_like_the_true_one():
    written = [
        AuditedQuestion(each.context, each.candidates, each.answer, each.group, is_drawn=False)
        for each in map(near_true, clean())
    ]
    assert "near_true" not in findings(written)
    assert "equal_candidates" in findings(
        [AuditedQuestion(["a"], ["Yes.", "yes", "no"], 2, number, is_drawn=False) for number in range(3)]
    )


def test_one_question_is_enough_for_what_is_counted_and_its_number_is_told():
    questions = clean()
    questions[7] = near_true(questions[7])
    [check] = [check for check in audit(questions, None)[0] if check.is_found]
    assert (check.name, check.value, check.chance, check.interval) == ("near_true", 1, 0, None)
    assert check.examples == [7]


def test_too_few_questions_have_no_verdict_about_guessing():
    assert findings([always_second(each) for each in clean(count=40)]) == set()


def test_without_training_material_nothing_is_said_of_it():
    names = {check.name for check in audit(clean(count=60), None)[0]}
    assert not {name for name in names if name.endswith("in_training")}


CONTEXT = ["When does the last ferry leave?", "At nine, from the old pier."]
TRUTH = "Then we have an hour for the market and the tower."


@pytest.mark.parametrize(
    ("training", "contexts", "candidates"),
    [
        ([*CONTEXT, "Good."], {0}, set()),
        (["Hi.", "when does the LAST ferry leave", "At nine from the old pier!", TRUTH.upper()], {0}, {0}),
        (["Hi.", TRUTH], set(), {0}),
        ([CONTEXT[0], "So.", CONTEXT[1]], set(), set()),
        ([CONTEXT[0]], set(), set()),
        (["Yes.", "No."], set(), set()),  # small talk
    ],
)
def test_what_stands_in_training(training, contexts, candidates):
    seen = SeenInTraining()
    seen.add(0, CONTEXT, [TRUTH, "Yes."])
    seen.add(1, ["Yes.", "No."], ["Yes.", "No."])
    seen.add(2, [], ["Maybe."])
    seen.read(training)
    assert (seen.contexts, seen.candidates) == (contexts, candidates)


def test_a_question_known_from_training_is_a_finding():
    questions = clean()
    seen = SeenInTraining()
    for number, each in enumerate(questions):
        seen.add(number, each.context, each.candidates)
    seen.read(questions[3].context)
    assert findings(questions, seen) == {"context_in_training"}
