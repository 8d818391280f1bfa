"""One run of the replayed study (benchmarks/replay), on the new database of DATABASE_URL.

python -m benchmarks.replay.story FOLDER
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import django

django.setup()

from benchmarks.replay import compared, tables, ways  # noqa: E402
from benchmarks.replay.exported import Exported  # noqa: E402
from benchmarks.replay.people import Moment, Person, Way, WayIn, from_platform  # noqa: E402
from benchmarks.study_readers import same  # noqa: E402
from study.domain.survey.phases import VisitOutcome  # noqa: E402
from study.management.bots import Browser  # noqa: E402
from study.management.commands.simulate_participants import Crowd  # noqa: E402
from study.models import Study  # noqa: E402
from tests.live_server import PATIENCE, ROOT, LiveServer  # noqa: E402

SLUG = "replay"
CORPORA = {
    "movie": "meld/MELD",
    "twitter": "twitter_conv",
    "ubuntu": "irc_ubuntu/irc_ubuntu.tar.gz",
}  # and where each is
QUESTIONS = 40  # of each corpus: the crowd's four forms take ten each
CROWD, LAB = 145, 8
MINUTES = 2  # the shortest in which bots finish; people who run out of time wait for it
SETTINGS = {
    "mix": "lab:ubuntu=50",
    "derived": "crowd experts=crowd:ubuntu=expert@ubuntu",
    "practice": 2,
    "checks": 2,
    "failed_checks": 2,
    "minimum_answers": 15,
    "too_fast": 2,
    "straight_lines": 20,
    "pay": "2.50",
    "currency": "USD",
    "primary_group": "lab",
    "primary_against": "crowd",
    "primary_corpus": "ubuntu",
    "margin": 10,
    "analysis": "R@1 of the laboratory and of the crowd, by corpus.",
    "consent": "You choose the line that comes next. Ada Example, ada@example.org, answers your questions.",
}
AT_ONCE = 8
LOG, LAST = "product.log", 4_000  # what the product prints, and how many characters of it a run that fails shows
AFTER_TIME = 6  # seconds: the grace, and what a browser knows less exactly than the server

# Who comes on the first day. People who finish fill what then is left of the quota.
OF_CROWD: dict[Way, int] = {
    ways.runs_out_of_time: 2,
    ways.sends_late: 3,
    ways.runs_out_with_too_few: 2,
    ways.finds_it_full_at_the_door: 2,
    ways.reloads: 4,
    ways.changes_browsers: 4,
    ways.comes_twice: 4,
    ways.sends_twice: 4,
    ways.changes_answers: 4,
    ways.leaves_blanks: 4,
    ways.gives_first_choices_alone: 4,
    ways.says_nothing_of_themselves: 2,
    ways.hurries: 2,
    ways.chooses_the_first_line: 2,
    ways.is_excluded_by_hand: 2,
    ways.fails_one_check: 3,
    ways.fails_both_checks: 4,
    ways.leaves_a_check_empty: 2,
    ways.answers_too_few: 3,
    ways.closes_the_page: 2,
    ways.does_not_agree: 2,
    ways.looks_at_a_preview: 1,
    ways.has_no_id: 1,
    ways.has_a_placeholder: 1,
    ways.withdraws_before_the_questions: 2,
    ways.withdraws_half_way: 3,
    ways.withdraws_after_the_end: 2,
    ways.withdraws_by_link: 2,
    ways.is_erased_by_number: 2,
    ways.withdraws_by_link_once_closed: 2,
    ways.is_erased_once_closed: 2,
    ways.finishes: 60,
}
# Two browsers of the laboratory, each with the people who use it in turn.
OF_LAB: Sequence[Sequence[Way]] = (
    (ways.withdraws_half_way, ways.finishes, ways.leaves_blanks, ways.finishes, ways.changes_answers),
    (ways.finishes, ways.gives_first_choices_alone, ways.finishes, ways.finishes),
)


class Replay:
    """The running product, the open study, and all who come to it."""

    def __init__(self, house: LiveServer) -> None:
        self.house = house
        self.people: list[Person] = []
        self.numbers = count(1)

    def told(self, *command: object) -> dict[str, Any]:
        """Return what a command prints with --json."""
        printed: dict[str, Any] = json.loads(self.house.manage(*map(str, command), "--json"))
        return printed

    # ---- before anyone comes ----------------------------------------------------------------------------------------
    def prepare(self, folder: Path) -> None:
        """Import the corpora, draw questions, and open the study."""
        self.house.make_user("ada", "administrator")
        for name, path in CORPORA.items():
            corpus = self.told("import_corpus", name, folder / path)
            drawn = self.told("build_questions", f"{name}-questions", "--from", name, "--count", QUESTIONS)
            ledger = corpus["ledger"]
            read, dropped = ledger["read"], sum(ledger["dropped"].values())
            same(f"ledger of {name}", read, ledger["kept"] + ledger["joined"] + dropped)
            told = f"{read:,} lines read, {corpus['dialogues']:,} dialogues, {QUESTIONS} questions"
            print(f"{name:>12}  {told}, checksum {drawn['checksum'][:12]}", flush=True)
        chosen = [f"--set={name}={value}" for name, value in SETTINGS.items()]
        sets = [f"{name}-questions" for name in CORPORA]
        groups = ("--group", f"crowd:{CROWD}", "--group", f"lab:{LAB}", "--require-id", "crowd")
        dealt = ("--forms", 4, "--per-form", 30, "--minutes", MINUTES)
        self.told("create_study", SLUG, "--questions", *sets, *groups, *dealt, *chosen)
        opened = self.told("open_study", SLUG, "--reason", "The questions are asked as they were drawn.")
        self.links = {link["group"]: link["url"] for link in self.told("links", SLUG)["links"]}
        self.study = Study.objects.get(slug=SLUG)
        self.crowd = Crowd(self.study, 0, self.house.url)
        self.outcomes = {code: VisitOutcome(outcome) for outcome, code in self.study.codes.items()}
        print(f"{'study':>12}  forms of {opened['forms']} questions, checksum {opened['checksum'][:12]}", flush=True)

    # ---- people -----------------------------------------------------------------------------------------------------
    def sent_by_a_platform(self, way: Way) -> Person:
        number = next(self.numbers)
        return self._person(number, way, from_platform("crowd", self.links["crowd"], number), Browser())

    def of_lab(self, way: Way, browser: Browser) -> Person:
        return self._person(next(self.numbers), way, WayIn("lab", "", self.links["lab"], ""), browser)

    def _person(self, number: int, way: Way, arrival: WayIn, browser: Browser) -> Person:
        person = Person(number, way, arrival, self.crowd, browser)
        self.people.append(person)
        return person

    def outcome(self, person: Person) -> str:
        """Return how the survey ended, by the code that the person saw; "" for those who have seen none."""
        return VisitOutcome.WITHDRAWN if person.has_withdrawn else self.outcomes.get(person.code, "")

    def seen(self) -> compared.Seen:
        return compared.Seen(self.people, {person.name: self.outcome(person) for person in self.people}, SETTINGS)

    def of_way(self, way: Way) -> list[Person]:
        return [person for person in self.people if person.way is way]

    def go(self, browsers: Iterable[Sequence[Person]]) -> None:
        """Let people go on until each is at the end or waits: many at once, those of one browser in turn."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _gone in pool.map(_in_turn, browsers):
                pass

    def go_alone(self, people: Iterable[Person]) -> None:
        self.go([[person] for person in people])

    def reach(self, moment: Moment) -> None:
        self.go_alone([person for person in self.people if person.waits_for is moment])

    def erase(self, way: Way) -> None:
        """Erase people who ask for it, by the number on their last page."""
        for person in self.of_way(way):
            self.told("erase_participant", SLUG, person.public_id)
            person.has_withdrawn = True

    # ---- the story --------------------------------------------------------------------------------------------------
    def fieldwork(self) -> None:
        """Let people come until both quotas are filled, and then some more."""
        crowd = [[self.sent_by_a_platform(way)] for way, people in OF_CROWD.items() for _person in range(people)]
        lab = [[self.of_lab(way, browser) for way in turn] for turn in OF_LAB for browser in [Browser()]]
        self.go([*crowd[:10], *lab, *crowd[10:]])
        self.erase(ways.is_erased_by_number)
        deadline = max(person.deadline for person in self.people if person.waits_for is Moment.TIME_UP)
        time.sleep(max(0.0, deadline + AFTER_TIME - time.monotonic()))
        self.reach(Moment.TIME_UP)
        self.wait_for_all()  # a place is held until its person's time is found to be over, once a minute
        while missing := CROWD - self.places("crowd"):  # who is left out by a rule leaves the place to another
            self.go_alone([self.sent_by_a_platform(ways.finishes) for _person in range(missing)])
        late = [self.sent_by_a_platform(ways.finds_it_full) for _person in range(3)]
        self.go_alone([*late, self.of_lab(ways.finds_it_full, Browser())])
        self.reach(Moment.FILLED)

    def places(self, group: str) -> int:
        """Return how many places of a group are taken: by people who fill its quota, and by people under way."""
        groups = self.told("fieldwork", SLUG)["groups"]
        [own] = [each for each in groups if each["group"] == group]
        return sum(int(own[name]) for name in ("finished", "agreed", "answering"))

    def wait_for_all(self) -> None:
        """Wait until no one is under way."""
        until = time.monotonic() + PATIENCE
        while self.told("fieldwork", SLUG)["total"]["answering"]:
            assert time.monotonic() < until, "the time of some people does not end"
            time.sleep(1)

    def close(self) -> None:
        self.wait_for_all()
        compared.places(self.told("fieldwork", SLUG), {"crowd": CROWD, "lab": LAB})
        for person in self.of_way(ways.is_excluded_by_hand):
            self.told("exclude_participant", SLUG, person.public_id, "--why", "Wrote that they guessed.")
            person.is_excluded = True
        self.told("close_study", SLUG, "--why", "The places of people who are excluded are not filled again.")
        self.go_alone([self.sent_by_a_platform(ways.comes_after_closing)])

    def compare(self, name: str) -> list[compared.Beside]:
        """Compare fieldwork, results and export with what the browsers saw, and with one another.

        Print the outcomes, and return the cells.
        """
        out = Path(os.environ["DATA_DIR"]) / name
        self.told("export_study", SLUG, "--out", out)
        fieldwork, results = self.told("fieldwork", SLUG), self.told("results", SLUG)
        seen = self.seen()
        compared.outcomes(seen, fieldwork)
        exported = Exported(out)
        compared.people(seen, exported)
        compared.answers(seen, exported)
        compared.withdrawn(seen, out)
        compared.rules(seen, exported, results)
        beside = compared.cells(exported, results)
        compared.log(seen, Path(os.environ["DATA_DIR"]) / LOG)
        tables.outcomes(seen, exported.people)
        return beside


def _in_turn(people: Sequence[Person]) -> None:
    for person in people:
        person.go_on()


@contextmanager
def started() -> Iterator[LiveServer]:
    """Yield the product, started as a person starts it; end it afterwards."""
    data = Path(os.environ["DATA_DIR"])
    own = {"DJANGO_SETTINGS_MODULE": "config.settings", "CELERY_BROKER_URL": "filesystem://localhost"}
    house = LiveServer(data, **own)
    command = ["bin/start", "--port", str(house.port), "--no-demo"]
    with (
        (data / LOG).open("w+") as log,
        subprocess.Popen(command, cwd=ROOT, env=house.environment, stdout=log, stderr=log) as process,
    ):
        try:
            house.wait_until_it_answers()
            yield house
        except BaseException:
            print((data / LOG).read_text()[-LAST:], file=sys.stderr)
            raise
        finally:
            process.send_signal(signal.SIGTERM)


def main(folder: Path) -> None:
    began = time.monotonic()
    with started() as house:
        replay = Replay(house)
        replay.prepare(folder)
        replay.fieldwork()
        replay.close()
        tables.cells(replay.compare("closed"))
        replay.reach(Moment.CLOSED)
        replay.erase(ways.is_erased_once_closed)
        print("\nafter people withdrew from the closed study")
        cells = replay.compare("withdrawn")
        print(f"{len(cells):,} cells equal again")
        tables.ways(replay.seen())
    print(f"\nequal: {same.count:,} comparisons held, {time.monotonic() - began:.0f} s\n", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
