"""Delete a project, study, corpus or question set in which no one has worked (docs/adr/0039).

Each kind has an action of its own, in this order: `must_not_be_held` after its rows are locked, the rows, `free_name`
and `remove_files`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.deletion import Hold
from core.models import Invitation, Job, Name, User
from core.models.scoped import scope_of
from core.models.stored_figures import StoredFigure

Words = Mapping[str, Callable[[int], str]]  # by code, for a number: “%(n)s releases”


def holds_in_words(numbers: Mapping[str, int], words: Words) -> list[Hold]:
    """Return what there is of these numbers, each in words, in the order of the words."""
    there = [(code, numbers[code], say) for code, say in words.items() if numbers.get(code)]
    return [Hold(code, number, say(number) % {"n": f"{number:,}"}) for code, number, say in there]


def must_not_be_held(holds: Sequence[Hold]) -> None:
    """Raise Refused, with what holds the thing, where anything does."""
    if holds:
        text = _("Not deleted: %(holds)s. Archive it instead: it leaves the lists, and all of it can still be read.")
        raise Refused("has_work", text % {"holds": _(", ").join(hold.words for hold in holds)})


def forget_scope(scope: Model) -> None:
    """Delete jobs, invitations and stored figures of a project or study. Its events stay in the audit log."""
    for model in (Job, Invitation, StoredFigure):
        model._default_manager.filter(**scope_of(scope)).delete()


def free_name(name: str, *, of: Model, by: User) -> None:
    """Free the short name of what is deleted, and record it: the log has the name, the only trace that is left."""
    Name.objects.filter(name=name).delete()
    record(of, became="deleted", why=name, scope=None, by=by)


def remove_files(paths: Iterable[Path]) -> None:
    """Delete files once the transaction has been committed: as long as it can fail, a row may name them."""
    for path in paths:
        transaction.on_commit(partial(path.unlink, missing_ok=True), robust=True)
