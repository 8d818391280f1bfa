"""Rating: a unit is a grade, as the page's script sends it, whose answer brings the next pair."""

import time
from pathlib import Path
from uuid import uuid4

from benchmarks.serving.crowd import Walker

ROWS = Path(__file__).with_name("rows_of_rating.py")
WALKERS = {"grade": "benchmarks.serving.rating:Rater"}
COMPARED = ()


class Rater(Walker):
    def begin(self) -> None:
        self.base = self.person["base"]
        self.pairs = self.post(f"{self.base}next/", {})["pairs"]

    def step(self) -> None:
        while not self.pairs:
            time.sleep(0.1)
            self.pairs = self.post(f"{self.base}next/", {})["pairs"]
        path = f"{self.base}{self.pairs[0]['assignment']}/grade/"
        answer = self.post(path, {"grade": 4, "reason": "", "milliseconds": 8500, "key": str(uuid4())})
        self.pairs = answer["pairs"] if answer else self.pairs[1:]
