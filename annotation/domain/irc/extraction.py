"""Dialogues of two people from the messages of one channel, in one pass in order of time.

A message to a user who is in no dialogue with its sender is a first response: the recipient's most recent message
within three minutes is the initial question, and the two begin a dialogue. What they say to each other later belongs to
it, over days, until both are silent for a day. So each answerer of one question has a dialogue of their own.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from annotation.domain.corpora.ledger import FEWEST_TURNS, JOINED, KEPT, SHORT, ImportLedger
from annotation.domain.irc.people import ChannelUser, ChannelUsers, Utterance

QUESTION_WITHIN = 180  # seconds before the first response
SILENCE = 24 * 3600  # seconds after which a dialogue has ended, so that memory does not grow with the log
MOST_UTTERANCES = 2_000  # of one dialogue, for the same reason
ONE_SIDED_FROM = 6  # utterances: shorter dialogues may be one-sided
LARGEST_SHARE = 0.8  # of the utterances by one user
LONGEST_TURN = 20_000  # characters
RULES = {
    "question_within_seconds": QUESTION_WITHIN,
    "silence_seconds": SILENCE,
    "fewest_turns": FEWEST_TURNS,
    "one_sided_from_utterances": ONE_SIDED_FROM,
    "largest_share": LARGEST_SHARE,
}

LONG_TURN, ONE_SIDED, NO_QUESTION, UNADDRESSED = "turn_too_long", "one_sided", "no_question", "unaddressed"
FATES = (KEPT, JOINED, LONG_TURN, ONE_SIDED, SHORT, NO_QUESTION, UNADDRESSED)  # the best first


@dataclass(frozen=True, slots=True)
class ExtractedDialogue:
    """A dialogue that has ended: its utterances in order, and the rule that drops it ("" where none does)."""

    question: Utterance
    answerer: ChannelUser
    utterances: list[Utterance]
    dropped: str

    @property
    def turns(self) -> list[list[Utterance]]:
        """The utterances, those of one user in a row together."""
        return [list(turn) for _user, turn in groupby(self.utterances, key=_sender)]

    @property
    def replies(self) -> Iterator[tuple[Utterance, Utterance]]:
        """Each utterance after the first with the one that it answers or continues: the one before it."""
        return ((reply, before) for before, reply in pairwise(self.utterances))


@dataclass(slots=True, eq=False)
class _OpenDialogue:
    """A dialogue that may go on: what is said to each other, and to no one while a user talks to no one else."""

    question: Utterance
    answerer: ChannelUser
    utterances: list[Utterance]
    fillers: dict[ChannelUser, list[Utterance] | None]
    looked_at: dict[ChannelUser, int]
    last: int = 0

    def add(self, message: Utterance) -> None:
        """Add a message of one to the other, and fill holes with what the two said since the last one."""
        self.utterances.append(message)
        self.last = message.at
        for user, other in ((self.question.sender, self.answerer), (self.answerer, self.question.sender)):
            self._look_at(user, other)

    def _look_at(self, user: ChannelUser, other: ChannelUser) -> None:
        filler = self.fillers[user]
        if filler is None:
            return
        for said in user.since(self.looked_at[user])[:MOST_UTTERANCES]:
            if said.to is None:
                filler.append(said)
            elif said.to is not other:
                self.fillers[user] = None
                return
        self.looked_at[user] = user.said

    @property
    def length(self) -> int:
        return len(self.utterances) + sum(len(filler or ()) for filler in self.fillers.values())

    def ended(self) -> ExtractedDialogue:
        filled = [message for filler in self.fillers.values() for message in filler or ()]
        utterances = sorted([*self.utterances, *filled], key=lambda message: message.order)
        return ExtractedDialogue(self.question, self.answerer, utterances, _dropped(utterances))


def _dropped(utterances: list[Utterance]) -> str:
    """Return the rule that drops a dialogue, or an empty text."""
    loudest = max(Counter(map(_sender, utterances)).values())
    if len(utterances) >= ONE_SIDED_FROM and loudest > LARGEST_SHARE * len(utterances):
        return ONE_SIDED
    turns = [sum(len(said.text) + 1 for said in turn) for _user, turn in groupby(utterances, key=_sender)]
    if len(turns) < FEWEST_TURNS:
        return SHORT
    return LONG_TURN if max(turns) > LONGEST_TURN else ""


def _sender(message: Utterance) -> ChannelUser:
    return message.sender


@dataclass
class Extraction:
    """The state of one channel. Every message is in one count of the ledger at any time, the best it came to so far."""

    ledger: ImportLedger
    users: ChannelUsers = field(default_factory=ChannelUsers)
    _open: OrderedDict[frozenset[ChannelUser], _OpenDialogue] = field(default_factory=OrderedDict)
    _messages: int = 0

    def take(self, at: int, sender: str, recipient: str, text: str, line: str = "") -> Iterator[ExtractedDialogue]:
        """Take the next message, to the user with this key or to all; yield the dialogues that have ended."""
        yield from self._ended_before(at - SILENCE)
        user = self.users.sender(sender)
        other = self.users.recipient(recipient) if recipient else None
        message = Utterance(self._messages, at, user, None if other is user else other, text, line)
        self._messages += 1
        user.messages.append(message)
        if message.to is None:
            self._move(message, UNADDRESSED)
        else:
            yield from self._say(message, message.to)

    def end_day(self, at: int) -> None:
        """Forget what is too old to matter."""
        self.users.forget_before(at - SILENCE)

    def end(self) -> Iterator[ExtractedDialogue]:
        """Yield the dialogues that are left at the end of the log."""
        while self._open:
            yield self._end_of(self._open.popitem(last=False)[1])

    def _ended_before(self, moment: int) -> Iterator[ExtractedDialogue]:
        while self._open and next(iter(self._open.values())).last < moment:
            yield self._end_of(self._open.popitem(last=False)[1])

    def _say(self, message: Utterance, other: ChannelUser) -> Iterator[ExtractedDialogue]:
        pair = frozenset((message.sender, other))
        dialogue = self._open.get(pair) or self._begun(message, other)
        if dialogue is None:
            self._move(message, NO_QUESTION)
            return
        dialogue.add(message)
        self._open[pair] = dialogue
        self._open.move_to_end(pair)
        if dialogue.length >= MOST_UTTERANCES:
            yield self._end_of(self._open.pop(pair))

    def _begun(self, response: Utterance, asker: ChannelUser) -> _OpenDialogue | None:
        """Return the dialogue that a first response begins; None without a question within three minutes."""
        question = asker.messages[-1] if asker.messages else None
        if question is None or response.at - question.at > QUESTION_WITHIN:
            return None
        answerer = response.sender
        looked_at = {user: user.first_after(question.order) for user in (asker, answerer)}
        return _OpenDialogue(question, answerer, [question], {asker: [], answerer: []}, looked_at)

    def _end_of(self, dialogue: _OpenDialogue) -> ExtractedDialogue:
        ended = dialogue.ended()
        for turn in ended.turns:
            for place, message in enumerate(turn):
                self._move(message, ended.dropped or (JOINED if place else KEPT))
        return ended

    def _move(self, message: Utterance, fate: str) -> None:
        message.fate = self.ledger.move(message.fate, fate, FATES)
