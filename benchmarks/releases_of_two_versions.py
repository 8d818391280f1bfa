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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from benchmarks import two_versions_material
from tests import services

ROOT = Path(__file__).resolve().parent.parent
SHELL = Path(__file__).with_name("two_versions_shell.py")
RATED = ("csv", "jsonl", "parquet", "trec", "huggingface")
REWRITTEN = (*RATED, "mutual")
ALONE = "shell leave_out_secrets()"
MANY = 12  # files of a folder, from which on they have one line
SHOWN, WIDTH = 6, 150  # differences below a line, and their characters
# Files that tell of data in words and keys, which a version may change; all others are data.
TOLD = ("README.md", "release.json", "told")

# The work. A line that begins with "shell" is Python, with the functions of two_versions_shell.py; {at} is the folder of material.
WORK = """
create_project two --kind rating --seed 3
import_pairs two {at}/pairs.csv
simulate_annotators two --seed 5
create_project three --kind rating --set raters=3 --set grades=-2..2 --set gap=2
import_pairs three {at}/pairs.tsv --partial
simulate_annotators three --people 5 --kappa 0.6
void_work three --user three/bot-2 --since 2020-01-01 --why asleep
simulate_annotators three --people 7 --kappa 0.6 --seed 1
create_project decided --kind rating --set adjudicate=true --set gap=0
import_pairs decided {at}/pairs.csv
simulate_annotators decided --people 3
create_project clean --kind rating --set raters=2
import_pairs clean {at}/pairs.csv
clean_scan clean --words {at}/words.txt --name own
simulate_annotators clean
create_project golden --kind rating --set practice=6 --set practice_accuracy=20 --set practice_kappa=10
    --set gold_first=30 --set gold_misses=5
import_pairs golden {at}/pairs.csv
import_gold golden {at}/gold.csv
shell leave_out_secrets(); call_command("simulate_annotators", "golden", people=6)
create_project elsewhere --kind rating
import_ratings elsewhere {at}/grades.csv
create_project both --kind rating --set raters=3
import_pairs both {at}/pairs.csv
import_ratings both {at}/grades.csv
create_project few --kind rating --set raters=1
import_pairs few {at}/few.jsonl
simulate_annotators few --people 2
create_project exam --kind rewriting --set inspectors=2 --seed 4
import_items exam {at}/questions.jsonl --format jsonl
simulate_annotators exam --people 5
shell return_one("exam")
simulate_annotators exam --people 5 --seed 1
create_project lots --kind rewriting --set inspected_percent=30 --set first_in_full=2 --set practice=2
    --set practice_window=2 --set practice_threshold=1
import_items lots {at}/dream.json --format dream
import_items lots {at}/practice.jsonl --format jsonl --practice
shell leave_out_secrets(); call_command("simulate_annotators", "lots", people=6)
create_project tapes --kind rewriting
import_items tapes {at}/tapes.zip --format jsonl
create_user ann --role annotator --project tapes
create_user ben --role annotator --project tapes
shell work("ann", "/projects/tapes/transcribe/", "submit", heard)
shell work("ben", "/projects/tapes/check/", "submit", heard)
simulate_annotators tapes --people 3
create_project asked --kind rewriting
import_items asked {at}/dream.json --format dream
simulate_annotators asked --people 3
create_user ida --role inspector --project asked
create_user ivo --role inspector --project asked
ask_types asked --instances 20
shell work("ida", "/projects/asked/types/", "name", named)
shell work("ivo", "/projects/asked/types/", "name", named)
import_corpus school {at}/school.zip --format mutual
import_corpus talks {at}/talks.jsonl --format jsonl
import_corpus chinese {at}/chinese.jsonl --format jsonl
shell make_times_one()
"""
RATING = ("two", "three", "decided", "clean", "golden", "elsewhere", "both", "few")
REWRITING = ("exam", "lots", "tapes", "asked")
CORPORA = ("school", "school-plus", "talks", "chinese")
QUESTIONS = {
    "uniform": "--from talks:dev talks:test --count 20 --seed 2",
    "many": "--from talks --count 12 --distractors 9 --max-turns 3",
    "two-each": "--from talks:train --count 10 --distractors 1 --seed 9",
    "of-exam": "--from exam@1 --count 6 --distractors 2 --max-turns 20",
    "of-chinese": "--from chinese --count 10 --seed 1",
}
RUNS = (
    "random --on school:test --seed 3",
    "random --on exam@1",
    "tfidf --on school:test --train school:train",
    "tfidf --on uniform --train talks:train",
    "tfidf --on of-chinese --train chinese",
)


# ---- the steps ------------------------------------------------------------------------------------------------------
def blocks(steps: Iterable[str]) -> Iterator[list[str]]:
    """Yield the steps that one process takes: one without secrets has a process to itself."""
    for is_alone, some in groupby(steps, key=lambda step: step.startswith(ALONE)):
        yield from ([step] for step in some) if is_alone else [[*some]]


def steps(at: Path, out: Path, more: dict[str, str]) -> Iterator[str]:
    """Yield what `play` of two_versions_shell.py takes."""
    yield from WORK.format(at=at).replace("\n   ", "").strip().splitlines()
    rewriting, corpora = [*REWRITING], [*CORPORA]
    if "dream" in more:
        yield "create_project dream --kind rewriting --set inspectors=2"
        yield f"import_items dream {more['dream']} --format dream --partial"
        yield "simulate_annotators dream --people 7"
        yield "shell make_times_one()"
        rewriting.append("dream")
    if "mutual" in more:
        yield f"import_corpus mutual {more['mutual']} --format mutual"
        corpora += ["mutual", "mutual-plus"]
    yield from releases({slug: RATED for slug in RATING} | {slug: REWRITTEN for slug in rewriting}, at, out)
    for corpus in corpora:
        for format in ("jsonl",) if corpus in {"talks", "chinese"} else ("jsonl", "mutual"):
            yield f"export_corpus {corpus} --format {format} --out {out}/{corpus}/{format}"
        yield f"{corpus}/audit-told.json < audit_release {corpus}"
    yield from study(at, out)


def releases(projects: dict[str, Sequence[str]], at: Path, out: Path) -> Iterator[str]:
    for slug, formats in projects.items():
        is_rated = formats is RATED
        for number, options in enumerate(
            ("", "--seed 7") if is_rated else ("--plus", f"--plus --replies {at}/replies.txt --seed 7"), 1
        ):
            name = f"{slug}@{number}"
            yield f"{name}/frozen-told.json < freeze_release {slug} {options}"
            yield "shell make_times_one()"
            for variant in ("",) if is_rated else ("", "plus"):
                for format in formats:
                    option = f"--variant {variant}" if variant else ""
                    yield f"export_release {name} --format {format} {option} --out {out}/{name}/{variant or 'plain'}/{format}"
            yield f"{name}/statistics-told.json < release_statistics {name}"
        if is_rated:
            yield f"{slug}/agreement-told.json < agreement {slug} --bootstrap 200"
            yield f"export_ratings {slug} --out {out}/{slug}/ratings-told.csv"
        else:
            yield f"{slug}/types-told.json < reasoning_types {slug}"
            yield f"{slug}@1/audit-told.json < audit_release {slug}@1"
    tables = [
        (f"/projects/{slug}/releases/1/{name}.csv", f"{slug}@1/{name}.csv")
        for slug in RATING
        for name in ("responses", "grades")
    ]
    yield f"shell fetch(out, *{tables})"
    yield "cleaning-told.json < cleaning_ledger clean"
    yield "golden/qualification-told.json < qualification golden"


def study(at: Path, out: Path) -> Iterator[str]:
    for name, options in QUESTIONS.items():
        yield f"questions/{name}-told.json < build_questions {name} {options}"
    pages = [(f"/api/v1/questions/{name}/questions/?page_size=1000", f"questions/{name}.json") for name in QUESTIONS]
    yield "create_study lines --questions uniform many --forms 2 --per-form 6 --group crowd:20 --group experts --seed 2"
    yield "lines/opened-told.json < open_study lines"
    yield 'shell leave_out_secrets(); take_survey("lines", 30)'
    yield "close_study lines"
    for number, run in enumerate((*RUNS, "random --on lines", "tfidf --on lines --train talks:train"), 1):
        yield f"runs/{number}-told.json < run_baseline {run}"
        pages += [(f"/runs/{number}/predictions.{kind}", f"runs/{number}.{kind}") for kind in ("csv", "txt")]
    yield f"import_answers given {at}/answers.csv --candidates 5"
    yield "shell make_times_one()"
    for slug in ("lines", "given"):
        yield f"{slug}/results-told.json < results {slug}"
        pages.append((f"/studies/{slug}/results.csv", f"{slug}/results-told.csv"))
    yield f"shell fetch(out, *{pages})"


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


def files_of(checkout: Path, kind: str, at: Path, out: Path, more: dict[str, str]) -> dict[str, bytes]:
    """Take all steps on a new database and return what they wrote, by path."""
    with tempfile.TemporaryDirectory() as name, database(kind, Path(name)) as url:
        house = House(checkout, Path(name), url)
        house.manage("migrate", "-v", "0")
        house.manage("collectstatic", "-v", "0", "--noinput")
        for block in blocks(steps(at, out, more)):
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
