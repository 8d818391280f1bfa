"""Messages of the pages that have their next items in them (static/js/core/ahead.js)."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

ONE_AND_SEVERAL = (1, 2)


def words_ahead() -> dict[str, Any]:
    """Return the messages that all of these pages have. Pairs are singular and plural; scripts fill in {braces}."""
    return {
        "saved": _("Saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("{count} to send"),
        "offline": [
            ngettext(
                "You can continue: {count} answer is kept on this device and sent when you are back online.",
                "You can continue: {count} answers are kept on this device and sent when you are back online.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineFull": [
            ngettext(
                "{count} answer is kept on this device and sent when you are back online.",
                "{count} answers are kept on this device and sent when you are back online.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineNone": _("You can continue: what you decide is kept on this device and sent when you are back online."),
        "continueWhen": {
            "unreachable": _("You can continue when the connection is back."),
            "signed-out": _("You can continue once you are signed in."),
            "role-ended": _("You can continue once your role is restored."),
        },
        "onTheWay": _("Loading the next one …"),
        "roleEnded": [
            ngettext(
                "Your {count} answer is kept in this browser; ask a researcher of the project to restore your role.",
                "Your {count} answers are kept in this browser; ask a researcher of the project to restore your role.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "arrived": [ngettext("It has arrived.", "All {count} have arrived.", count) for count in ONE_AND_SEVERAL],
        "refused": _("Not saved: the server no longer has this one. Go on with the next."),
        "skipped": _("Skipped at {time} and left to others."),
        "elsewhere": _("Open in another tab since {time}. Continue there, or take over here."),
    }
