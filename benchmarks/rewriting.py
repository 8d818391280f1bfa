"""Exam items on every path to a release, by bots over HTTP.

python -m benchmarks.rewriting DREAM.json [SQLite|PostgreSQL] [QUESTIONS]    SQLite and 200 unless given

One author and two inspectors, by seeded dice, skip, return for revision, discard and accept. Then sixteen authors write
at once, and the time to save is measured.
"""

import json
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks import runs
from study.management.bots import Browser, SurveyPage
from tests.flows.driving import a_clerk
from tests.live_server import ROOT, LiveServer, open_house

SLUG, PASSWORD = "dream", "of these people alone"
SKIP = 0.05  # share of the items assigned to the author
VERDICTS = {"accept": 0.75, "return": 0.2, "discard": 0.05}  # of each inspector
FIELDS = {
    "accept": {"is_correct": "yes", "is_unique": "yes"},
    "return": {"is_correct": "yes", "is_unique": "doubt", "is_revisable": "yes", "comment_1": "Not the only one."},
    "discard": {"is_correct": "doubt", "is_unique": "yes", "is_revisable": "no"},
}
AUTHORS, SECONDS, REST = 16, 30, (1.2, 2.4)  # seconds between two saves of an author, as the page waits after a letter
WORDS = ("so", "then", "well", "maybe", "perhaps", "really", "quite", "never", "always", "again", "still", "just")


class BrowserBot:
    """A signed-in person; `at` is the page of their work."""

    def __init__(self, url: str, name: str, password: str, work: str) -> None:
        self.url, self.at = url, f"{url}/projects/{SLUG}/{work}/"
        self.browser, self.dice = Browser(), random.Random(name)
        self.browser.open(f"{url}/signin/")
        page = self.browser.open(f"{url}/signin/", {"username": name, "password": password})
        assert not page.url.endswith("/signin/"), "not signed in"


class AuthorBot(BrowserBot):
    def work(self) -> int:
        """Write, revise or skip all assigned items; return how many."""
        for done in range(10**6):
            page_state = self.browser.open(self.at).page_state
            if not page_state:
                return done
            if not any(page_state["candidates"]) and self.dice.random() < SKIP:
                self.send(page_state, "skip", {"reason": "no_clue"})
            else:
                self.send(page_state, "submit", self.draft(page_state))
        raise AssertionError("there is no end to it")

    def draft(self, page_state: dict[str, Any]) -> dict[str, Any]:
        """Return four texts that were never written before."""
        texts = [" ".join([*self.dice.choices(WORDS, k=6), str(self.dice.randrange(10**9))]) for _part in range(4)]
        return {"cut": page_state["cut"], "candidates": texts, "revision": page_state["revision"]}

    def send(self, page_state: dict[str, Any], act: str, sent: dict[str, Any]) -> dict[str, Any]:
        status, said = self.browser.post(f"{self.url}{page_state['base']}{act}/", sent)
        assert status == 200, (status, said)
        return said


class InspectorBot(BrowserBot):
    def work(self) -> int:
        """Answer blind and judge all assigned items; return how many."""
        for done in range(10**6):
            form = _form(self.browser.open(self.at), "/answer/")
            if not form:
                return done
            judged = self.browser.open(form, {"answer": str(self.dice.randrange(1, 5))})
            verdict = self.dice.choices([*VERDICTS], [*VERDICTS.values()])[0]
            if _form(self.browser.open(_form(judged, "/decide/"), FIELDS[verdict]), "/decide/"):
                # Returned as often as allowed, so it is accepted or discarded now.
                self.browser.open(_form(self.browser.open(self.at), "/decide/"), FIELDS["discard"])
        raise AssertionError("there is no end to it")


def _form(page: SurveyPage, action: str) -> str:
    return next((form for form in page.forms if form.endswith(action)), "")


def main(dream: str, kind: str = "SQLite", questions: str = "200") -> None:
    if kind not in runs.kinds():
        sys.exit(f"No {kind} answers here: name one of {', '.join(runs.kinds())}.")
    with tempfile.TemporaryDirectory() as folder:
        own = {
            "SECRET_KEY": "-",
            "CELERY_BROKER_URL": "filesystem://",
            "QUEUE": "colloquy",
            "DJANGO_SETTINGS_MODULE": "tests.live_server_settings",
            "PYTHONPATH": str(ROOT),
        }
        with runs.new_database(kind, Path(folder)) as url, open_house(Path(folder), DATABASE_URL=url, **own) as house:
            every_path(house, Path(dream), int(questions), Path(folder))
            many_authors(house)


def every_path(house: LiveServer, dream: Path, questions: int, folder: Path) -> None:
    """Work from the items to a release with both variants, its statistics and its audit."""
    house.make_user("root", "administrator")
    house.manage("create_project", SLUG, "--kind", "rewriting", "--set", "inspectors=2")
    some = folder / "some.json"
    some.write_text(json.dumps(first_questions(json.loads(dream.read_text("utf-8")), questions)), encoding="utf-8")
    print(house.manage("import_items", SLUG, str(some), "--format", "dream", "--partial"), flush=True)
    passwords = {
        name: house.make_user(name, role, "--project", SLUG)
        for name, role in (("an", "annotator"), ("ivo", "inspector"), ("ida", "inspector"))
    }
    author = AuthorBot(house.url, "an", passwords["an"], "write")
    inspectors = [InspectorBot(house.url, name, passwords[name], "inspect") for name in ("ivo", "ida")]
    began = time.perf_counter()
    while written := author.work():
        judged = [inspector.work() for inspector in inspectors]
        print(f"{written} written, mended or skipped; judged {judged}", flush=True)
    print(f"{time.perf_counter() - began:.1f} s, each page loaded anew", flush=True)
    print(house.manage("shell", "-v", "0", "-c", PATHS))
    print(house.manage("freeze_release", SLUG, "--plus"))
    print(house.manage("release_statistics", SLUG))
    print(house.manage("audit_release", SLUG))
    for variant in ([], ["--variant", "plus"]):
        for format in ("mutual", "jsonl", "csv", "parquet", "huggingface"):
            out = folder / f"{format}{len(variant)}"
            words = house.manage("export_release", SLUG, "--format", format, *variant, "--out", str(out), "--json")
            print(format, *variant, len(json.loads(words)["files"]), "files")


# Counts of the items by state and number of rounds.
PATHS = """
from collections import Counter
from annotation.models import Assignment, Item
from django.db.models import Max
items = Item.objects.annotate(rounds=Max("slots__round")).values_list("state", "rounds")
for (state, rounds), count in sorted(Counter(items).items()):
    print(f"{count} {state} after {rounds} round(s)")
print(Assignment.objects.filter(state="skipped").count(), "skipped by the author")
"""


def first_questions(dialogues: list[Any], count: int) -> list[Any]:
    """Return the first dialogues of DREAM that have so many questions in all."""
    taken, found = 0, []
    for turns, asked, name in dialogues:
        if taken == count:
            break
        found.append([turns, asked[: count - taken], name])
        taken += len(found[-1][1])
    return found


def many_authors(house: LiveServer) -> None:
    """Measure how long saving a draft takes each of sixteen authors who write at once."""
    slug = "crowd"
    with a_clerk(house.environment) as clerk:
        clerk.ask("hire", slug, AUTHORS, PASSWORD, AUTHORS, "rewriting")
    authors = [AuthorBot(house.url, f"p{number}", PASSWORD, "write") for number in range(AUTHORS)]
    took: list[float] = []

    def write(author: AuthorBot) -> None:
        page_state = author.browser.open(author.at.replace(SLUG, slug)).page_state
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            time.sleep(author.dice.uniform(*REST))
            draft = author.draft(page_state)
            began = time.perf_counter()
            page_state["revision"] = author.send(page_state, "save", draft)["revision"]
            took.append(time.perf_counter() - began)

    threads = [threading.Thread(target=write, args=[author]) for author in authors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    p95 = statistics.quantiles(took, n=20)[-1]
    print(
        f"{AUTHORS} authors, {len(took)} drafts saved: median {1000 * statistics.median(took):.1f} ms, "
        f"p95 {1000 * p95:.1f} ms"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
