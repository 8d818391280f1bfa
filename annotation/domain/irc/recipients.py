"""The recipient of a message: its first word, where that is the name of a user."""

import re
from collections.abc import Collection

from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.irc.common_words import COMMON_WORDS
from core.domain.text import normalise

MOST_NAMES = 200_000  # beyond it the names unseen for longest are forgotten, so that memory does not grow with the log
MENTION = re.compile(r"([\w\[\]\\`^{}|-]+)")
SHORTEST_MENTION = 3  # characters
USER = "@user"
BEFORE, AFTER = "@(", ":,;.!?>)-"  # marks around a name that is spoken to


def key_of(name: str) -> str:
    """Return the name as users are told apart by it: without case."""
    return name.lower()


class SeenNames:
    """The names of users of this day and of earlier ones."""

    def __init__(self) -> None:
        self._keys: dict[str, None] = {}

    def see(self, name: str) -> None:
        key = key_of(name)
        self._keys.pop(key, None)
        self._keys[key] = None
        if len(self._keys) > MOST_NAMES:
            del self._keys[next(iter(self._keys))]

    def recipient_of(self, text: str, sender: str) -> tuple[str, str]:
        """Return the key of the recipient and what is said to them; an empty key and the whole text without one.

        A very common English word is no recipient, nor is the sender.
        """
        word, _blank, rest = text.partition(" ")
        key = self._known(key_of(word))
        if not key or key == key_of(sender):
            return "", text
        return key, normalise(rest.lstrip(f" {AFTER}")) or text

    def without_mentions(self, text: str, people: Collection[str], ledger: ImportLedger) -> str:
        """Return the text with @user in place of names, and count them.

        These are the keys in `people`, and names that have more than letters: kestrel_ is a name wherever it occurs,
        while a user may be called linux.
        """
        mentions = {key for key in MENTION.findall(key_of(text)) if key in people or key in self._keys}
        mentions = {key for key in mentions if key not in COMMON_WORDS and (key in people or _is_unlike_a_word(key))}
        if not mentions:
            return text
        words = MENTION.split(text)
        places = [place for place, word in enumerate(words) if key_of(word) in mentions]
        start = sum(map(len, words[: places[0]]))
        ledger.replace("user", len(places), text, (start, start + len(words[places[0]])), USER)
        for place in places:
            words[place] = USER
        return "".join(words)

    def _known(self, word: str) -> str:
        for key in (word, word.lstrip(BEFORE).rstrip(AFTER)):
            if key in self._keys:
                return "" if key in COMMON_WORDS else key
        return ""


def _is_unlike_a_word(key: str) -> bool:
    return len(key) >= SHORTEST_MENTION and not key.isalpha()
