"""The recipient of a message: its first word, where that is the name of a user."""

from annotation.domain.irc.common_words import COMMON_WORDS

MOST_NAMES = 200_000  # beyond it the names unseen for longest are forgotten, so that memory does not grow with the log
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
        return key, rest.lstrip(f" {AFTER}") or text

    def _known(self, word: str) -> str:
        for key in (word, word.lstrip(BEFORE).rstrip(AFTER)):
            if key in self._keys:
                return "" if key in COMMON_WORDS else key
        return ""
