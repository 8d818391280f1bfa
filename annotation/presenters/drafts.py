"""Refusals and script state of every page on which a draft is written."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.actions.queue.drafts import NotSubmitted
from annotation.models.drafts import Draft
from core.actions.refusals import Refused


def sentences(refused: Refused | None) -> list[dict[str, str]]:
    """Return the fields whose flaws kept a draft from being submitted, each with a message in the reader's language."""
    flaws = refused.flaws if isinstance(refused, NotSubmitted) else []
    return [{"field": flaw.field, "sentence": _(flaw.sentence) % grouped(flaw.params)} for flaw in flaws]


def grouped(params: Mapping[str, str | int]) -> dict[str, str]:
    """Write the numbers among the parts of a sentence as the reader's language groups their digits."""
    return {name: part if isinstance(part, str) else intcomma(part) for name, part in params.items()}


def refusal(draft: Draft, refused: Refused) -> dict[str, Any]:
    """Return a refusal as the page's script reads it, with the revision that is stored now."""
    return {
        "code": refused.code,
        "message": str(refused),
        "flaws": sentences(refused),
        "kept": isinstance(refused, NotSubmitted),
        "revision": draft.revision,
        "save_key": draft.save_key,
        "saved_at": draft.saved_at,
    }


def page_state(draft: Draft, page: str, *, text: Sequence[str], here: str, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial state of the script of `page` (rendered as JSON), with the columns `text` of the draft."""
    assignment = draft.assignment
    return {
        "base": f"{reverse(page, args=[assignment.slot.queue.project.slug])}{assignment.pk}/",
        "here": here,
        "draft": f"{page}/{assignment.person_id}/{assignment.slot_id}",
        "revision": draft.revision,
        "savedAt": draft.saved_at if draft.revision else None,
        **{name: getattr(draft, name) for name in text},
        "words": {**script_words(), **words},
    }


def script_words() -> dict[str, str]:
    """Return the messages of every draft's script; the script fills in {braces}."""
    return {
        "saved": _("Draft saved at {time}"),
        "saving": _("Saving …"),
        "toSend": _("Not stored yet, kept on this device"),
        "unkept": _("Not stored yet"),
        "back": _("Your draft of {time} is back"),
        "otherLoaded": _("The other draft is loaded"),
        "elsewhere": _("Open in another tab since {time}. Continue there, or take over here."),
        "stale": _(
            "Saved in another window or on another device at {time}. What you write here is kept on this device only, "
            "until you decide."
        ),
        "staleAgain": _(
            "It was saved there again at {time}, so nothing was replaced. What you write here is kept on this device "
            "only, until you decide."
        ),
        "unreadable": _("Not saved: what this page sent cannot be read. Reload the page."),
    }
