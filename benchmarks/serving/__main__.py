"""Cost of what people do all day, over HTTP, beside a bare Django view that writes the same rows.

python -m benchmarks.serving [rating survey ...] [--beside CHECKOUT] [--people 16 64 256] [--rounds 3] [--seconds 2]

Each server is gunicorn as the Procfile starts it, with a database and a DATA_DIR of its own, on SQLite and, where it
runs, on PostgreSQL. People who never pause send one unit after the other: a grade that brings the next pair; an
answer of both choices at a survey; a whole question with the survey's script, which sends each choice and has loaded
the page once, and without it, where a page follows each answer. The last two are compared. The servers take turns,
round by round, so that other load on the machine slows all of them; medians of the rounds are printed. CPU is that of
the server's processes (and of PostgreSQL's for this database) for one unit; it does not depend on what else runs. The
reference is the bare view (benchmarks/serving/bare); CHECKOUT is another version of the product to measure in the
same run.
"""

import argparse
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

from benchmarks import runs
from benchmarks.serving import rating, survey
from benchmarks.serving.crowd import Part, crowd, median
from benchmarks.serving.servers import BARE, PRODUCT, ROOT, Server

TASKS = {"rating": rating, "survey": survey}
COUNTED = ("grade", "answer")  # units whose statements the tasks count
COLUMNS = ("units/s", "p50 ms", "p95 ms", "CPU ms", "x bare", "DB ms", "statements", "bytes", "MB", "errors")


def main(names: list[str], beside: Path | None, people: list[int], rounds: int, seconds: float) -> None:
    for name in names or TASKS:
        for kind in runs.kinds():
            print(f"{name + ', ' + kind:24}" + "".join(f"{column:>11}" for column in COLUMNS), flush=True)
            with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
                servers = [
                    running.enter_context(Server(label, checkout, kind, Path(folder, label), how))
                    for label, checkout, how in versions(beside)
                ]
                measure(name, servers, people, rounds, seconds)


def versions(beside: Path | None) -> list[tuple[str, Path, str]]:
    other = [("beside", beside, PRODUCT)] if beside else []
    return [("bare", ROOT, BARE), *other, ("here", ROOT, PRODUCT)]


def measure(name: str, servers: list[Server], people: list[int], rounds: int, seconds: float) -> None:
    task = TASKS[name]
    for server in servers:
        server.fill(task.ROWS, *map(str, people))
    statements = {server.label: server.script(str(task.ROWS), "count") for server in servers}
    for server in servers:
        server.start()
    for count in people:
        parts: dict[tuple[str, str], list[Part]] = defaultdict(list)
        for _round in range(rounds):
            for unit, walker in task.WALKERS.items():
                for server in servers:
                    parts[unit, server.label].append(crowd(walker, server, server.people[str(count)], seconds))
        for (unit, label), own in parts.items():
            bare = median(parts[unit, servers[0].label], "cpu_ms")
            said = statements[label] if unit in COUNTED else ""
            print(f"{count:>4} {unit:>7} {label:>7}     {row(own, bare, said)}", flush=True)
        if task.COMPARED:
            print(f"{count:>4} {comparison(task.COMPARED, parts)}", flush=True)


def row(parts: list[Part], bare: float, statements: str) -> str:
    own = median(parts, "cpu_ms")
    values = (
        f"{median(parts, 'pace'):.1f}",
        f"{median(parts, 'p50'):.1f}",
        f"{median(parts, 'p95'):.1f}",
        f"{own:.2f}",
        f"{own / bare:.2f}",
        f"{median(parts, 'database_ms'):.2f}",
        statements,
        f"{median(parts, 'size'):.0f}",
        f"{median(parts, 'megabytes'):.0f}",
        str(sum(part.errors for part in parts)),
    )
    return "".join(f"{value:>11}" for value in values)


def comparison(units: tuple[str, str], parts: dict[tuple[str, str], list[Part]]) -> str:
    """Say what one unit costs beside another one in the same run, the database included."""
    one, other = (median(parts[unit, "here"], "all_ms") for unit in units)
    return f"a question, {units[0]} beside {units[1]}: {one:.2f} ms / {other:.2f} ms = {one / other:.2f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *TASKS], default=[])
    parser.add_argument("--beside", type=lambda path: Path(path).resolve(), metavar="CHECKOUT")
    parser.add_argument("--people", nargs="+", type=int, default=[16, 64, 256])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    main(**vars(parser.parse_args()))
