"""One part of the benchmark of corpora (benchmarks/corpora.py), on the database of DATABASE_URL.

python -m benchmarks.corpora_once extract|store NUMBER
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import django

django.setup()

import numpy as np  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.models import QuerySet  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.urls import include, path  # noqa: E402

from annotation.actions.corpora import corpora, edits  # noqa: E402
from annotation.domain.corpora.edits import LEFT_OUT, DialogueChange  # noqa: E402
from annotation.domain.corpora.ledger import ImportLedger  # noqa: E402
from annotation.importers import irc  # noqa: E402
from annotation.importers.archive import unpacked  # noqa: E402
from annotation.importers.dialogues import Recipe  # noqa: E402
from annotation.models import Corpus, Dialogue  # noqa: E402
from benchmarks.dialogues import ZipfWords  # noqa: E402
from benchmarks.parts import TimedPart, measure  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402

SEED = 0
LINES_A_DAY = 20_000
USERS = 400  # of one day
AT_A_TIME = 12  # of them
ADDRESSED = 0.5  # share of the messages
TURNS, WORDS = 7.6, 10.3  # of a dialogue and an utterance on average (Lowe et al. 2015)
TEXTS = 20_000  # different utterances
TIMES = 7  # that each page is asked for


def extract(lines: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        logs = Path(name) / "logs"
        logs.mkdir()
        generator = np.random.default_rng(SEED)
        texts = made_up_texts(generator)
        for day in range(lines // LINES_A_DAY):
            log = logs / f"{np.datetime64('2005-01-01') + day}.txt"
            log.write_text("".join(log_of_a_day(texts, generator, day)), encoding="utf-8")
        with unpacked(logs) as files:
            dialogues = measure("extract", lines, lambda: sum(1 for _row in irc.read(files, ImportLedger(), Recipe())))
        print(f"{dialogues:>28,} dialogues")


def store(number: int) -> None:
    """Store the dialogues, and then ask for each page of their corpus."""
    call_command("migrate", verbosity=0)
    by = factories.person("rui", Role.RESEARCHER)
    with tempfile.TemporaryDirectory() as name:
        file_path = Path(name) / "train.jsonl"
        generator = np.random.default_rng(SEED)
        with file_path.open("w", encoding="utf-8") as file:
            file.writelines(made_up_dialogues(made_up_texts(generator), generator, number))
        parts = [TimedPart(f"{number:,}", "read")]

        def report(done: int, total: int | None = None) -> None:
            if len(parts) == 1 and total and 2 * done >= total:  # reading is the first half of the progress
                parts[0].ends(number)
                parts.append(TimedPart(f"{number:,}", "store"))

        corpora.import_corpus(name="made", path=file_path, format="jsonl", partial=False, report=report, by=by)
        parts[-1].ends(number)
        TimedPart.both(parts, number)
    call_command("collectstatic", verbosity=0, interactive=False)
    pages(by, number)


def pages(by: User, number: int) -> None:
    """Print how long each page of the corpus takes, in this process and without a network, beside an empty page."""
    corpus = Corpus.objects.get(name="made")
    QuerySet(Dialogue).filter(corpus=corpus, position__in=range(0, number, max(1, number // 500))).update(flagged=True)
    edits.plan(corpus=corpus, dialogue=corpus.dialogues.get(position=0), change=DialogueChange(LEFT_OUT), by=by)
    urls = ModuleType("benchmark_urls")
    urls.urlpatterns = [path("empty/", lambda request: HttpResponse()), path("", include("config.urls"))]  # type: ignore[attr-defined]
    word = corpus.dialogues.get(position=number // 2).turns[0]["text"].split()[0]
    with override_settings(ROOT_URLCONF=urls, ALLOWED_HOSTS=["*"]):
        client = Client()
        client.force_login(by)
        print(f"{'pages':>28} {'':42}{'median ms':>10}{'worst ms':>10}", flush=True)
        for name, address in {
            "empty Django page": "/empty/",
            "corpora": "/corpora/",
            "corpus": "/corpora/made/",
            "dialogues": "/corpora/made/dialogues/",
            "dialogues, after half": f"/corpora/made/dialogues/?after={number // 2}",
            "dialogues of train": "/corpora/made/dialogues/?split=train",
            "flagged": "/corpora/made/dialogues/?flagged=1",
            "flagged, at the end": f"/corpora/made/dialogues/?flagged=1&after={number - 2}",
            "one dialogue": f"/corpora/made/dialogues/{number // 2}/",
            "search, found": f"/corpora/made/dialogues/?q={word}",
            "search, nothing found": "/corpora/made/dialogues/?q=nowhere+found",
            "search, nothing found after half": f"/corpora/made/dialogues/?q=nowhere&after={number // 2}",
            "search, in the names of JSON": "/corpora/made/dialogues/?q=speaker",
            "search, flagged": "/corpora/made/dialogues/?q=nowhere&flagged=1",
            "edit": f"/corpora/made/dialogues/{number // 2}/edit/",
            "edits": "/corpora/made/edits/",
            "API, corpus": "/api/v1/corpora/made/",
            "API, dialogues": "/api/v1/corpora/made/dialogues/",
            "API, search, nothing found": "/api/v1/corpora/made/dialogues/?words=nowhere",
        }.items():
            times = sorted(_milliseconds(client, address) for _time in range(TIMES))
            print(f"{number:>28,} {name:42}{times[TIMES // 2]:10.1f}{times[-1]:10.1f}", flush=True)


def _milliseconds(client: Client, address: str) -> float:
    began = time.perf_counter()
    answer = client.get(address)
    took = time.perf_counter() - began
    assert answer.status_code == 200, address
    return 1_000 * took


def made_up_texts(generator: np.random.Generator) -> list[str]:
    words = ZipfWords(generator)
    return [words(WORDS) for _text in range(TEXTS)]


def log_of_a_day(texts: list[str], generator: np.random.Generator, day: int) -> Iterator[str]:
    """Yield the lines of a log: users come anew each day, a few talk at a time, and half of the messages name one."""
    minutes = np.sort(generator.integers(24 * 60, size=LINES_A_DAY))
    first = minutes * USERS // (24 * 60)
    senders, others = (first + generator.integers(AT_A_TIME, size=(2, LINES_A_DAY))) % USERS
    said = generator.integers(TEXTS, size=LINES_A_DAY)
    addressed = generator.random(LINES_A_DAY) < ADDRESSED
    for minute, sender, other, text, to in zip(minutes, senders, others, said, addressed, strict=True):
        recipient = f"u{day}_{other}: " if to else ""
        yield f"[{minute // 60:02}:{minute % 60:02}] <u{day}_{sender}> {recipient}{texts[text]}\n"


def made_up_dialogues(texts: list[str], generator: np.random.Generator, number: int) -> Iterator[str]:
    """Yield dialogues as lines of jsonl."""
    for dialogue in range(number):
        turns = [
            {"speaker": "AB"[place % 2], "text": texts[text], "at": "2008-07-14T10:02:00Z"}
            for place, text in enumerate(generator.integers(TEXTS, size=3 + generator.poisson(TURNS - 3)))
        ]
        yield (
            json.dumps({"id": f"d{dialogue}", "split": "train", "turns": turns, "conversation": f"c{dialogue}"}) + "\n"
        )


if __name__ == "__main__":
    {"extract": extract, "store": store}[sys.argv[1]](int(sys.argv[2]))
