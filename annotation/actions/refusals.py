"""What an action answers when it does not do what was asked."""

from typing import Self

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.wording import ChoiceError
from annotation.importers.rows import BadRow


class Refused(Exception):
    """An action declined. `message` says, in the reader's language, what happened and what to do; `code` is stable.

    `field` is what was given that it is about, where it is about one thing: a page points to it.
    """

    def __init__(self, code: str, message: str | Promise, *, field: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.field = field

    @classmethod
    def by_rule(cls, code: str, wrong: ChoiceError) -> Self:
        """The refusal of a value that the rules do not allow."""
        return cls(code, gettext(wrong.sentence) % wrong.params)

    def __str__(self) -> str:
        return str(self.message)


class RowsRefused(Refused):
    """Rows of a file were refused, and with them the file: nothing of it was stored."""

    def __init__(self, rows: list[BadRow]) -> None:
        super().__init__("rows_refused", _("Nothing was stored: some rows were refused."))
        self.rows = rows
