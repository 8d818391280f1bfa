"""Answers of bots: a population of people of different skill and questions of different difficulty.

The chance of a right first choice is the logistic function of INTERCEPT + skill + ease, both normal with the standard
deviations of METHODS 1's simulated designs. A bot that misses it chooses it second at twice the chance of guessing.
"""

from math import cos, exp, log, pi, sqrt

from core.domain.draws import uniforms

INTERCEPT, SKILL_SD, EASE_SD = 1.4, 0.8, 0.8
CARELESS = 0.02  # share of attention checks that a bot fails
FASTEST_MS, SLOWEST_MS = 6_000, 45_000


def choices(seed: int, person: str, question: str, *, lines: int, right: int, is_check: bool) -> tuple[int, int]:
    """Return the first and the second choice of a bot among `lines`; equal names give equal choices."""
    first_draw, second_draw, pick, other = uniforms(seed, "choice", person, question)
    wrong = [number for number in range(lines) if number != right]
    is_right = first_draw < (1 - CARELESS if is_check else chance_of_right(seed, person, question))
    if is_right or len(wrong) < 2:
        first = right if is_right else wrong[0]
        rest = [number for number in range(lines) if number != first]
        return first, rest[int(other * len(rest))]
    first = wrong[int(pick * len(wrong))]
    rest = [number for number in wrong if number != first]
    finds_it = second_draw < min(1.0, 2 / (lines - 1))
    return first, right if finds_it else rest[int(other * len(rest))]


def ranking(seed: int, person: str, question: str, *, lines: int, right: int, is_check: bool) -> list[int]:
    """Return all lines in the order in which a bot puts them: the two choices first, then by taste.

    Half of the taste is the bot's own and half is that of all, so that bots agree more than by chance.
    """
    chosen = choices(seed, person, question, lines=lines, right=right, is_check=is_check)
    rest = [number for number in range(lines) if number not in chosen]
    taste = {
        number: sum(uniforms(seed, "rank", whose, question, str(number))[0] for whose in (person, ""))
        for number in rest
    }
    return [*chosen, *sorted(rest, key=lambda number: taste[number])]


def chance_of_right(seed: int, person: str, question: str) -> float:
    """Return the chance of a right first choice."""
    skill = SKILL_SD * _normal(seed, "skill", person)
    ease = EASE_SD * _normal(seed, "ease", question)
    return 1 / (1 + exp(-(INTERCEPT + skill + ease)))


def milliseconds(seed: int, person: str, question: str) -> int:
    """Return the reading time that the bot reports."""
    return FASTEST_MS + int(uniforms(seed, "time", person, question)[0] ** 2 * (SLOWEST_MS - FASTEST_MS))


def _normal(seed: int, *names: str) -> float:
    """Return a standard normal number by name (Box and Muller)."""
    radius, angle, _third, _fourth = uniforms(seed, *names)
    return sqrt(-2 * log(1 - radius)) * cos(2 * pi * angle)
