"""Refusals: what an action raises when it does not do what was asked."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, Self, TypedDict

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from core.domain.wording import ChoiceError


class RefusedLine(TypedDict):
    """A refused row of a file, as `--json` prints it; without a line the whole file was refused.

    In a JSON array `record` counts the entries from 1, and `dialogue` is the id of the entry.
    """

    file: str
    line: int | None
    code: str
    reason: str
    record: NotRequired[int]
    dialogue: NotRequired[str]


class Refused(Exception):
    """Refusal of an action. `message` tells the user what happened and what to do; `code` is stable.

    `field` names the one input that is wrong, if it is only one: the page points to it. `lines` are the refused rows of
    a file; None when the refusal is not about a file.
    """

    lines: Sequence[RefusedLine] | None = None

    def __init__(self, code: str, message: str | Promise, *, field: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.field = field

    @classmethod
    def by_rule(cls, code: str, wrong: ChoiceError) -> Self:
        """Build the refusal of a value that the rules do not allow."""
        return cls(code, gettext(wrong.sentence) % wrong.params)

    @classmethod
    def by_fields(cls, code: str, wrong: ValidationError, model: type[Model]) -> Self:
        """Build the refusal of a row that its model does not allow: the name of each wrong field and its error."""
        names = {field.name: field.verbose_name for field in model._meta.fields}
        said = [
            gettext("%(field)s: %(wrong)s") % {"field": names[name], "wrong": sentence_space().join(sentences)}
            for name, sentences in wrong.message_dict.items()
        ]
        return cls(code, sentence_space().join(said))

    def __str__(self) -> str:
        return str(self.message)


def sentence_space() -> str:
    """Return the separator of two sentences: a space, or nothing in Chinese."""
    return "" if get_language() == "zh-hans" else " "


def must_be_shown(reason: str, reasons: Mapping[str, str | Promise]) -> None:
    """Refuse a reason that the page does not offer. Raises Refused."""
    if reason not in reasons:
        raise Refused("reason_wrong", _("Choose one of the reasons shown."))
