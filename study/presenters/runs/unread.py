"""Replies of a chat server that cannot be read, in words: they stand beside every figure of their run (ADR 33)."""

from django.utils.translation import ngettext


def wrong_in_short(unread: int) -> str:
    """Return how many instances count as wrong, for a table of models on instances."""
    return ngettext("%(n)s unreadable, counted as wrong", "%(n)s unreadable, counted as wrong", unread) % {
        "n": f"{unread:,}"
    }


def counted_as_wrong(title: str, unread: int, asked: int) -> str:
    """Return the sentence beside a figure over all instances, in which unread ones are wrong."""
    text = ngettext(
        "%(title)s: %(n)s of %(asked)s instances has no readable reply and counts as wrong.",
        "%(title)s: %(n)s of %(asked)s instances have no readable reply and count as wrong.",
        unread,
    )
    return text % {"title": title, "n": f"{unread:,}", "asked": f"{asked:,}"}


def left_out(title: str, unread: int, asked: int) -> str:
    """Return the sentence beside a figure over the questions with a prediction."""
    text = ngettext(
        "%(title)s: %(n)s of %(asked)s questions has no readable reply and is not counted.",
        "%(title)s: %(n)s of %(asked)s questions have no readable reply and are not counted.",
        unread,
    )
    return text % {"title": title, "n": f"{unread:,}", "asked": f"{asked:,}"}


def left_out_in_short(unread: int) -> str:
    text = ngettext(
        "%(n)s question without a readable reply, not counted",
        "%(n)s questions without a readable reply, not counted",
        unread,
    )
    return text % {"n": f"{unread:,}"}
