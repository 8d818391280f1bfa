"""Any language model behind a server with the chat interface of OpenAI: it is asked to choose."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.draws import uniforms
from core.domain.statistics import wilson
from core.domain.wording import gettext_noop
from study.baselines.asking import REPLIES, ChatReply, ChatRequest, line_of, replies_in
from study.baselines.base import (
    Baseline,
    Cost,
    LearningProgress,
    RankingInstance,
    Requirement,
    SeesCandidates,
    unreported,
)
from study.baselines.chat_prompts import PROMPTS, option_in, prompt_for
from study.baselines.settings import Setting

MILLION = 1_000_000
PERCENTILES = (50, 95)


class Chat(Baseline):
    """Model that is asked each instance in several orders; a candidate's score is the share of replies that choose it.

    - The orders are rotations of a drawn one, so that no candidate stands in the same place twice until each has stood
      everywhere; after that another order is drawn. They follow from the texts, not from the order given.
    - Replies that choose nothing are no votes. Where no reply of an instance can be read it has no scores.
    - Equal candidates share their votes; a candidate without others is not asked about.
    - The figures of equal replies are equal; whether a server gives equal replies twice is its own affair.
    """

    key = "chat"
    title = gettext_noop("Chat server")
    family = "outside"
    about = gettext_noop(
        "A language model behind a server with the chat interface of OpenAI is asked which candidate is the best next "
        "turn, in several orders of the candidates. The score is the share of its replies that choose the candidate."
    )
    needs = frozenset({Requirement.SERVER})
    sees = SeesCandidates.ALL
    batch = 50
    cost = Cost(training=0, scoring=2, megabytes=10)
    declares = (
        Setting("server", "", gettext_noop("The server, by its name in CHAT_SERVERS; empty: the first one."), most=40),
        Setting("model", "", gettext_noop("The model's name on the server."), most=200),
        Setting("prompt", "en-1", gettext_noop("Version of the prompt."), options=tuple(PROMPTS)),
        Setting(
            "orders",
            3,
            gettext_noop("In how many different orders the candidates of each question are presented."),
            1,
            24,
        ),
        Setting("temperature", 0.0, gettext_noop("How randomly the model chooses words: 0 is hardly at all."), 0, 2),
        Setting("tokens", 64, gettext_noop("Maximum tokens of a reply, as max_tokens; 0: not sent."), 0, 32_000),
        Setting("concurrency", 4, gettext_noop("Number of parallel requests."), 1, 32),
        Setting("timeout", 60, gettext_noop("Maximum seconds to wait for a reply."), 1, 600),
        Setting("retries", 4, gettext_noop("How often a busy, failing or silent server is retried."), 0, 10),
        Setting("price_in", 0.0, gettext_noop("Price of a million tokens of prompts; 0: not specified."), 0, 10_000),
        Setting("price_out", 0.0, gettext_noop("Price of a million tokens of replies; 0: not specified."), 0, 10_000),
    )

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        """Learn nothing; take up the replies that an earlier process has left."""
        self.replies: dict[str, ChatReply] = replies_in(checkpoints) if checkpoints else {}
        self.requests: dict[str, ChatRequest] = {}
        prompt = PROMPTS[str(self.settings["prompt"])]
        self.learned = {"prompt_text": prompt.text, "prompt_alone": prompt.alone}

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        self._ask(request for instance in instances for request in self._requests_of(instance))
        return [self._scores_of(instance) for instance in instances]

    def save(self, folder: Path) -> None:
        lines = (line_of(request, self.replies[key]) for key, request in self.requests.items())
        (folder / REPLIES).write_text("".join(lines), encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Read the replies: what was answered is not asked again."""
        self.fit((), checkpoints=folder)

    def figures(self, instances: Sequence[RankingInstance]) -> dict[str, Any]:
        """Return how many replies could not be read, and the share of instances with the same choice in all orders.

        The share is over the instances of which every reply was read (`n`); with one order there is none.
        """
        asked = [instance for instance in instances if len(instance.candidates) > 1]
        choices = [self._choices_of(instance) for instance in asked]
        replies = [self.replies[request.key] for instance in asked for request in self._requests_of(instance)]
        read = sum(choice is not None for each in choices for choice in each)
        failed = sum(reply.failure is not None for reply in replies)
        return {
            "replies": {"asked": len(replies), "unreadable": len(replies) - failed - read, "failed": failed},
            "consistency": _consistency([each for each in choices if len(each) > 1 and None not in each]),
        }

    def expenses(self) -> dict[str, Any]:
        replies = [self.replies[key] for key in self.requests]
        seconds = [reply.seconds for reply in replies if reply.failure is None]
        told = {
            "server": self.server.address if self.server else "",
            "models": sorted({reply.model for reply in replies} - {""}),
            "requests": len(replies),
            "tries": sum(reply.tries for reply in replies),
            "latency": {f"p{q}": round(float(np.percentile(seconds, q)), 3) for q in PERCENTILES} if seconds else None,
            **self._spent([reply for reply in replies if reply.failure is None]),
        }
        return {"asking": told}

    def _requests_of(self, instance: RankingInstance) -> list[ChatRequest]:
        if len(instance.candidates) < 2:
            return []
        return [self._request(instance, number) for number in range(int(self.number("orders")))]

    def _request(self, instance: RankingInstance, number: int) -> ChatRequest:
        order = self._order(instance, number)
        content = prompt_for(instance, order, str(self.settings["prompt"]))
        body: dict[str, Any] = {
            "model": self.settings["model"],
            "messages": [{"role": "user", "content": content}],
            "temperature": self.settings["temperature"],
        }
        if tokens := self.settings["tokens"]:
            body["max_tokens"] = tokens
        return ChatRequest(instance.id, number, order, body)

    def _order(self, instance: RankingInstance, number: int) -> tuple[int, ...]:
        drawn, turn = divmod(number, len(instance.candidates))
        draws = [uniforms(self.seed, "chat order", str(drawn), instance.id, text)[0] for text in instance.candidates]
        order = sorted(range(len(draws)), key=draws.__getitem__)
        return (*order[turn:], *order[:turn])

    def _ask(self, requests: Iterable[ChatRequest]) -> None:
        wanted = {request.key: request for request in requests}
        self.requests |= wanted
        missing = [request for key, request in wanted.items() if key not in self.replies]
        if missing:
            assert self.server is not None
            replies = self.server.ask(missing)
            self.replies |= {request.key: reply for request, reply in zip(missing, replies, strict=True)}

    def _choices_of(self, instance: RankingInstance) -> list[str | None]:
        """Return the text that is chosen in each order; None where no choice can be read."""
        choices: list[str | None] = []
        for request in self._requests_of(instance):
            reply, options = self.replies[request.key], [instance.candidates[number] for number in request.order]
            option = option_in(reply.text, options) if reply.failure is None else None
            choices.append(None if option is None else options[option])
        return choices

    def _scores_of(self, instance: RankingInstance) -> list[float]:
        if len(instance.candidates) < 2:
            return [1.0] * len(instance.candidates)
        votes = Counter(choice for choice in self._choices_of(instance) if choice is not None)
        return [votes[text] / votes.total() for text in instance.candidates] if votes else []

    def _spent(self, replies: Sequence[ChatReply]) -> dict[str, Any]:
        """Return tokens and cost, None where the server does not count them or the prices are not told."""
        tokens = {
            "prompt": _total([reply.prompt_tokens for reply in replies]),
            "completion": _total([reply.completion_tokens for reply in replies]),
        }
        prices = {"prompt": self.number("price_in"), "completion": self.number("price_out")}
        parts = [count * prices[name] for name, count in tokens.items() if count is not None]
        is_told = len(parts) == len(tokens) and any(prices.values())
        return {"tokens": tokens, "cost": fsum(parts) / MILLION if is_told else None}


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _consistency(choices: Sequence[Sequence[str | None]]) -> dict[str, Any]:
    same = sum(len(set(each)) == 1 for each in choices)
    interval = wilson(same, len(choices)) if choices else None
    return {"n": len(choices), "same": same, "share": same / len(choices) if choices else None, "ci": interval}
