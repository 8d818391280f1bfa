"""Checksums of what two versions of the product make of the same material.

python -m benchmarks.releases_of_two_versions OLD_CHECKOUT [--keep FOLDER] [dream=FILE] [mutual=ARCHIVE]

This checkout and an older one, set up in its own .venv, take the same steps by their command line, on SQLite and, where
it runs, on PostgreSQL: projects of both kinds with several settings, corpora, question sets, models and a survey, in
which bots and people work; then releases and exports in every format. A line for each file says whether both versions
and both databases wrote the same bytes, and below a file that differs stands where. `dream=` and `mutual=` name
material to read besides what is made up here. Ends with 1 where the data of a release differ.

What people do on pages is sent by Django's test client, to addresses that both versions have. Before releases all times
in the database are made one. What today's version draws with a secret (docs/adr/0019) is drawn without it, so that bots
meet the same gold and lots in both.
"""

import argparse
import csv
import io
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from benchmarks import two_versions_material
from benchmarks.two_versions_steps import all_steps
from tests import services

ROOT = Path(__file__).resolve().parent.parent
SHELL = Path(__file__).with_name("two_versions_shell.py")
ALONE = "shell leave_out_secrets()"
SHOWN, WIDTH = 12, 200  # differences below a line, and their characters
# Files that tell of data in words, keys and intervals, which a version may change; all others are data.
TOLD = re.compile(r".*(/README\.md|/release\.json|-told\.\w+)")
# Data that differ from those of 0.1.0 and 0.2.0 for a reason that CHANGELOG.md gives.
MEANT = {
    re.compile(r"runs/chinese\.\w+"): "TF-IDF splits Chinese material into the words of jieba",
    re.compile(
        r"(exam|lots|tapes|asked|dream)@\d/.*/trec/\w+\.texts\.jsonl"
    ): "TREC's texts kept PostgreSQL's order of keys",
}


# ---- taking them ----------------------------------------------------------------------------------------------------
class House:
    """A checkout with a database of its own."""

    def __init__(self, checkout: Path, folder: Path, url: str) -> None:
        self.checkout, own = checkout, {"DATA_DIR": str(folder), "SECRET_KEY": "-" * 50, "DATABASE_URL": url}
        dropped = {"PYTHONPATH", "VIRTUAL_ENV", "CELERY_BROKER_URL"}
        self.environment = {key: value for key, value in os.environ.items() if key not in dropped} | own
        self.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"

    def manage(self, *arguments: str, told: str = "") -> None:
        command = [str(self.checkout / ".venv/bin/python"), "manage.py", *arguments]
        done = subprocess.run(command, cwd=self.checkout, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{self.checkout}, {told or shlex.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")

    def take(self, steps: list[str], out: Path) -> None:
        """Take steps in one process: starting one for each takes longer than all of them."""
        code = f"exec(open({str(SHELL)!r}).read())\nplay({steps!r}, {str(out)!r})"
        self.manage("shell", "-v", "0", "-c", code, told="\n".join(steps))


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    server = services.postgres_url()
    if kind == "SQLite" or server is None:
        yield f"sqlite:///{folder / 'colloquy.sqlite3'}"
        return
    name = f"colloquy_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def blocks(steps: Iterable[str]) -> Iterator[list[str]]:
    """Yield the steps that one process takes; one without secrets has a process to itself."""
    some: list[str] = []
    for step in steps:
        if step.startswith(ALONE):
            yield from filter(None, (some, [step]))
            some = []
        else:
            some.append(step)
    yield some


def files_of(checkout: Path, kind: str, at: Path, out: Path, more: dict[str, str]) -> dict[str, bytes]:
    """Take all steps on a new database and return what they wrote, by path."""
    with tempfile.TemporaryDirectory() as name, database(kind, Path(name)) as url:
        house = House(checkout, Path(name), url)
        house.manage("migrate", "-v", "0")
        house.manage("collectstatic", "-v", "0", "--noinput")
        for block in blocks(all_steps(at, out, more)):
            house.take(block, out)
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


# ---- comparing ------------------------------------------------------------------------------------------------------
def gathered(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files, those of MuTual's format as one a split."""
    found: dict[str, bytes] = {}
    for path, content in files.items():
        folder, _slash, name = path.rpartition("/")
        if folder.endswith(("/train", "/dev", "/test")):
            found[f"{folder}/*"] = found.get(f"{folder}/*", b"") + name.encode() + b"\0" + content
        else:
            found[path] = content
    return found


def difference(path: str, old: bytes, new: bytes) -> list[str]:
    """Return what two files do not have in common: keys of JSON with how often, columns of csv, else lines."""
    if path.endswith(".json"):
        found = Counter(of_values("", json.loads(old), json.loads(new)))
        return [f"{count} times {key}" for key, count in sorted(found.items())]
    if path.endswith(".csv"):
        return of_columns(*(list(csv.reader(io.StringIO(content.decode()))) for content in (old, new)))
    rows = zip_longest(old.splitlines(), new.splitlines(), fillvalue=b"")
    return [f"{one.decode(errors='replace')} | {two.decode(errors='replace')}" for one, two in rows if one != two]


def of_values(key: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for each in sorted(old.keys() | new.keys()):
            if each not in new or each not in old:
                yield f"{each} in the {'old' if each in old else 'new'} one alone"
            else:
                yield from of_values(each, old[each], new[each])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, two in zip(old, new, strict=True):
            yield from of_values(key, one, two)
    elif old != new:
        is_close = isinstance(old, float) and isinstance(new, float) and math.isclose(old, new, rel_tol=1e-12)
        yield f"{key}, after twelve digits" if is_close else key


def of_columns(old: list[list[str]], new: list[list[str]]) -> list[str]:
    before, after = (dict(zip(rows[0], zip(*rows[1:], strict=True), strict=False)) for rows in (old, new))
    same = [name for name in before if before[name] == after.get(name)]
    kinds = {"old alone": before.keys() - after.keys(), "new alone": after.keys() - before.keys()}
    kinds["different"] = (before.keys() & after.keys()) - set(same)
    return [f"{len(same)} columns are the same"] + [
        f"{kind}: {', '.join(sorted(names))}" for kind, names in kinds.items()
    ]


def compare(made: dict[str, dict[str, bytes]]) -> int:
    """Print a line for each file, one for equal files that tell of a release; return how many data files differ."""
    seen: Counter[str] = Counter()
    printed: set[str] = set()
    for path in sorted(set().union(*made.values())):
        by_run = {name: sha256(files[path]).hexdigest() if path in files else "missing" for name, files in made.items()}
        is_told, why = TOLD.fullmatch(path), [why for paths, why in MEANT.items() if paths.fullmatch(path)]
        sums = " ".join(each[:16] for each in dict.fromkeys(by_run.values()))
        is_equal = len(set(by_run.values())) == 1
        verdict = "equal" if is_equal else "told otherwise" if is_told else "meant" if why else "DIFFERS"
        seen[verdict] += 1
        if is_told and sums in printed:  # the same manifest and card lie in the folder of each format
            continue
        printed.add(sums)
        print(f"{verdict:<15} {path:<50} {sums}", *why * (not is_equal))
        first, *others = made
        for other in others:
            if by_run[first] != by_run[other] and path in made[first] and path in made[other]:
                found = difference(path, made[other][path], made[first][path])
                print(f"{'':15} {len(found)} between {other} and {first}")
                print(*(f"{'':20} {each[:WIDTH]}\n" for each in found[:SHOWN]), sep="", end="")
    print(", ".join(f"{count} {verdict}" for verdict, count in seen.items()), f"by {', '.join(made)}")
    return seen["DIFFERS"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD_CHECKOUT")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the files stay")
    parser.add_argument("more", nargs="*", metavar="dream=FILE mutual=ARCHIVE")
    asked = parser.parse_args()
    more = dict(each.split("=", 1) for each in asked.more)
    with tempfile.TemporaryDirectory() as name:
        folder = asked.keep or Path(name)
        at = folder / "material"
        at.mkdir(parents=True, exist_ok=True)
        two_versions_material.write(at)
        made = {}
        for kind in ("SQLite", "PostgreSQL") if services.postgres_url() else ("SQLite",):
            for version, checkout in (("new", ROOT), ("old", asked.old.resolve())):
                print(f"{datetime.now():%H:%M:%S} {version} on {kind}", file=sys.stderr)
                made[f"{version} {kind}"] = gathered(files_of(checkout, kind, at, folder / f"{version}-{kind}", more))
        sys.exit(bool(compare(made)))


if __name__ == "__main__":
    main()
