"""Instances without a readable reply, in words: their number stands beside every figure of their run (ADR 33)."""

from django.utils.translation import ngettext


def wrong_in_short(unread: int) -> str:
    """Return how many instances count as wrong, for a table."""
    return ngettext("%(n)s unreadable, counted as wrong", "%(n)s unreadable, counted as wrong", unread) % {
        "n": f"{unread:,}"
    }


def counted_as_wrong(title: str, unread: int, asked: int) -> str:
    """Return the sentence beside a figure in which unread instances are wrong."""
    text = ngettext(
        "%(title)s: %(n)s of %(asked)s instances has no readable reply and counts as wrong.",
        "%(title)s: %(n)s of %(asked)s instances have no readable reply and count as wrong.",
        unread,
    )
    return text % {"title": title, "n": f"{unread:,}", "asked": f"{asked:,}"}
