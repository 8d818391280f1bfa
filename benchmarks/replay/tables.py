"""Tables that a run of the replayed study prints."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from benchmarks.replay.compared import Beside, Seen
from study.domain.survey.phases import VisitOutcome

GROUPS = ("crowd", "lab")
WIDTHS = {"corpus": 10, "group": 16, "form": 6, "turns": 7}


def ways(seen: Seen) -> None:
    """Print the ways that people went, and where each ended."""
    ended = Counter((person.way.__name__, seen.outcomes[person.name]) for person in seen.people)
    print(f"\n{'way':<34}{'people':>8}  ended as their browser saw it")
    for way in dict.fromkeys(person.way.__name__ for person in seen.people):
        outcomes = {outcome: n for (of, outcome), n in ended.items() if of == way}
        told = ", ".join(f"{outcome or 'did not take part'} {n}" for outcome, n in sorted(outcomes.items()))
        print(f"{way.replace('_', ' '):<34}{sum(outcomes.values()):>8}  {told}")


def outcomes(seen: Seen, people: pd.DataFrame) -> None:
    """Print the outcomes of each group as the browsers saw them, and as the export's table of people has them."""
    exported = Counter(zip(people["group"], people["outcome"], strict=True))
    saw = Counter((person.arrival.group, seen.outcomes[person.name]) for person in seen.people)
    print(f"\n{'outcome':<34}" + "".join(f"{group + ', seen':>14}{'exported':>10}" for group in GROUPS))
    for outcome in VisitOutcome:
        print(f"{outcome:<34}" + "".join(f"{saw[of, outcome]:>14}{exported[of, outcome]:>10}" for of in GROUPS))


def cells(beside: Sequence[Beside]) -> None:
    """Print R@1 of each cell, by the product and by pandas, and how far the two are apart."""
    head = "".join(f"{name:<{width}}" for name, width in WIDTHS.items())
    print(f"\n{head}{'k':>6}{'n':>7}{'R@1':>10}{'pandas':>10}{'apart':>10}")
    for cell, figures in beside:
        if cell["metric"] == "R@1":
            names = "".join(f"{cell[name] or 'all':<{width}}" for name, width in WIDTHS.items())
            numbers = f"{cell['k']:>6,}{cell['n']:>7,}{cell['p']:>10.6f}{figures['p']:>10.6f}"
            print(f"{names}{numbers}{abs(cell['p'] - figures['p']):>10.0e}")
