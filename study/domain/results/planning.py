"""Number of people and questions for an interval of a given width; more of one does not replace the other."""

from dataclasses import dataclass
from math import ceil, floor, sqrt

from core.domain.statistics import normal_quantile

NARROWEST, WIDEST = 0.0001, 0.5  # half-widths; a wider interval is longer than the scale
WIDEST_SD = 0.5  # half of the people at 0, half at 1


@dataclass(frozen=True)
class SampleSizePlan:
    """People and answers needed for an interval.

    `answers_independent` is enough if answers are independent, `answers` if those of one person are alike and questions
    differ, and `people` give them; both are None where the questions alone leave more than the width asked for.
    `item_half_width` is what the questions alone add, however many people answer them, `questions_needed` the fewest
    with which the width can be reached; None where nothing is said about questions.
    """

    answers_independent: int
    answers: int | None
    people: int | None
    item_half_width: float | None
    questions_needed: int | None


def item_half_width(questions: int, question_sd: float) -> float:
    """Return what the questions alone add to the half-width of an interval, however many people answer them."""
    return normal_quantile() * question_sd / sqrt(questions)


def plan(
    p: float,
    half_width: float,
    *,
    questions_each: int = 10,
    icc: float = 0.1,
    questions: int | None = None,
    question_sd: float | None = None,
) -> SampleSizePlan:
    """Plan for a share near `p`, by the normal approximation and the design effect 1 + (m - 1) · ICC (Kish 1965).

    `question_sd` is the standard deviation of the share right between `questions` questions. Half-widths of people and
    of questions combine as the root of the sum of their squares. Raises ValueError, which says which share, width,
    number or correlation cannot be, and what it may be.
    """
    if not 0 < p < 1:
        raise ValueError(f"The share expected lies between 0 and 1, both left out: it cannot be {p:g}.")
    if not NARROWEST <= half_width <= WIDEST:
        raise ValueError(f"The half-width lies between {NARROWEST} and {WIDEST}: it cannot be {half_width:g}.")
    if not 0 <= icc <= 1:
        raise ValueError(f"The ICC lies between 0 and 1: it cannot be {icc:g}.")
    if questions_each < 1:
        raise ValueError(f"A person answers at least one question, and not {questions_each}.")
    if question_sd is not None and not 0 <= question_sd <= WIDEST_SD:
        raise ValueError(
            f"The standard deviation between questions lies between 0 and {WIDEST_SD}: it cannot be {question_sd:g}."
        )
    if (questions is None) != (question_sd is None):
        raise ValueError("Give the number of questions and their standard deviation, or neither.")
    if questions is not None and questions_each > questions:
        raise ValueError(f"A person answers each question once: {questions_each} of {questions} questions is too many.")
    z = normal_quantile()
    independent = z**2 * p * (1 - p) / half_width**2
    of_items = item_half_width(questions, question_sd) if questions and question_sd is not None else None
    needed = None if question_sd is None else floor((z * question_sd / half_width) ** 2) + 1
    left = half_width**2 - (of_items or 0.0) ** 2  # for people
    if left <= 0:
        return SampleSizePlan(ceil(independent), None, None, of_items, needed)
    answers = ceil(z**2 * p * (1 - p) * (1 + (questions_each - 1) * icc) / left)
    return SampleSizePlan(ceil(independent), answers, ceil(answers / questions_each), of_items, needed)


@dataclass(frozen=True)
class HalfWidth:
    """The half-width of a 95 % interval that a plan will reach, and what it is made of; all are shares.

    They combine as the root of the sum of their squares. `questions` is what is left however many people answer.
    """

    questions: float
    people: float
    answers: float

    @property
    def together(self) -> float:
        return sqrt(self.questions**2 + self.people**2 + self.answers**2)

    @property
    def holds_all(self) -> bool:
        """Whether the interval is longer than the scale."""
        return self.together > WIDEST


def half_width(
    p: float, *, people: int, questions_each: int, questions: int, icc: float, question_sd: float
) -> HalfWidth:
    """Return the half-width for a share near `p`, the inverse of `plan`: the same approximation and design effect.

    Raises ValueError for an invalid share, number or correlation.
    """
    if not (0 < p < 1 and people >= 1 and 1 <= questions_each <= questions and 0 <= icc <= 1):
        raise ValueError("A share and an ICC lie between 0 and 1; people and questions are at least one.")
    z, variance = normal_quantile(), p * (1 - p)
    return HalfWidth(
        questions=z * question_sd / sqrt(questions),
        people=z * sqrt(variance * icc / people),
        answers=z * sqrt(variance * (1 - icc) / (people * questions_each)),
    )
