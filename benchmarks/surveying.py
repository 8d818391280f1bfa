"""Surveys under load, over HTTP, on both databases, with the people who make the load on the same cores.

python -m benchmarks.surveying [answering pacing joining] [--rounds 3] [--seconds 5] [--minute 60]

- answering: 16 and 64 people who never pause answer 40 questions each, with the page's script and without it. A unit is
  an answer and the next page. A bare Django view (benchmarks/serving/bare) does the same beside it, in turn.
- pacing: 500 people, half of them without the script, answer a question every 10 to 15 seconds for `--minute` seconds.
- joining: 200 people open the link in the same second, agree, practise and begin without a pause; one of the two groups
  has fewer places than people who come. A unit is all of a person's way; of single pages it is told how long the
  slowest of twenty takes.

The middle of the rounds is printed, beside what is wanted. CPU is that of the server's processes for one unit, and DB
that of PostgreSQL's for this database. It ends with 1 where a fact does not hold: an error page, an answer that was
acknowledged and is not stored, uneven forms, a quota that is not kept. Times decide nothing.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import runs
from benchmarks.serving import joining, survey
from benchmarks.serving.crowd import Part, crowd, median
from benchmarks.serving.servers import BARE, PRODUCT, ROOT, Server

COLUMNS = ("units/s", "p50 ms", "p95 ms", "CPU ms", "DB ms", "x bare", "errors")
ANSWERING, PACING, JOINING = (16, 64), 500, 200  # people
WANTED = {16: "p95 150", 64: "200/s, p95 400", PACING: "p95 200"}
UNITS = {name: survey.WALKERS[name] for name in ("script", "form")}
UNHURRIED = "benchmarks.serving.survey:unhurried"
JOINERS = "benchmarks.serving.joining:JoinWalker"
LONGEST = 120  # seconds for all to join
PUT = 1 + 40  # questions put to a person, with practice


class Lengths(NamedTuple):
    """Rounds, and seconds of a round without pauses and at a human pace."""

    rounds: int
    seconds: float
    minute: float


class Facts:
    """What has to hold, whatever it takes."""

    def __init__(self) -> None:
        self.held = 0
        self.broken: list[str] = []

    def check(self, what: str, found: Any, expected: Any) -> None:
        if found == expected:
            self.held += 1
        else:
            self.broken.append(f"{what}: {found}, expected {expected}")

    def end(self) -> None:
        """Print what held. Exits with 1 where anything did not."""
        print(f"{self.held} facts held, {len(self.broken)} did not", *self.broken, sep="\n  ")
        sys.exit(1 if self.broken else 0)


def main(names: list[str], lengths: Lengths) -> None:
    facts = Facts()
    for kind in runs.kinds():
        print(f"{kind:28}" + "".join(f"{column:>9}" for column in COLUMNS) + "   wanted", flush=True)
        with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
            servers = [
                running.enter_context(Server(label, ROOT, kind, Path(folder, label), package))
                for label, package in (("bare", BARE), ("here", PRODUCT))
            ]
            for server in servers:
                server.fill(survey.ROWS, *map(str, (*ANSWERING, PACING)))
                server.start()
            for name in names or PARTS:
                PARTS[name](servers, lengths, facts)
    facts.end()


def answer(servers: Sequence[Server], lengths: Lengths, facts: Facts) -> None:
    for people in ANSWERING:
        compare(servers, people, UNITS, lengths.rounds, lengths.seconds, facts)


def pace(servers: Sequence[Server], lengths: Lengths, facts: Facts) -> None:
    compare(servers, PACING, {"at ease": UNHURRIED}, lengths.rounds, lengths.minute, facts)


def compare(
    servers: Sequence[Server], people: int, units: dict[str, str], rounds: int, seconds: float, facts: Facts
) -> None:
    """Let people answer on all servers in turn; the last one is the product's, and the first the reference."""
    parts: dict[tuple[str, str], list[Part]] = defaultdict(list)
    for _round in range(rounds):
        for unit, walker in units.items():
            for server in servers:
                parts[unit, server.label].append(crowd(walker, server, server.people[str(people)], seconds))
    for (unit, label), own in parts.items():
        bare = median(parts[unit, servers[0].label], "cpu_ms")
        line(f"{people:>4} {unit:>7} {label}", own, median(own, "cpu_ms") / bare, WANTED[people] if own else "")
    here = servers[-1]
    for unit in units:
        own = parts[unit, here.label]
        named = f"{here.kind}, {people} people, {unit}"
        facts.check(f"{named}: answers refused, and error pages", sum(part.errors for part in own), 0)
        acknowledged = [each for part in own for each in part.kept]
        lost = here.script(str(survey.ROWS), "lost", given=json.dumps(acknowledged))
        facts.check(f"{named}: of {len(acknowledged)} answers acknowledged, not stored", int(lost), 0)


def join(servers: Sequence[Server], lengths: Lengths, facts: Facts) -> None:
    here, parts = servers[-1], []
    studies = json.loads(here.script(str(joining.ROWS), "fill", str(JOINING), str(lengths.rounds)))
    for study in studies:
        part = crowd(JOINERS, here, study["people"], LONGEST)
        check_joined(here, study, part, facts)
        parts.append(part)
    line(f"{JOINING:>4}    join here", parts, None, "no error, quotas exact")
    pages = statistics.median(statistics.quantiles(_pages(part), n=20)[-1] for part in parts)
    print(f"{'of which a single page':28}{'':18}{pages:9.0f}", flush=True)


def _pages(part: Part) -> list[float]:
    return [milliseconds for person in part.kept for milliseconds in person["pages"]]


def check_joined(here: Server, study: dict[str, Any], part: Part, facts: Facts) -> None:
    joined = json.loads(here.script(str(joining.ROWS), "joined", study["name"]))
    large, small = joined["people"]["large"], joined["people"]["small"]
    began = [person for person in part.kept if person["began"]]
    told = Counter(person["code"] for person in part.kept if not person["began"])
    named, both = f"{here.kind}, {study['name']}", [sum(form) for form in zip(large, small, strict=True)]
    facts.check(f"{named}: error pages", part.errors, 0)
    facts.check(f"{named}: people who began, and who are stored", (len(began), joined["all"]), (sum(both),) * 2)
    facts.check(f"{named}: people in the small group", sum(small), study["quota"])
    facts.check(f"{named}: people in the large group", sum(large), JOINING // 2)
    facts.check(f"{named}: codes told to others", told, {study["full"]: JOINING // 2 - study["quota"]})
    facts.check(f"{named}: places taken", joined["places"], joined["people"])
    for of, forms in (("large", large), ("small", small), ("both", both)):
        facts.check(f"{named}: forms {forms} of {of} groups are even", max(forms) - min(forms) <= 1, True)
    facts.check(f"{named}: questions put to each", joined["questions"], [PUT])


def line(label: str, parts: Sequence[Part], times_bare: float | None, wanted: str) -> None:
    values = (
        f"{median(parts, 'pace'):.1f}",
        f"{median(parts, 'p50'):.0f}",
        f"{median(parts, 'p95'):.0f}",
        f"{median(parts, 'cpu_ms'):.2f}",
        f"{median(parts, 'database_ms'):.2f}",
        f"{times_bare:.2f}" if times_bare else "",
        str(sum(part.errors for part in parts)),
    )
    print(f"{label:28}" + "".join(f"{value:>9}" for value in values) + f"   {wanted}", flush=True)


PARTS = {"answering": answer, "pacing": pace, "joining": join}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--minute", type=float, default=60)
    chosen = vars(parser.parse_args())
    main(chosen.pop("names"), Lengths(**chosen))
