"""Acts for many rows of the lists of pairs and items at once: which rows each is for, and what the pages say of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import ItemState
from annotation.forms.projects.bulk import NoteOnFlagsForm, ReturnManyForm, WhyForm, WithoutTextForm
from annotation.models import Item, Kind, Project
from annotation.selectors.cleaning.marked_pairs import numbers_to_clean
from annotation.selectors.rating.pairs import flags_on, numbers_to_void
from core.models import User


@dataclass(frozen=True)
class BulkAct:
    """An act for many items. `things` counts, by item, what it is done with: an item without any is left as it is.

    The texts with a number in them are lazy, as `text % {"n": number}`.
    """

    name: str
    permission: str
    label: object
    form: type[forms.Form]
    things: Callable[[Iterable[Item]], Mapping[int, int]]
    title: Any
    consequences: Any
    left_out: Any
    button: Any
    nothing: object
    done: Any


def acts_of(project: Project) -> dict[str, BulkAct]:
    """Return the acts of the project's list, by name, in the order in which they are offered."""
    acts = (VOID, RESOLVE) if project.kind == Kind.RATING else (RETURN, RESOLVE)
    return {act.name: act for act in acts}


def acts_of_cleaning(person: User) -> dict[str, BulkAct]:
    """Return the verdicts that a person can give on many pairs that wait to be cleaned, by name."""
    return {
        verdict: BulkAct(name=verdict, things=partial(numbers_to_clean, verdict=verdict, person=person), **facts)
        for verdict, facts in CLEANING.items()
    }


def _accepted(items: Iterable[Item]) -> Mapping[int, int]:
    return {item.pk: 1 for item in items if item.state == ItemState.KEPT}


VOID = BulkAct(
    name="void",
    permission="raters.judge",
    label=_("Void grades…"),
    form=WhyForm,
    things=numbers_to_void,
    title=ngettext_lazy("Void the grades of %(n)d pair", "Void the grades of %(n)d pairs", "n"),
    consequences=ngettext_lazy(
        "%(n)d grade or decision is kept and no longer counts. The pair waits for other raters; the person who "
        "graded it does not get it again. This cannot be undone.",
        "%(n)d grades and decisions are kept and no longer count. The pairs wait for other raters; people who "
        "graded a pair do not get it again. This cannot be undone.",
        "n",
    ),
    left_out=ngettext_lazy(
        "%(n)d more that you chose has no grade and stays as it is.",
        "%(n)d more that you chose have no grades and stay as they are.",
        "n",
    ),
    button=ngettext_lazy("Void %(n)d grade", "Void %(n)d grades", "n"),
    nothing=_("Do not void"),
    done=ngettext_lazy(
        "%(n)d grade was voided. Others are asked for what is missing now.",
        "%(n)d grades and decisions were voided. Others are asked for what is missing now.",
        "n",
    ),
)
RESOLVE = BulkAct(
    name="resolve",
    permission="project.manage",
    label=_("Resolve flags…"),
    form=NoteOnFlagsForm,
    things=flags_on,
    title=ngettext_lazy("Resolve the flags on %(n)d item", "Resolve the flags on %(n)d items", "n"),
    consequences=ngettext_lazy(
        "%(n)d open flag is resolved with your note.", "%(n)d open flags are resolved with the same note.", "n"
    ),
    left_out=ngettext_lazy(
        "%(n)d more that you chose has no open flag and stays as it is.",
        "%(n)d more that you chose have no open flag and stay as they are.",
        "n",
    ),
    button=ngettext_lazy("Resolve %(n)d flag", "Resolve %(n)d flags", "n"),
    nothing=_("Resolve nothing"),
    done=ngettext_lazy("%(n)d flag was resolved.", "%(n)d flags were resolved.", "n"),
)
RETURN = BulkAct(
    name="return",
    permission="instances.return",
    label=_("Send back to their authors…"),
    form=ReturnManyForm,
    things=_accepted,
    title=ngettext_lazy("Send %(n)d item back to its author", "Send %(n)d items back to their authors", "n"),
    consequences=ngettext_lazy(
        "%(n)d accepted item will be revised by its author and inspected again. Until then, new releases leave it "
        "out; releases frozen earlier keep its text.",
        "%(n)d accepted items will be revised by their authors and inspected again. Until then, new releases leave "
        "them out; releases frozen earlier keep their texts.",
        "n",
    ),
    left_out=ngettext_lazy(
        "%(n)d more that you chose is not accepted and stays as it is.",
        "%(n)d more that you chose are not accepted and stay as they are.",
        "n",
    ),
    button=ngettext_lazy("Send %(n)d item back", "Send %(n)d items back", "n"),
    nothing=_("Send nothing back"),
    done=ngettext_lazy(
        "%(n)d item was sent back. It is inspected again once it is revised.",
        "%(n)d items were sent back. They are inspected again once they are revised.",
        "n",
    ),
)
KEEP: dict[str, Any] = {
    "permission": "cleaning.oversee",
    "label": _("Keep…"),
    "form": WithoutTextForm,
    "title": ngettext_lazy("Keep %(n)d marked pair", "Keep %(n)d marked pairs", "n"),
    "consequences": ngettext_lazy(
        "%(n)d pair stays in the rating queue. You can undo this in the list of decisions.",
        "%(n)d pairs stay in the rating queue. You can undo this in the list of decisions.",
        "n",
    ),
    "left_out": ngettext_lazy(
        "%(n)d pair that you chose is open with someone else or already decided, and stays as it is.",
        "%(n)d pairs that you chose are open with someone else or already decided, and stay as they are.",
        "n",
    ),
    "button": ngettext_lazy("Keep %(n)d pair", "Keep %(n)d pairs", "n"),
    "nothing": _("Decide nothing"),
    "done": ngettext_lazy("%(n)d pair was kept.", "%(n)d pairs were kept.", "n"),
}
SENSITIVE = KEEP | {
    "label": _("Remove as sensitive…"),
    "form": WhyForm,
    "title": ngettext_lazy("Remove %(n)d pair as sensitive", "Remove %(n)d pairs as sensitive", "n"),
    "consequences": ngettext_lazy(
        "%(n)d pair is removed: no one rates it, and its grades do not count. You can undo this in the list of "
        "decisions.",
        "%(n)d pairs are removed: no one rates them, and their grades do not count. You can undo this in the list of "
        "decisions.",
        "n",
    ),
    "button": ngettext_lazy("Remove %(n)d pair", "Remove %(n)d pairs", "n"),
    "done": ngettext_lazy("%(n)d pair was removed.", "%(n)d pairs were removed.", "n"),
}
KNOWLEDGE = SENSITIVE | {
    "label": _("Remove as knowledge-dependent…"),
    "title": ngettext_lazy(
        "Remove the prompt of %(n)d pair as knowledge-dependent",
        "Remove the prompts of %(n)d pairs as knowledge-dependent",
        "n",
    ),
    "consequences": ngettext_lazy(
        "%(n)d pair is removed: a prompt goes with all its responses. You can undo this in the list of decisions.",
        "%(n)d pairs are removed: a prompt goes with all its responses. You can undo this in the list of decisions.",
        "n",
    ),
}
CLEANING = {CleaningVerdict.KEEP: KEEP, CleaningVerdict.SENSITIVE: SENSITIVE, CleaningVerdict.KNOWLEDGE: KNOWLEDGE}
