"""What an action answers when it does not do what was asked."""

from collections.abc import Mapping
from typing import Self

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.wording import ChoiceError
from annotation.importers.reasons import reason_text
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

    @classmethod
    def by_fields(cls, code: str, wrong: ValidationError, model: type[Model]) -> Self:
        """The refusal of a row that its model does not allow: each field by its name, and what is wrong with it."""
        names = {field.name: field.verbose_name for field in model._meta.fields}
        said = [
            gettext("%(field)s: %(wrong)s") % {"field": names[name], "wrong": " ".join(sentences)}
            for name, sentences in wrong.message_dict.items()
        ]
        return cls(code, " ".join(said))

    def __str__(self) -> str:
        return str(self.message)


def must_be_shown(reason: str, reasons: Mapping[str, str | Promise]) -> None:
    """Raises Refused for a reason that is none of those that a page shows."""
    if reason not in reasons:
        raise Refused("reason_wrong", _("Choose one of the reasons shown."))


class RowsRefused(Refused):
    """Rows of a file were refused, and with them the file: nothing of it was stored. A row without a line stands for a
    file that cannot be read.
    """

    def __init__(self, rows: list[BadRow]) -> None:
        whole = next((row for row in rows if row.line is None), None)
        if whole:
            params = {"file": whole.file, "reason": reason_text(whole.reason)}
            super().__init__("file_refused", _("Nothing was stored of “%(file)s”. %(reason)s.") % params)
        else:
            text = ngettext(
                "Nothing was stored: %(n)s row was refused.", "Nothing was stored: %(n)s rows were refused.", len(rows)
            )
            super().__init__("rows_refused", text % {"n": f"{len(rows):,}"})
        self.rows = rows
