"""Eight people take a survey over HTTP while the server is killed again and again: every acknowledged answer is stored,
and all people continue at the right question, as if they had closed the browser and come back.
"""

import json
import random
import subprocess
import sys
import threading
import traceback
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from study.management.bots import Bot, PageQuestion, SurveyPage, Unreachable
from tests.flows.survey_driver import PER_FORM
from tests.flows.waiting import PATIENCE, eventually, patiently
from tests.live_server import ROOT, LiveServer

PEOPLE = 8
KILLS = (20, 40, 60, 80)  # numbers of acknowledged answers, of 8 times 13, after which the server is killed
QUESTIONS = PER_FORM + 1  # with the attention check


@dataclass
class Diary:
    """Memory of all the people together."""

    sent: dict[str, list[str]] = field(default_factory=dict)  # by key: the two lines
    acknowledged: set[str] = field(default_factory=set)
    interrupted: int = 0
    wrong: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


class PersistentParticipant:
    """Participant who tries again until it works, coming back by the link each time."""

    def __init__(self, link: str, number: int, diary: Diary) -> None:
        self.diary, self.dice = diary, random.Random(number)
        self.bot = Bot(link, self.choose)
        self.next = 1  # the first question that is not acknowledged

    def choose(self, asked: PageQuestion) -> tuple[list[int], int]:
        return self.dice.sample(range(len(asked.tokens)), 2), self.dice.randrange(1000, 9000)

    def take(self) -> None:
        try:
            patiently(self.bot.join)
            page = patiently(self.bot.begin)
            while self.next <= QUESTIONS:
                page = self.answer(page)
            self.diary.codes.append(patiently(self.bot.finish))
        except Exception:
            self.diary.wrong.append(traceback.format_exc())

    def answer(self, page: SurveyPage) -> SurveyPage:
        """Answer the next question, from a page that may have to be opened again."""
        [asked] = [each for each in page.questions if each.position == self.next]
        ranking, _milliseconds = chosen = self.choose(asked)
        self.bot.choose = lambda _asked: chosen
        key = str(uuid4())
        self.diary.sent[key] = [asked.lines[line] for line in ranking]
        page = self.send(page, asked, key)
        self.diary.acknowledged.add(key)
        self.next += 1
        self.bot.choose = self.choose
        return page

    def send(self, page: SurveyPage, asked: PageQuestion, key: str) -> SurveyPage:
        while True:
            try:
                status, said = self.bot.answer(asked, key)
            except Unreachable:
                page = self.come_back()
                continue
            assert (status, sorted(said)) == (200, ["saved_at", "seconds_left", "whose"]), (status, said)
            return page

    def come_back(self) -> SurveyPage:
        """Come back by the link, as after closing the browser. The question being sent may have arrived or not."""
        self.diary.interrupted += 1
        page = patiently(lambda: self.bot.browser.open(self.bot.step("on")))
        at = page.page_state.get("position", QUESTIONS + 1)  # past the last one the page asks whether to finish
        assert at in (self.next, self.next + 1), f"came back at {at}, was at {self.next}"
        return page


def ask(house: LiveServer, command: str) -> str:
    """Return what the driver prints (tests/flows/survey_driver.py)."""
    words = [sys.executable, "-m", "tests.flows.survey_driver", command]
    environment = {**house.environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_acknowledged_answer_is_missing_when_the_server_is_killed(house, capsys):
    link, diary = house.url + ask(house, "prepare"), Diary()
    people = [threading.Thread(target=PersistentParticipant(link, number, diary).take) for number in range(PEOPLE)]
    for person in people:
        person.start()
    for kill in KILLS:
        assert eventually(lambda kill=kill: len(diary.acknowledged) >= kill or bool(diary.wrong)), (
            "the people do not get on"
        )
        house.kill("web")
        house.start("web")
        house.wait_until_it_answers()
    for person in people:
        person.join(PATIENCE)
    stored = json.loads(ask(house, "report"))
    assert diary.wrong == []
    assert_everything_is_there(diary, stored)
    with capsys.disabled():
        print(
            f"\n{house.environment['DATABASE_URL'].split(':')[0]}: sent {len(diary.sent)}, acknowledged "
            f"{len(diary.acknowledged)}, stored {len(stored['answers'])}, killed {len(KILLS)}, "
            f"came back {diary.interrupted}"
        )


def assert_everything_is_there(diary: Diary, stored: dict[str, list[dict[str, Any]]]) -> None:
    answers = {answer["key"]: answer["lines"] for answer in stored["answers"]}
    assert len(diary.acknowledged) == PEOPLE * QUESTIONS
    assert {key: answers.get(key) for key in diary.acknowledged} == {key: diary.sent[key] for key in diary.acknowledged}
    assert answers.keys() <= diary.sent.keys()
    assert set(Counter(answer["person"] for answer in stored["answers"]).values()) == {QUESTIONS}
    # A person who lost the answer to joining has joined twice: such a row has no answers and was never begun.
    states = Counter(person["state"] for person in stored["people"])
    assert states["complete"] + states["failed_checks"] == PEOPLE == len(list(filter(None, diary.codes)))
    assert set(states) <= {"complete", "failed_checks", "consented"}
    assert diary.interrupted > 0, "nobody noticed a kill, so nothing was shown"
