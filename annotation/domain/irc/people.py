"""The users of a channel and what each said lately."""

from dataclasses import dataclass, field
from typing import Self

from annotation.domain.irc.recipients import key_of


@dataclass(slots=True, eq=False)
class Utterance:
    """One message: when (seconds from 1970, UTC), by whom, what, and to whom (None: to all).

    `order` is its number in the channel, `line` its place in the source. `fate` is what became of it so far.
    """

    order: int
    at: int
    sender: "ChannelUser"
    to: "ChannelUser | None"
    text: str
    line: str = ""
    fate: str = ""


@dataclass(slots=True, eq=False)
class ChannelUser:
    """One user under whatever name, with their messages of about a day; `forgotten` counts the earlier ones."""

    key: str
    messages: list[Utterance] = field(default_factory=list)
    forgotten: int = 0

    @property
    def said(self) -> int:
        """How many messages there were in all."""
        return self.forgotten + len(self.messages)

    def since(self, number: int) -> list[Utterance]:
        """Return the messages from this one on, counted from 0 over all."""
        return self.messages[number - self.forgotten :]

    def first_after(self, order: int) -> int:
        """Return the number of the first message after a place in the channel."""
        number = self.said
        while number > self.forgotten and self.messages[number - self.forgotten - 1].order > order:
            number -= 1
        return number

    def forget_before(self, moment: int) -> None:
        old = next((place for place, message in enumerate(self.messages) if message.at >= moment), len(self.messages))
        if old:
            del self.messages[:old]
            self.forgotten += old


class ChannelUsers:
    """The users of a channel by the names that they have and had."""

    def __init__(self) -> None:
        self._by_key: dict[str, ChannelUser] = {}

    def sender(self, name: str) -> ChannelUser:
        """Return who has the name now; a user of that name who has taken another since is a different one."""
        key = key_of(name)
        user = self._by_key.get(key)
        if user is None or user.key != key:
            user = self._by_key[key] = ChannelUser(key)
        return user

    def recipient(self, key: str) -> ChannelUser:
        """Return who has or had the name."""
        return self._by_key.get(key) or self._by_key.setdefault(key, ChannelUser(key))

    def rename(self, old: str, new: str) -> None:
        user = self.sender(old)
        user.key = key_of(new)
        self._by_key[user.key] = user

    def forget_before(self, moment: int) -> Self:
        """Forget messages, and the users who said nothing since."""
        for user in set(self._by_key.values()):
            user.forget_before(moment)
        self._by_key = {key: user for key, user in self._by_key.items() if user.messages}
        return self
