"""Settings of a project or a study: whole numbers within limits, switches, and the texts that refuse other values."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, ClassVar, Self

from core.domain.wording import ChoiceError, gettext_noop

SPELLINGS = {"on": True, "off": False, "yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True)
class Settings:
    """Frozen dataclass whose whole numbers lie within ``LIMITS``, whose switches are True or False, and each of whose
    ``CHOICES`` is one of the texts named there.

    Raises ChoiceError, which names the allowed values.
    """

    LIMITS: ClassVar[Mapping[str, range]]
    CHOICES: ClassVar[Mapping[str, Collection[str]]] = {}
    UNKNOWN: ClassVar[str]  # a marked sentence with %(setting)s and %(known)s

    def __post_init__(self) -> None:
        for name, allowed in self.LIMITS.items():
            value = getattr(self, name)
            if type(value) is not int or value not in allowed:
                raise ChoiceError(
                    gettext_noop("%(setting)s must be a whole number from %(lowest)d to %(highest)d, not %(value)s."),
                    setting=name,
                    lowest=allowed[0],
                    highest=allowed[-1],
                    value=value,
                )
        for name in self.switches():
            if not isinstance(value := getattr(self, name), bool):
                raise ChoiceError(
                    gettext_noop("%(setting)s must be on or off, not %(value)s."), setting=name, value=value
                )
        for name, choices in self.CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise ChoiceError(
                    gettext_noop("%(setting)s must be one of %(choices)s, not “%(value)s”."),
                    setting=name,
                    choices=", ".join(choices),
                    value=value,
                )

    @classmethod
    @cache  # settings are read several times for each grade
    def switches(cls) -> tuple[str, ...]:
        """Return the names of the settings that are on or off."""
        return tuple(field.name for field in fields(cls) if isinstance(field.default, bool))

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Self:
        """Build settings from stored JSON or from ``key=value`` strings; absent ones keep their default."""
        known = [field.name for field in fields(cls)]
        for name in mapping:
            if name not in known:
                raise ChoiceError(cls.UNKNOWN, setting=name, known=", ".join(known))
        return cls(**{name: cls.spelled(name, value) for name, value in mapping.items()})

    @classmethod
    def stored(cls, mapping: Mapping[str, object]) -> Self:
        """Return the settings of stored JSON. A grade or an answer reads them several times: they are built once."""
        return cls._built(tuple(mapping.items()))

    @classmethod
    @lru_cache(maxsize=256)
    def _built(cls, items: tuple[tuple[str, object], ...]) -> Self:
        return cls.from_mapping(dict(items))

    def as_mapping(self) -> dict[str, Any]:
        """Return a JSON-ready mapping, the inverse of ``from_mapping``."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def spelled(cls, setting: str, value: object) -> Any:
        """Return the value that a string spells; any other value is returned as it is, for the check to refuse."""
        if setting in cls.switches() and isinstance(value, str):
            return SPELLINGS.get(value.strip().lower(), value)
        is_number = setting in cls.LIMITS and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value)
        return int(str(value)) if is_number else value
