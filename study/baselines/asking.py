"""Requests to a chat server and its replies, as a model makes and reads them; and the file that keeps the replies.

The network itself is study/actions/runs/chat_server.py: a model is given a ChatServer.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

REPLIES = "replies.jsonl"  # in the folder of a run


class ServerFailure(StrEnum):
    """Why a request has no reply that can be read."""

    AWAY = "away"  # no connection, or one that was closed
    SLOW = "slow"
    BUSY = "busy"  # 429
    BROKEN = "broken"  # 5xx
    REJECTED = "rejected"  # 4xx of this request
    MALFORMED = "malformed"  # it is not the JSON of a chat
    TOO_LONG = "too_long"
    KEY = "key"  # 401 and 403
    PAYMENT = "payment"
    UNKNOWN = "unknown"  # 404: no such address or model
    ELSEWHERE = "elsewhere"  # a redirect, which is not followed


@dataclass(frozen=True)
class ChatRequest:
    """One question in one order: `order` has the numbers of the candidates as they are lettered."""

    instance: str
    number: int
    order: tuple[int, ...]
    body: Mapping[str, Any]  # as it is sent

    @cached_property
    def key(self) -> str:
        """Digest of what is asked: a reply belongs to equal requests alone."""
        asked = json.dumps([self.instance, self.number, self.body], sort_keys=True)
        return sha256(asked.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class ChatReply:
    """What came of a request: the `text`, or why there is none. `seconds` are those of the last of the `tries`."""

    text: str = ""
    failure: ServerFailure | None = None
    tries: int = 1
    seconds: float = 0.0
    model: str = ""  # as the server names it
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatServer(Protocol):
    """A server that chats. It keeps each reply in the folder of the run as soon as it has it."""

    address: str

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]: ...


def line_of(request: ChatRequest, reply: ChatReply) -> str:
    """Return a reply as a line of REPLIES, with the order in which the candidates stood."""
    told = {"key": request.key, "id": request.instance, "number": request.number, "order": request.order}
    return json.dumps({**told, **asdict(reply)}, ensure_ascii=False) + "\n"


def replies_in(folder: Path) -> dict[str, ChatReply]:
    """Return the replies that the file of a folder keeps, by key of their request; without the failures.

    The last line of a process that was killed may be half a line.
    """
    if not (path := folder / REPLIES).exists():
        return {}
    return dict(_kept(path.read_text(encoding="utf-8", errors="replace").split("\n")))


def _kept(lines: Iterable[str]) -> Iterator[tuple[str, ChatReply]]:
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if told["failure"] is None:
            yield told["key"], ChatReply(**{name: told[name] for name in ChatReply.__dataclass_fields__})
