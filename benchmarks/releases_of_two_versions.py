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
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
MANY = 12  # files of a folder, from which on they have one line
SHOWN, WIDTH = 6, 150  # differences below a line, and their characters
# Files that tell of data in words and keys, which a version may change; all others are data.
TOLD = ("README.md", "release.json", "told")


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
    """Return the files with those of a large folder as one."""
    folders = Counter(path.rpartition("/")[0] for path in files)
    found: dict[str, bytes] = {}
    for path, content in files.items():
        folder = path.rpartition("/")[0]
        if folders[folder] <= MANY or path.endswith(TOLD):
            found[path] = content
        else:
            found[f"{folder}/*"] = found.get(f"{folder}/*", b"") + path.encode() + b"\0" + content
    return found


def difference(path: str, old: bytes, new: bytes) -> list[str]:
    """Return where two files differ: keys of JSON, else lines."""
    if path.endswith(".json"):
        return list(of_values("", json.loads(old), json.loads(new)))
    rows = zip_longest(old.splitlines(), new.splitlines(), fillvalue=b"")
    return [f"{one.decode(errors='replace')} | {two.decode(errors='replace')}" for one, two in rows if one != two]


def of_values(at: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in new or key not in old:
                yield f"{at}.{key}: only in the {'old' if key in old else 'new'} one"
            else:
                yield from of_values(f"{at}.{key}", old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, two) in enumerate(zip(old, new, strict=True)):
            yield from of_values(f"{at}[{number}]", one, two)
    elif old != new:
        yield f"{at}: {old} | {new}"


def compare(made: dict[str, dict[str, bytes]]) -> int:
    """Print a line for each file and return the number of data files that differ."""
    seen: Counter[str] = Counter()
    for path in sorted(set().union(*made.values())):
        sums = {
            name: sha256(files[path]).hexdigest()[:16] if path in files else "missing" for name, files in made.items()
        }
        is_told = path.rpartition(".")[0].endswith("told") or path.endswith(TOLD)
        verdict = "equal" if len(set(sums.values())) == 1 else "told otherwise" if is_told else "DIFFERS"
        seen[verdict] += 1
        print(f"{verdict:<15}{path:<60} {' '.join(dict.fromkeys(sums.values()))}")
        if verdict == "equal":
            continue
        first, *others = made
        for other in others:
            if sums[first] != sums[other] and path in made[first] and path in made[other]:
                found = difference(path, made[other][path], made[first][path])
                for each in found[:SHOWN]:
                    print(f"{'':15}  {other}, {first}: {each[:WIDTH]}")
                print(f"{'':15}  {len(found)} in all")
    print(", ".join(f"{count} {verdict}" for verdict, count in seen.items()), f"on {', '.join(made)}")
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
        at.mkdir(parents=True)
        two_versions_material.write(at)
        made = {}
        for kind in ("SQLite", "PostgreSQL") if services.postgres_url() else ("SQLite",):
            for version, checkout in (("new", ROOT), ("old", asked.old.resolve())):
                print(f"{version} on {kind}", file=sys.stderr)
                made[f"{version} {kind}"] = gathered(files_of(checkout, kind, at, folder / f"{version}-{kind}", more))
        sys.exit(bool(compare(made)))


if __name__ == "__main__":
    main()
