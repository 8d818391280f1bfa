"""Count the results of imported answers again, with nothing of Colloquy: k, n, p, headline of every cell to 1e-9.

python benchmarks/recount.py read PUBLISHED > answers.csv
manage.py import_answers again answers.csv; manage.py results again --json > results.json
python benchmarks/recount.py check answers.csv results.json

PUBLISHED is a csv of item, rater and answer (1 right, 0 wrong, 2 neither), or a jsonl of a line a question: for each
candidate, the true one first, its scores by the same people. `check` ends with status 1 where a cell differs by more
than 1e-9. The headline is Wilson's interval with the two-way variance of people and questions and Student's quantile,
as docs/metrics.md has it.
"""

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import norm, t

CLOSE = 1e-9
COLUMNS = ("corpus", "group", "form")
Value = Callable[[list[int]], float]


class RecountedAnswer(NamedTuple):
    """An answer: the ranks that the true response may have, each as likely; [] where it is not among the choices."""

    row: dict[str, str]
    ranks: list[int]


METRICS: dict[str, Value] = {
    "R@1": lambda ranks: _mean([rank <= 1 for rank in ranks]),
    "R@2": lambda ranks: _mean([rank <= 2 for rank in ranks]),
    "MRR": lambda ranks: _mean([1 / rank for rank in ranks]),
    "MRR@2": lambda ranks: _mean([(rank <= 2) / rank for rank in ranks]),
}


def _mean(values: list[Any]) -> float:
    return fsum(values) / len(values) if values else 0.0


def read(path: Path) -> Iterator[list[Any]]:
    """Yield a published file as rows of import_answers, its names first."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            yield ["participant", "question", "correct"]
            for row in csv.DictReader(file):
                yield [row["rater"], row["item"], int(row["answer"] == "1")]
            return
        yield ["participant", "question", "better", "tied"]
        for number, line in enumerate(file, start=1):
            for person, (true, *others) in enumerate(zip(*json.loads(line), strict=True), start=1):
                yield [f"p{person}", f"q{number}", sum(one > true for one in others), others.count(true)]


def answers(path: Path) -> Iterator[RecountedAnswer]:
    """Yield the answers of a file of import_answers."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "rank" in row:
                yield RecountedAnswer(row, [int(row["rank"])] if row["rank"] else [])
            elif row.get("correct"):
                yield RecountedAnswer(row, [1] if row["correct"] == "1" else [])
            elif row.get("better"):
                above = int(row["better"])
                yield RecountedAnswer(row, [*range(above + 1, above + 2 + int(row["tied"] or 0))])


def figures(given: list[RecountedAnswer], value: Value, lowest: float) -> dict[str, Any]:
    """Return k, n, p and headline of answers whose value is from `lowest` to 1."""
    values = [value(one.ranks) for one in given]
    scaled = [(one - lowest) / (1 - lowest) for one in values]
    n, mean = len(given), fsum(scaled) / len(given)
    people, questions = (_squares(given, scaled, mean, of) for of in ("participant", "question"))
    cell = fsum((one - mean) ** 2 for one in scaled) / n**2
    smaller = min(people[1], questions[1])
    found: dict[str, Any] = {"k": fsum(values), "n": n, "p": fsum(values) / n, "headline": None}
    if smaller > 1:
        if cell:
            variance = max(people[0] + questions[0] - cell, cell)
            size, quantile = mean * (1 - mean) / variance, float(t.ppf(0.975, smaller - 1))
        else:
            size, quantile = smaller, float(norm.ppf(0.975))
        found["headline"] = [lowest + (1 - lowest) * end for end in wilson(mean, size, quantile)]
    return found


def _squares(given: list[RecountedAnswer], scaled: list[float], mean: float, of: str) -> tuple[float, int]:
    """Return the variance of the mean by the people or questions, and how many these are."""
    sums: dict[str, float] = defaultdict(float)
    for one, value in zip(given, scaled, strict=True):
        sums[one.row[of]] += value - mean
    groups = len(sums)
    return fsum(one**2 for one in sums.values()) / len(given) ** 2 * groups / max(groups - 1, 1), groups


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


def check(path: Path, results: dict[str, Any]) -> bool:
    """Print each cell beside the same counted again; return whether all agree."""
    given, worst, compared = [*answers(path)], 0.0, 0
    for cell in results["cells"]:
        if not cell["n"] or any(cell[name] is not None for name in ("condition", "type", "turns")):
            continue  # of right and wrong alone there is R@1; and the file knows no conditions, types and turns
        part = [one for one in given if all(cell[name] in (None, one.row.get(name)) for name in COLUMNS)]
        lowest = 1 / max(each["candidates"] for each in results["candidates"]) if cell["metric"] == "MRR" else 0.0
        again = figures(part, METRICS[cell["metric"]], lowest)
        pairs = [(cell[name], again[name]) for name in ("k", "n", "p") if cell[name] is not None]
        same = (cell["headline"] is None) == (again["headline"] is None)
        pairs += zip(cell["headline"] or [], again["headline"] or [], strict=False)
        apart = max(abs(found - own) for found, own in pairs) if same else float("inf")
        where = " ".join(str(cell[name]) for name in COLUMNS if cell[name] is not None) or "all"
        print(f"{where:20} {cell['metric']:6} k {again['k']:.6f} n {again['n']} p {again['p']:.9f}", end=" ")
        print(f"headline {again['headline']} apart {apart:.1e}")
        worst, compared = max(worst, apart), compared + 1
    print(f"{compared} cells; the furthest apart: {worst:.1e}")
    return compared > 0 and worst <= CLOSE


if __name__ == "__main__":
    if sys.argv[1:2] == ["read"]:
        csv.writer(sys.stdout).writerows(read(Path(sys.argv[2])))
    else:
        ok = check(Path(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text(encoding="utf-8")))
        sys.exit(0 if ok else 1)
