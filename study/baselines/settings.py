"""Settings that a model declares, and the values that they take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from core.domain.settings import SPELLINGS
from core.domain.text import one_line
from core.domain.wording import ChoiceError, gettext_noop

Value = int | float | bool | str | None

UNKNOWN = gettext_noop("There is no setting %(setting)s. Settings of this model: %(known)s.")
NO_SETTINGS = gettext_noop("There is no setting %(setting)s: this model has none.")
OUTSIDE = gettext_noop("%(setting)s must be a number from %(least)s to %(most)s, not %(value)s.")
NOT_WHOLE = gettext_noop("%(setting)s must be a whole number from %(least)s to %(most)s, not %(value)s.")
NO_OPTION = gettext_noop("%(setting)s must be one of %(options)s, not %(value)s.")
NO_TEXT = gettext_noop("%(setting)s must be one line of text, of at most %(most)s characters.")
NO_SWITCH = gettext_noop("%(setting)s must be on or off, not %(value)s.")
ON_DEV = "dev"  # how a value that is to be chosen on dev is spelled


@dataclass(frozen=True)
class Setting:
    """A setting: a number from `least` to `most`, one of `options`, a switch, or a text of up to `most` characters.

    A default of None is chosen on dev; `without_dev` is what it is where there is no dev. The type of the values is
    that of the default, or of `without_dev`.
    """

    name: str
    default: Value
    help: str  # what it does, in a sentence (marked for translation)
    least: float = 0
    most: float = 1
    options: tuple[str, ...] = ()
    without_dev: Value = None

    @property
    def is_chosen_on_dev(self) -> bool:
        return self.default is None

    @property
    def is_text(self) -> bool:
        return isinstance(self.default, str) and not self.options

    def read(self, value: object) -> Value:
        """Return the value that was stored or spelled. Raises ChoiceError."""
        if self.is_chosen_on_dev and value in (None, ON_DEV):
            return None
        example = self.without_dev if self.is_chosen_on_dev else self.default
        if isinstance(example, bool):
            return self._switch(value)
        if self.is_text:
            return self._text(value)
        return self._option(value) if isinstance(example, str) else self._number(value, whole=isinstance(example, int))

    def _switch(self, value: object) -> bool:
        read = SPELLINGS.get(value.strip().lower()) if isinstance(value, str) else value
        if not isinstance(read, bool):
            raise ChoiceError(NO_SWITCH, setting=self.name, value=value)
        return read

    def _text(self, value: object) -> str:
        if not isinstance(value, str) or one_line(value) != value.strip() or len(value.strip()) > self.most:
            raise ChoiceError(NO_TEXT, setting=self.name, most=f"{self.most:g}")
        return value.strip()

    def _option(self, value: object) -> str:
        if value not in self.options:
            raise ChoiceError(NO_OPTION, setting=self.name, options=", ".join(self.options), value=value)
        return str(value)

    def _number(self, value: object, *, whole: bool) -> int | float:
        sentence = NOT_WHOLE if whole else OUTSIDE
        refusal = ChoiceError(sentence, setting=self.name, least=f"{self.least:g}", most=f"{self.most:g}", value=value)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise refusal
        try:
            read = int(value) if whole and isinstance(value, str) else float(value)
        except ValueError:
            raise refusal from None
        if not isfinite(read) or not self.least <= read <= self.most or (whole and read != int(read)):
            raise refusal
        return int(read) if whole else read


def completed(declared: Sequence[Setting], given: Mapping[str, object]) -> dict[str, Value]:
    """Return the value of every declared setting: the given one or the default. Raises ChoiceError."""
    known = {setting.name: setting for setting in declared}
    for name in given:
        if name not in known:
            raise ChoiceError(UNKNOWN if known else NO_SETTINGS, setting=name, known=", ".join(known))
    return {name: setting.read(given.get(name, setting.default)) for name, setting in known.items()}
