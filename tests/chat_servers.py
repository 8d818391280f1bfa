"""Chat servers for tests: one that is given to a model, and one over HTTP that answers as a test tells it."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from study.baselines.asking import ChatReply, ChatRequest


def options_in(prompt: str) -> dict[str, str]:
    """Return the options of a prompt by letter."""
    lines = (line.partition(". ") for line in prompt.split("\n") if line[1:3] == ". ")
    return {letter: text for letter, _dot, text in lines}


def longest(prompt: str) -> str:
    """Choose the longest option, of equally long ones the first by text."""
    options = options_in(prompt)
    return min(options, key=lambda letter: (-len(options[letter]), options[letter]), default="?")


class LongestOption:
    """A server without a network, that chooses the longest option."""

    address = "http://nowhere"

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [ChatReply(longest(request.body["messages"][0]["content"])) for request in requests]


@dataclass(frozen=True)
class Received:
    """One request as the server got it, and how many like it came before."""

    body: dict[str, Any]
    key: str
    path: str
    number: int

    @property
    def prompt(self) -> str:
        text: str = self.body["messages"][0]["content"]
        return text


@dataclass
class ServerAnswer:
    """What the server sends: `text` makes the answer of a chat, unless `body` is given; `cut` closes the connection."""

    text: str = "A"
    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    half: bool = False  # sends half of what it promises, then closes the connection
    until: threading.Event | None = None  # before it sends anything
    drip: bool = False  # sends a byte at a time until then

    def to_bytes(self) -> bytes:
        if self.body is not None:
            return self.body
        usage = {"prompt_tokens": 100, "completion_tokens": 2}
        told = {"model": "tested-1", "choices": [{"message": {"content": self.text}}], "usage": usage}
        return json.dumps(told).encode()


@dataclass
class ListeningServer:
    address: str
    received: list[Received] = field(default_factory=list)


@contextmanager
def listening(answer: Callable[[Received], ServerAnswer]) -> Iterator[ListeningServer]:
    """Run a server that answers each request as `answer` says."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            with lock:
                before = sum(each.body == body for each in server.received)
                received = Received(body, key, self.path, before)
                server.received.append(received)
            self._send(answer(received))

        def _send(self, answered: ServerAnswer) -> None:
            if answered.cut:
                self.close_connection = True
                return
            if answered.until and not answered.drip:
                answered.until.wait()
            body = answered.to_bytes()
            try:
                self.send_response(answered.status)
                for name, value in answered.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                while answered.drip and answered.until and not answered.until.wait(0.05):
                    self.wfile.write(b" ")
                self.wfile.write(body[: len(body) // 2] if answered.half else body)
                self.close_connection = answered.half or self.close_connection
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    house = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    house.daemon_threads = True
    server = ListeningServer(f"http://127.0.0.1:{house.server_port}/v1")
    thread = threading.Thread(target=house.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        house.shutdown()
        house.server_close()
        thread.join()
