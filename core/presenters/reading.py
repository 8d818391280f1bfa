"""What the page of text size and own keys tells its script (static/js/account/reading.js)."""

from typing import Any

from django.utils.translation import gettext as _

from core.forms.keys import NO_LETTER, TAKEN, KeysForm


def page_state(form: KeysForm) -> dict[str, Any]:
    return {"stored": form.stored(), "words": _words()}


def _words() -> dict[str, str]:
    return {
        "press": _("Press a key …"),
        "keep": _("keep {key}"),
        "noLetter": str(NO_LETTER),
        "taken": str(TAKEN),
        "oneUnsaved": _("One change is not saved."),
        "unsaved": _("{count} changes are not saved."),
        "oneToMend": _("One change is not saved: {what} needs another key."),
        "toMend": _("{count} changes are not saved: {what} needs another key."),
    }
