"""Agreement by the textbook definitions: slow loops over items, to check the vectorised figures against.

An item is a dictionary from rater to grade.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations
from math import isclose

Item = dict[str, int]
Distance = Callable[[int, int], float]


def nominal(one: int, other: int) -> float:
    return float(one != other)


def linear(one: int, other: int) -> float:
    return float(abs(one - other))


def quadratic(one: int, other: int) -> float:
    return float((one - other) ** 2)


def block(items: list[Item], categories: list[int]) -> dict[str, float | None]:
    """Return all figures; `categories` are those of Gwet's coefficients."""
    paired = [list(item.values()) for item in items if len(item) > 1]
    return {
        "percent": 1 - observed(paired, nominal),
        "gap_le_1": sum(max(grades) - min(grades) <= 1 for grades in paired) / len(paired),
        "kappa": pooled_kappa(paired, nominal),
        "kappa_linear": pooled_kappa(paired, linear),
        "kappa_quadratic": pooled_kappa(paired, quadratic),
        "kappa_pairs_mean": kappa_pairs_mean(items),
        "ac1": gwet(items, categories, nominal),
        "ac2": gwet(items, categories, quadratic),
        "alpha_nominal": alpha(paired, nominal),
        "alpha_ordinal": alpha(paired, ordinal(paired)),
        "alpha_interval": alpha(paired, quadratic),
    }


def observed(paired: list[list[int]], distance: Distance) -> float:
    """Return the mean distance of the ordered pairs of grades of an item, each item weighted by its number
    of grades.
    """
    total = sum(distance(one, other) / (len(grades) - 1) for grades in paired for one, other in permutations(grades, 2))
    return total / sum(len(grades) for grades in paired)


def pooled_kappa(paired: list[list[int]], distance: Distance) -> float | None:
    grades = [grade for item in paired for grade in item]
    expected = sum(distance(one, other) for one in grades for other in grades) / len(grades) ** 2
    return None if expected == 0 else 1 - observed(paired, distance) / expected


def alpha(paired: list[list[int]], distance: Distance) -> float | None:
    grades = [grade for item in paired for grade in item]
    expected = sum(distance(one, other) for one, other in permutations(grades, 2)) / (len(grades) * (len(grades) - 1))
    return None if expected == 0 else 1 - observed(paired, distance) / expected


def ordinal(paired: list[list[int]]) -> Distance:
    count = Counter(grade for item in paired for grade in item)

    def distance(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = sum(count[grade] for grade in range(low, high + 1))
        return (between - (count[low] + count[high]) / 2) ** 2

    return distance


def gwet(items: list[Item], categories: list[int], distance: Distance) -> float | None:
    q = len(categories)
    if q < 2:
        return None
    widest = max(distance(one, other) for one in categories for other in categories)
    weights = {(one, other): 1 - distance(one, other) / widest for one in categories for other in categories}
    paired = [list(item.values()) for item in items if len(item) > 1]
    agreed = [
        sum(weights[pair] for pair in permutations(grades, 2)) / (len(grades) * (len(grades) - 1)) for grades in paired
    ]
    shares = [sum(list(item.values()).count(grade) / len(item) for item in items) / len(items) for grade in categories]
    chance = sum(weights.values()) / (q * (q - 1)) * sum(share * (1 - share) for share in shares)
    return (sum(agreed) / len(agreed) - chance) / (1 - chance)


def kappa_pairs_mean(items: list[Item]) -> float | None:
    raters = sorted({rater for item in items for rater in item})
    values = [cohen_kappa(items, *pair) for pair in combinations(raters, 2)]
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def cohen_kappa(items: list[Item], first: str, second: str, distance: Distance = nominal) -> float | None:
    pairs = [(item[first], item[second]) for item in items if first in item and second in item]
    expected = sum(distance(one, other) for one, _ in pairs for _, other in pairs)
    if expected == 0:
        return None
    return 1 - len(pairs) * sum(distance(one, other) for one, other in pairs) / expected


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
