"""Texts of the script of a survey's page."""

from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

ONE_AND_SEVERAL = (1, 2)


@cache
def words(_language: str | None, *, has_deadline: bool) -> dict[str, Any]:
    """Return the script's texts in the present language, of which each page has all: they are put together once.

    A pair is for one and for several; the script fills in {braces}.
    """
    return {
        **(_until_the_deadline() if has_deadline else _offline()),
        "saved": _("Saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("{count} to send"),
        "title": _("Question {position} of {count}"),
        "answered": _("{answered} of {count} answered"),
        "timeLeft": {
            "minutes": [ngettext("{count} min left", "{count} min left", count) for count in ONE_AND_SEVERAL],
            "seconds": [ngettext("{count} s left", "{count} s left", count) for count in ONE_AND_SEVERAL],
        },
        "lastMinutes": _("The last five minutes have begun."),
        "arrived": [ngettext("It has arrived.", "All {count} have arrived.", count) for count in ONE_AND_SEVERAL],
        "onTheWay": [
            ngettext(
                "{count} answer is still on its way. Keep this page open.",
                "{count} answers are still on their way. Keep this page open.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "pageWaits": _("The next page cannot be reached now. Keep this one open: it continues automatically."),
        "refused": _("Not saved: the server did not accept this answer. Choose again."),
    }


def _offline() -> dict[str, Any]:
    """Return what the script says without a connection."""
    return {
        "offline": [
            ngettext(
                "You can continue: {count} answer is kept on this device and sent when you are back online.",
                "You can continue: {count} answers are kept on this device and sent when you are back online.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineNone": _("You can continue: answers are kept on this device until you are back online."),
    }


def _until_the_deadline() -> dict[str, Any]:
    """Return what the script says without a connection; {by} and {until} are times of this browser."""
    return {
        "offline": [
            ngettext(
                "You can continue: {count} answer is kept on this device. It must arrive by {by} to count in full.",
                "You can continue: {count} answers are kept on this device. They must arrive by {by} to count in full.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineNone": _(
            "You can continue: answers are kept on this device. They must arrive by {by} to count in full."
        ),
        "late": [
            ngettext(
                "Your time is up. {count} answer is kept on this device; until {until} it is accepted as late.",
                "Your time is up. {count} answers are kept on this device; until {until} they are accepted as late.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
    }
