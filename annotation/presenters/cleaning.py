"""Context of the cleaning page for its template and its script."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.cleaning.cleaning import CleaningVerdict, around_marks, cut_up
from annotation.forms.cleaning import VERDICTS
from annotation.models import Item, Project, Step
from annotation.presenters.outboxes import outbox_of
from annotation.selectors.cleaning.cleaning import MarkedPair, rule_name, rules_of
from annotation.selectors.cleaning.marked_pairs import Hit, hits_on
from core.models import User
from core.templatetags.page import language_of

ONE_AND_SEVERAL = (1, 2)
LONG = 300  # characters of a text that the list shows in part


def context(
    project: Project, person: User, *, pairs: list[MarkedPair], past: list[MarkedPair], left: int
) -> dict[str, Any]:
    """Return the context of annotation/cleaning.html; `page_state` is the initial state of the script."""
    shown, decided = [json_of(pair, project) for pair in pairs], [json_of(pair, project) for pair in past]
    return {
        "project": project,
        "pair": next(iter(shown), None),
        "coming": shown[1:3],
        "past": decided,
        "left": left,
        "page_keys": [
            ("K", _("keep the pair")),
            ("S", _("sensitive: remove the pair")),
            ("D", _("knowledge-dependent: remove the prompt with all its responses")),
            ("Z", _("undo your last decisions, one by one")),
        ],
        "page_state": {
            "base": reverse("clean", args=[project.slug]),
            "outbox": outbox_of(Step.CLEAN, project, person),
            "pairs": shown,
            "past": decided,
            "left": left,
            "words": _words(),
        },
    }


def json_of(pair: MarkedPair, project: Project) -> dict[str, Any]:
    """Return the pair as JSON for the page: its texts in pieces, each with whether a rule marks it."""
    verdict = pair.decision.verdict if pair.decision else ""
    return {
        "assignment": pair.assignment,
        **{part: _text(pair, part) for part in ("prompt", "response")},
        "about": pair.item.about(project.rating.told),
        "rules": [rule_name(rule) for rule in pair.findings],
        "suggests": pair.suggests or "",
        "whole": whole(pair.responses),
        "verdict": verdict,
        "verdict_name": str(VERDICTS[CleaningVerdict(verdict)]) if verdict else "",
    }


def _text(pair: MarkedPair | Hit, part: str) -> dict[str, Any]:
    text = pair.item.content[part]
    return {"pieces": cut_up(text, pair.spans(part)), "text": text, "lang": language_of(text)}


def names_of_rules(project: Project, others: Iterable[str] = ()) -> dict[str, str]:
    """Return the names of the project's rules by key, and of others by which pairs were marked before."""
    return {key: rule_name(key) for key in [*(rule.key for rule in rules_of(project)), *others]}


def rows_of(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Return the rows of the list of pairs that wait: texts in pieces, the rules that mark them, and who holds it."""
    return [
        {
            "item": hit.item,
            **{part: _in_list(_text(hit, part)) for part in ("prompt", "response")},
            "rules": [rule_name(rule) for rule in hit.findings],
            "holder": hit.holder,
        }
        for hit in hits_on(items)
    ]


def _in_list(text: dict[str, Any]) -> dict[str, Any]:
    return text | {"part": {"pieces": around_marks(text["pieces"])} if len(text["text"]) > LONG else None}


def whole(responses: int) -> str:
    """Return the text on the button that removes a prompt, with its number of responses."""
    return ngettext(
        "Removes this prompt and its response", "Removes this prompt and its %(count)s responses", responses
    ) % {"count": responses}


def _words() -> dict[str, Any]:
    """Return the script's messages. Pairs are singular and plural; the script fills in {braces}."""
    return {
        "saved": _("Saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("{count} to send"),
        "left": _("{count} left"),
        "offline": [
            ngettext(
                "You can continue: {count} decision is kept on this device and sent when you are back online.",
                "You can continue: {count} decisions are kept on this device and sent when you are back online.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "offlineNone": _("You can continue: what you decide is kept on this device and sent when you are back online."),
        "roleEnded": [
            ngettext(
                "Your {count} decision is kept in this browser; ask a researcher of the project to restore your role.",
                "Your {count} decisions are kept in this browser; ask a researcher of the project to "
                "restore your role.",
                count,
            )
            for count in ONE_AND_SEVERAL
        ],
        "arrived": [ngettext("It has arrived.", "All {count} have arrived.", count) for count in ONE_AND_SEVERAL],
        "refused": _("Not saved: the server no longer has this pair. Go on with the next."),
        "elsewhere": _("Open in another tab since {time}. Continue there, or take over here."),
        "verdicts": {verdict: str(name) for verdict, name in VERDICTS.items()},
    }
