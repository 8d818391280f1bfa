"""What the page of a corpus shows of its import: the sum of the ledger, and each rule with what it concerned."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.models import Corpus

DROPPED = {
    "refused": _("refused, with an error"),
    "notice": _("people joining, leaving or changing names"),
    "action": _("actions instead of words"),
    "blank": _("empty"),
    "unreadable": _("neither a message nor a notice"),
    "unknown_encoding": _("in an unknown encoding"),
    "too_long": _("too long"),
    "in_two_logs": _("in another log of the same day"),
    "unaddressed": _("addressed to no one, in no dialogue"),
    "no_question": _("no question within three minutes"),
    "under_three_turns": _("dialogue under three turns"),
    "one_sided": _("one person says over 80 %"),
    "turn_too_long": _("dialogue with a turn that is too long"),
    "repost": _("reposts of what others wrote"),
    "third_person": _("after a third person joined"),
    "reply_cycle": _("replies that lead back to themselves"),
    "false_response": _("responses that were drawn"),
    "refused_context": _("other responses to a context of which one was refused"),
    "not_one_right": _("responses to a context of which none or several are right"),
    "pruned": _("left out by a person"),
}
CHANGED = {
    "user": _("user names"),
    "name": _("personal names"),
    "email": _("e-mail addresses"),
    "url": _("web addresses"),
    "ip": _("IP addresses"),
    "address": _("street addresses"),
    "phone": _("telephone numbers"),
    "path": _("file paths"),
    "control_codes": _("lines without their control codes"),
    "other_encoding": _("lines in another encoding than most"),
    "html_entities": _("texts with characters in place of HTML entities"),
    "clock_ran_back": _("times that run backwards, set to the time above"),
    "parent_missing": _("tweets whose parent is missing, treated as a beginning"),
    "edited": _("dialogues edited by a person"),
    "cleared": _("dialogues cleared of their flag by a person"),
}


@dataclass(frozen=True)
class LedgerRow:
    name: Any
    number: int


@dataclass(frozen=True)
class LedgerTable:
    """The sum read = kept + joined + dropped, what was dropped by reason and changed by rule, the largest first."""

    read: int
    kept: int
    joined: int
    dropped: list[LedgerRow]
    changed: list[LedgerRow]
    files_not_read: int = 0

    @property
    def all_dropped(self) -> int:
        return sum(row.number for row in self.dropped)


def ledger_of(corpus: Corpus) -> LedgerTable | None:
    """Return the ledger of an import; None for a corpus that was imported before there were ledgers."""
    return ledger_table(corpus.ledger) if corpus.ledger else None


def ledger_table(ledger: dict[str, Any]) -> LedgerTable:
    return LedgerTable(
        ledger["read"],
        ledger["kept"],
        ledger["joined"],
        _rows(ledger["dropped"], DROPPED),
        _rows(ledger["changed"], CHANGED),
        ledger.get("files_not_read", 0),
    )


def _rows(counts: dict[str, int], names: dict[str, Any]) -> list[LedgerRow]:
    return [LedgerRow(names[code], number) for code, number in sorted(counts.items(), key=lambda row: -row[1])]


def left_kinds_of(corpus: Corpus) -> list[Any]:
    """Return the kinds of names and addresses that the import left as they were, in words."""
    return [CHANGED[kind] for kind in corpus.recipe.get("leave", [])]
