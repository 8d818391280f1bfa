"""Number of people and questions for an interval of a given width; more of one does not replace the other."""

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

LEVEL = 0.95
NARROWEST = 0.0001
WIDEST_SD = 0.5  # half of the people at 0, half at 1


@dataclass(frozen=True)
class SampleSizePlan:
    """People and answers needed for an interval.

    `answers_independent` is enough if answers are independent, `answers` if those of one person are alike, and `people`
    give them. `item_half_width` is what the questions alone add, however many people answer them.
    """

    answers_independent: int
    answers: int
    people: int
    item_half_width: float | None


def plan(
    p: float,
    half_width: float,
    *,
    questions_each: int = 10,
    icc: float = 0.1,
    questions: int | None = None,
    question_sd: float | None = None,
) -> SampleSizePlan:
    """Plan for a share near `p`, by the normal approximation and the design effect 1 + (m - 1) · ICC.

    `question_sd` is the standard deviation of the share right between `questions` questions. Raises ValueError for an
    invalid share, width, number or correlation.
    """
    if not (0 < p < 1 and NARROWEST <= half_width < 1 and questions_each >= 1 and 0 <= icc <= 1):
        raise ValueError(
            f"A share and an ICC lie between 0 and 1, a half-width between {NARROWEST} and 1, and people answer at "
            "least one question."
        )
    if question_sd is not None and not 0 <= question_sd <= WIDEST_SD:
        raise ValueError(f"The standard deviation of a share lies between 0 and {WIDEST_SD}.")
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    independent = z**2 * p * (1 - p) / half_width**2
    answers = independent * (1 + (questions_each - 1) * icc)
    of_items = z * question_sd / sqrt(questions) if questions and question_sd is not None else None
    return SampleSizePlan(ceil(independent), ceil(answers), ceil(ceil(answers) / questions_each), of_items)
