"""Delete a project in which no one has worked."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils.translation import ngettext

from annotation.models import (
    Assignment,
    CleaningFinding,
    Cursor,
    Gold,
    Item,
    Membership,
    Project,
    Queue,
    Recording,
    Rewrite,
    Slot,
    Transcript,
)
from annotation.models.transcripts import path_of
from annotation.selectors.projects.holds import numbers_of_work
from core.actions import deleting, names
from core.actions.deleting import Words
from core.domain.deletion import Hold
from core.models import User

WORDS: Words = {
    "at_work": lambda n: ngettext("%(n)s text in a person's hands", "%(n)s texts in people's hands", n),
    "done": lambda n: ngettext("%(n)s piece of people's work", "%(n)s pieces of people's work", n),
    "practice": lambda n: ngettext("%(n)s practice attempt", "%(n)s practice attempts", n),
    "models": lambda n: ngettext("the grades of %(n)s model", "the grades of %(n)s models", n),
    "releases": lambda n: ngettext("%(n)s release", "%(n)s releases", n),
    "jobs": lambda n: ngettext("%(n)s background job", "%(n)s background jobs", n),
}


def holds_of(project: Project) -> list[Hold]:
    """Return what holds a project; one that nothing holds can be deleted."""
    return deleting.holds_in_words(numbers_of_work(project), WORDS)


@transaction.atomic
def delete(*, project: Project, by: User) -> None:
    """Delete a project with its items, imports and settings, and the files of these. Raises Refused once work is there.

    A claim or an attempt that is under way is waited for, and then found.
    """
    deleting.must_not_be_held(holds_of(project))  # before anything is locked: people may be at work
    names.lock(project.slug)
    locked = _lock(project)
    deleting.must_not_be_held(holds_of(locked))
    files = [Path(each.file.path) for each in locked.imports.all()]
    digests = set(Recording.objects.filter(item__project=locked).values_list("sha256", flat=True))
    deleting.forget_scope(locked)
    _delete_rows(locked)
    deleting.free_name(locked.slug, of=project, by=by)
    deleting.remove_files(beside for path in files for beside in [path, *path.parent.glob(f"{path.name}.*.rows")])
    transaction.on_commit(partial(_remove_recordings, digests), robust=True)


def _lock(project: Project) -> Project:
    """Lock what people lock who begin to work, in their order, and return the project.

    Foreign keys are checked at the commit, so that a new row locks nothing before: a claim is known by its slot.
    """
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    for model, of_project in (
        (Membership, {"project": locked}),
        (Queue, {"project": locked}),
        (Cursor, {"queue__project": locked}),
        (Slot, {"queue__project": locked}),
    ):
        rows = model._base_manager.select_for_update(of=("self",), no_key=True).filter(**of_project)
        list(rows.order_by("pk").values_list("pk"))
    return locked


def _delete_rows(project: Project) -> None:
    """Delete the project's rows: first what it may have very many of, table by table, without loading it.

    A table that were left out here would fail at the commit, by the constraint of its foreign key.
    """
    of_items, of_work = {"item__project": project}, {"assignment__slot__queue__project": project}
    for model, of_project in (
        (Rewrite, of_work),  # opened, and nothing written
        (Transcript, of_work),
        (Assignment, {"slot__queue__project": project}),
        (Slot, {"queue__project": project}),
        (CleaningFinding, of_items),
        (Gold, of_items),
        (Recording, of_items),
        (Item, {"project": project}),
    ):
        rows = model._base_manager.filter(**of_project)
        rows._raw_delete(rows.db)
    project.delete()


def _remove_recordings(digests: Iterable[str]) -> None:
    """Delete the bytes of recordings, but those that another project has, too."""
    for sha256 in digests:
        if not Recording.objects.filter(sha256=sha256).exists():
            path_of(sha256).unlink(missing_ok=True)
