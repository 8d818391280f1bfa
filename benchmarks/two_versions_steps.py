"""The steps of benchmarks/releases_of_two_versions.py, as `play` of two_versions_shell.py takes them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

RATED = ("csv", "jsonl", "parquet", "trec", "huggingface")
REWRITTEN = (*RATED, "mutual")

# {at} is the folder of material.
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
RUNS = {
    "random": "random --on school:test --seed 3",
    "random-release": "random --on exam@1",
    "school": "tfidf --on school:test --train school:train",
    "talks": "tfidf --on uniform --train talks:train",
    "chinese": "tfidf --on of-chinese --train chinese",
    "random-study": "random --on lines",
    "study": "tfidf --on lines --train talks:train",
}


def all_steps(at: Path, out: Path, more: dict[str, str]) -> Iterator[str]:
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
    yield from releases(dict.fromkeys(RATING, RATED) | dict.fromkeys(rewriting, REWRITTEN), at, out)
    for corpus in corpora:
        for format in ("jsonl",) if corpus in {"talks", "chinese"} else ("jsonl", "mutual"):
            yield f"export_corpus {corpus} --format {format} --out {out}/{corpus}/{format}"
        yield f"{corpus}/audit-told.json < audit_release {corpus}"
    yield from study(at, out)


def releases(projects: dict[str, Sequence[str]], at: Path, out: Path) -> Iterator[str]:
    for slug, formats in projects.items():
        is_rated = formats is RATED
        with_plus = ("--plus", f"--plus --replies {at}/replies.txt --seed 7")
        for number, options in enumerate(("", "--seed 7") if is_rated else with_plus, 1):
            name = f"{slug}@{number}"
            yield f"{name}/frozen.json < freeze_release {slug} {options}"
            yield "shell make_times_one()"
            for variant in ("",) if is_rated else ("", "plus"):
                for format in formats:
                    option, place = (f"--variant {variant}", variant) if variant else ("", "plain")
                    yield f"export_release {name} --format {format} {option} --out {out}/{name}/{place}/{format}"
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
        yield f"questions/{name}-built.json < build_questions {name} {options}"
    pages = [(f"/api/v1/questions/{name}/questions/?page_size=1000", f"questions/{name}.json") for name in QUESTIONS]
    yield "create_study lines --questions uniform many --forms 2 --per-form 6 --group crowd:20 --group experts --seed 2"
    yield 'shell open_with_reason(out, "lines")'
    yield 'shell leave_out_secrets(); take_survey("lines", 30)'
    yield "close_study lines --why over"
    for number, (name, run) in enumerate(RUNS.items(), 1):
        yield f"runs/{name}-told.json < run_baseline {run}"
        pages += [(f"/runs/{number}/predictions.{kind}", f"runs/{name}.{kind}") for kind in ("csv", "txt")]
    yield f"import_answers given {at}/answers.csv --candidates 5"
    yield "shell make_times_one()"
    for slug in ("lines", "given"):
        yield f"{slug}/results-told.json < results {slug}"
        pages.append((f"/studies/{slug}/results.csv", f"{slug}/results-told.csv"))
    yield f"shell fetch(out, *{pages})"
