"""Chat servers with the interface of OpenAI: which may be asked, and how one is (docs/adr/0033).

The key of a server comes from the environment when a run begins, goes into one header and nowhere else: no body of an
error is kept, and a reply that repeats the key is kept without it.
"""

import errno
import json
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from study.baselines.asking import REPLIES, ChatReply, ChatRequest, ServerFailure, line_of
from study.baselines.settings import Value

IN_A_ROW = 10  # requests without a reply, after which a run ends
MOST_BYTES = 1_000_000  # of an answer
MOST_CHARACTERS = 64_000  # of a reply
MOST_OF_A_NAME = 200
HEADERS = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds between two tries; each pause is twice the last

TRIED_AGAIN = {ServerFailure.AWAY, ServerFailure.SLOW, ServerFailure.BUSY, ServerFailure.BROKEN}
FINAL = {ServerFailure.KEY, ServerFailure.PAYMENT, ServerFailure.UNKNOWN, ServerFailure.ELSEWHERE}
BY_STATUS = {
    401: ServerFailure.KEY,
    402: ServerFailure.PAYMENT,
    403: ServerFailure.KEY,
    404: ServerFailure.UNKNOWN,
    408: ServerFailure.SLOW,
    429: ServerFailure.BUSY,
}
BY_HUNDREDS = {3: ServerFailure.ELSEWHERE, 4: ServerFailure.REJECTED, 5: ServerFailure.BROKEN}

REASONS = {
    ServerFailure.AWAY: _("The chat server cannot be reached, or it closes the connection. Check that it is running."),
    ServerFailure.SLOW: _("The chat server does not answer in time. Allow more time with the setting “timeout”."),
    ServerFailure.BUSY: _("The chat server is busy, or your limit there is reached. Lower “concurrency”, or wait."),
    ServerFailure.BROKEN: _("The chat server answers with errors of its own (5xx). Try again once it has recovered."),
    ServerFailure.REJECTED: _(
        "The chat server rejects the requests (4xx). Some models do not accept max_tokens: "
        "set “tokens” to 0. Some accept only one “temperature”. A context may be too long."
    ),
    ServerFailure.MALFORMED: _(
        "What the chat server sends is not a chat reply. Check that its address in "
        "CHAT_SERVERS ends correctly, often with /v1."
    ),
    ServerFailure.TOO_LONG: _("The chat server sends far more than an answer. Lower “tokens”, or use another model."),
    ServerFailure.KEY: _(
        "The chat server refused the key, or this key may not use the model. An administrator sets it in the "
        "environment, as CHAT_API_KEY_ and the server's name."
    ),
    ServerFailure.PAYMENT: _("The chat server requires payment first. Top up its account and start the run again."),
    ServerFailure.UNKNOWN: _(
        "The chat server has no such model, or nothing answers at its address (404). Check "
        "the setting “model”, and the address in CHAT_SERVERS."
    ),
    ServerFailure.ELSEWHERE: _(
        "The chat server redirects to another address, which is not followed. Enter that address in CHAT_SERVERS."
    ),
}
REFUSALS = {
    "no_server": _("No chat server is set up here. An administrator names those allowed in CHAT_SERVERS (see README)."),
    "no_server_model": _("Use the setting “model” to choose which of the server's models answers."),
    "odd_key": _(
        "The key of the chat server contains a space or a character that no key has. Set it again and restart."
    ),
    "replies_not_stored": _(
        "The replies could not be stored: the disk is full. Free some space and start the run again."
    ),
    **{f"server_{failure}": sentence for failure, sentence in REASONS.items()},
}


@dataclass(frozen=True)
class ApiKey:
    """A key, which shows itself nowhere."""

    value: str = field(repr=False)

    @classmethod
    def of(cls, server: str) -> "ApiKey":
        """Return the key of a server: none, where the environment has none. Raises Refused."""
        value = os.environ.get(f"CHAT_API_KEY_{server.upper().replace('-', '_')}", "").strip()
        if not (value.isascii() and value.isprintable()) or " " in value:
            raise _refusal("odd_key")
        return cls(value)

    @property
    def header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.value}"} if self.value else {}

    def taken_from(self, text: str) -> str:
        return text.replace(self.value, "…") if self.value else text


def server_named(chosen: Mapping[str, Value]) -> str:
    """Return the name of the server that settings choose. Raises Refused when it may not be asked."""
    if not settings.CHAT_SERVERS:
        raise _refusal("no_server")
    name = str(chosen["server"]) or next(iter(settings.CHAT_SERVERS))
    if name not in settings.CHAT_SERVERS:
        text = _("There is no chat server “%(name)s”. Those set up here: %(known)s.")
        raise Refused("no_server", text % {"name": name, "known": ", ".join(settings.CHAT_SERVERS)})
    if not chosen["model"]:
        raise _refusal("no_server_model")
    return name


def opened(chosen: Mapping[str, Value], folder: Path | None) -> "OpenAiServer":
    """Return the server that settings choose; it keeps replies in the folder, if there is one. Raises Refused."""
    name = server_named(chosen)
    concurrency, timeout, retries = (int(chosen[each] or 0) for each in ("concurrency", "timeout", "retries"))
    return OpenAiServer(settings.CHAT_SERVERS[name], ApiKey.of(name), concurrency, timeout, retries, folder)


def _refusal(code: str) -> Refused:
    return Refused(code, REFUSALS[code])


@dataclass
class OpenAiServer:
    """A server that is asked by POST at `address`/chat/completions, several requests at a time."""

    address: str
    key: ApiKey
    concurrency: int
    timeout: float
    retries: int
    folder: Path | None
    has_answered: bool = False
    in_a_row: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """Return a reply or a failure to each. Raises Refused when the server cannot answer.

        What is under way then is waited for and kept: it may have to be paid.
        """
        replies: dict[str, ChatReply] = {}
        with ThreadPoolExecutor(self.concurrency) as pool:
            try:
                reason = self._gather(pool, requests, replies)
            finally:
                if len(replies) < len(requests):
                    self.ended.set()
        if reason is None and not self.has_answered:
            reason = replies[requests[-1].key].failure
        if reason:
            raise _refusal(f"server_{reason}")
        return [replies[request.key] for request in requests]

    def _gather(
        self, pool: ThreadPoolExecutor, requests: Sequence[ChatRequest], replies: dict[str, ChatReply]
    ) -> ServerFailure | None:
        """Put the replies into `replies` and into the folder; return why the server is asked no further, if so."""
        waiting, reason = iter(requests), None
        under_way: dict[Future[ChatReply], ChatRequest] = {}
        while True:
            while reason is None and len(under_way) < self.concurrency and (request := next(waiting, None)):
                under_way[pool.submit(self._reply_to, request)] = request
            if not under_way:
                return reason
            for done in wait(under_way, return_when=FIRST_COMPLETED).done:
                request, reply = under_way.pop(done), done.result()
                self._keep(request, reply)
                replies[request.key] = reply
                reason = reason or self._reason_to_end(reply)
            if reason:
                self.ended.set()

    def _reason_to_end(self, reply: ChatReply) -> ServerFailure | None:
        self.has_answered = self.has_answered or reply.failure is None
        self.in_a_row = self.in_a_row + 1 if reply.failure else 0
        return reply.failure if reply.failure in FINAL or self.in_a_row >= IN_A_ROW else None

    def _keep(self, request: ChatRequest, reply: ChatReply) -> None:
        """Add a reply to the file; a line that an earlier process left unfinished is ended first."""
        if self.folder is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / REPLIES).open("a+b") as file:
                if file.seek(0, os.SEEK_END):
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":
                        file.write(b"\n")
                file.write(line_of(request, reply).encode())
        except OSError as full:
            if full.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise _refusal("replies_not_stored") from full

    def _reply_to(self, request: ChatRequest) -> ChatReply:
        """Ask until there is a reply, or a failure that will not pass, or all tries are used up."""
        pause, tries = FIRST_PAUSE, 0
        while True:
            began, tries = time.monotonic(), tries + 1
            reply, asked_to_wait = self._try(request)
            seconds = round(time.monotonic() - began, 3)
            if reply.failure not in TRIED_AGAIN or tries > self.retries:
                break
            if self.ended.wait(min(max(pause, asked_to_wait), LONGEST_PAUSE)):
                break
            pause *= 2
        return replace(reply, tries=tries, seconds=seconds)

    def _try(self, request: ChatRequest) -> tuple[ChatReply, float]:
        """Send the request once; return what came, and how long the server wants to be left alone."""
        try:
            status, wait_for, body = self._post(json.dumps(request.body, ensure_ascii=False).encode())
        except TimeoutError:
            return ChatReply(failure=ServerFailure.SLOW), 0
        except (OSError, HTTPException):
            return ChatReply(failure=ServerFailure.AWAY), 0
        if failure := BY_STATUS.get(status) or BY_HUNDREDS.get(status // 100):
            return ChatReply(failure=failure), wait_for
        if len(body) > MOST_BYTES:
            return ChatReply(failure=ServerFailure.TOO_LONG), 0
        return self._read(body), 0

    def _post(self, body: bytes) -> tuple[int, float, bytes]:
        """Return status, Retry-After and the beginning of the answer. Raises OSError, HTTPException.

        A timer cuts the connection: the timeout of a socket starts again with each byte that a slow server sends.
        """
        parts = urlsplit(self.address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout)
        is_late = threading.Event()
        with closing(connection):
            connection.connect()
            timer = threading.Timer(self.timeout, _cut, [connection.sock, is_late])
            timer.daemon = True
            timer.start()
            try:
                connection.request("POST", f"{parts.path}/chat/completions", body, {**HEADERS, **self.key.header})
                with connection.getresponse() as response:
                    answer = response.status, _seconds(response), response.read(MOST_BYTES + 1)
                    if response.status < 300 and response.length and len(answer[2]) <= MOST_BYTES:
                        raise IncompleteRead(answer[2], response.length)  # read(n) itself does not say so
            except (OSError, HTTPException) as cut:
                if is_late.is_set():
                    raise TimeoutError from cut
                raise
            finally:
                timer.cancel()
        if is_late.is_set():
            raise TimeoutError
        return answer

    def _read(self, body: bytes) -> ChatReply:
        try:
            told = json.loads(body)
            text = told["choices"][0]["message"].get("content") or ""
            usage, model = told.get("usage") or {}, told.get("model") or ""
            text, model = self._kept_of(text), one_line(self._kept_of(model))[:MOST_OF_A_NAME]
            counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return ChatReply(failure=ServerFailure.MALFORMED)
        if len(text) > MOST_CHARACTERS:
            return ChatReply(failure=ServerFailure.TOO_LONG)
        return ChatReply(text, model=model, prompt_tokens=counts[0], completion_tokens=counts[1])

    def _kept_of(self, text: str) -> str:
        return normalise(self.key.taken_from(text))


def _cut(sock: socket.socket, is_late: threading.Event) -> None:
    """End a connection on which another thread waits; the socket's own method, as that of TLS is not for this."""
    is_late.set()
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _seconds(response: HTTPResponse) -> float:
    """Return Retry-After in seconds; 0 where there is none, or a date."""
    told = response.getheader("Retry-After", "")
    return float(told) if told.isascii() and told.isdigit() else 0.0


def _count(told: Any) -> int | None:
    return told if isinstance(told, int) and not isinstance(told, bool) and told >= 0 else None
