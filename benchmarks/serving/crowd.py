"""People who come at once: each in a thread, the threads in two processes, with one kept connection each."""

import http.client
import importlib
import json
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from typing import Any

from benchmarks.serving.servers import Server

PROCESSES = 2
PATIENCE = 120  # seconds
CSRF = "a" * 32


class Walker:
    """One person with a browser. A task says how they `begin`, what one unit (`step`) is, and how long they `pause`.

    `kept` is what the task compares afterwards with what is stored.
    """

    def __init__(self, port: int, person: dict[str, Any]) -> None:
        self.person = person
        self.size = self.errors = 0
        self.kept: list[Any] = []
        self.led_to = ""  # by the last answer, if it was a redirect
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def begin(self) -> None:
        """Do what comes before the first unit; it is not measured."""

    def step(self) -> None:
        raise NotImplementedError

    def pause(self) -> float:
        """Return the seconds until the next unit; they are not measured. After the last unit they are infinite."""
        return 0

    def post(self, path: str, sent: object) -> Any:
        """Send JSON as the product's scripts do; return the JSON of the answer, None if it was an error."""
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={self.person.get('session', '')}; csrftoken={CSRF}; timezone=Europe/Berlin",
            "X-CSRFToken": CSRF,
            "X-Person": str(self.person.get("person", "")),
        }
        status, body = self.ask(
            "POST", path, json.dumps(sent), {name: value for name, value in headers.items() if value}
        )
        return json.loads(body) if status == http.client.OK else None

    def ask(self, method: str, path: str, sent: str | None, headers: dict[str, str]) -> tuple[int, bytes]:
        try:
            self._connection.request(method, path, sent, headers)
            answer = self._connection.getresponse()
        except ConnectionError:  # the server has closed it for being idle: a browser sends it again
            self._connection.close()
            self._connection.request(method, path, sent, headers)
            answer = self._connection.getresponse()
        body, self.led_to = answer.read(), answer.getheader("Location", "")
        self.size += len(body) + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
        self.errors += answer.status >= http.client.BAD_REQUEST
        return answer.status, body


@dataclass(frozen=True)
class Part:
    """What a crowd did in one round, and what it cost."""

    seconds: float
    milliseconds: list[float] = field(repr=False)
    cpu: float
    database: float
    bytes: int
    errors: int
    megabytes: float
    kept: list[Any] = field(repr=False)

    @property
    def pace(self) -> float:
        return len(self.milliseconds) / self.seconds

    @property
    def p50(self) -> float:
        return statistics.median(self.milliseconds)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.milliseconds, n=20)[-1]

    @property
    def cpu_ms(self) -> float:
        return 1000 * self.cpu / len(self.milliseconds)

    @property
    def database_ms(self) -> float:
        return 1000 * self.database / len(self.milliseconds)

    @property
    def all_ms(self) -> float:
        return self.cpu_ms + self.database_ms

    @property
    def size(self) -> float:
        return self.bytes / len(self.milliseconds)


def crowd(visitor: str, server: Server, people: Sequence[dict[str, Any]], seconds: float) -> Part:
    """Let these people do units for so long. `visitor` names the class of the task: MODULE:CLASS."""
    context = get_context("spawn")
    ready, done = context.Barrier(PROCESSES + 1), context.Queue()
    processes = [
        context.Process(target=_all, args=(visitor, server.port, people[share::PROCESSES], seconds, ready, done))
        for share in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    ready.wait(PATIENCE)
    began, cpu, database = time.monotonic(), server.cpu(), server.database_cpu()
    shares = [done.get(timeout=seconds + PATIENCE) for _process in processes]
    took, cpu, database = time.monotonic() - began, server.cpu() - cpu, server.database_cpu() - database
    for process in processes:
        process.join()
    for *_counted, wrong in shares:
        if wrong:
            raise wrong[0]
    milliseconds, kept = ([each for share in shares for each in share[number]] for number in (0, 3))
    bytes, errors = sum(share[1] for share in shares), sum(share[2] for share in shares)
    return Part(took, milliseconds, cpu, database, bytes, errors, server.megabytes(), kept)


def median(parts: Sequence[Part], what: str) -> float:
    """Return the median of a value of the rounds."""
    return float(statistics.median(getattr(part, what) for part in parts))


def _all(visitor: str, port: int, people: Sequence[dict[str, Any]], seconds: float, ready: Barrier, done: Any) -> None:
    module, _colon, name = visitor.partition(":")
    kind = getattr(importlib.import_module(module), name)
    visitors: list[Walker] = [kind(port, person) for person in people]
    times: list[float] = []
    wrong: list[BaseException] = []
    began = threading.Barrier(len(visitors) + 1)
    goes = threading.Event()

    def work(visitor: Walker) -> None:
        try:
            visitor.begin()
            visitor.size = visitor.errors = 0
        except BaseException as error:
            wrong.append(error)
        began.wait(PATIENCE)
        goes.wait(PATIENCE)
        try:
            until = time.monotonic() + seconds
            while time.monotonic() + (pause := visitor.pause()) < until and not wrong:
                time.sleep(pause)
                before = time.perf_counter()
                visitor.step()
                times.append((time.perf_counter() - before) * 1000)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=[visitor]) for visitor in visitors]
    for thread in threads:
        thread.start()
    began.wait(PATIENCE)
    ready.wait(PATIENCE)
    goes.set()
    for thread in threads:
        thread.join()
    size, errors = sum(each.size for each in visitors), sum(each.errors for each in visitors)
    done.put((times, size, errors, [one for each in visitors for one in each.kept], wrong))
