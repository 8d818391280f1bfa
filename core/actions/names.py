"""Unique names that people type on the command line."""

from collections.abc import Iterable

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.domain.spelling import in_latin
from core.models import Name

RESERVED = {"new"}  # a page of each kind has this address
LONGEST = 60  # characters


def free_name(title: str, otherwise: str) -> str:
    """Return a name that is free, made from a title: Chinese characters in pinyin, `otherwise` where nothing is left.

    A number is added if the name is taken.
    """
    wanted = slugify(in_latin(title))[: LONGEST - 6].strip("-_") or otherwise
    taken = {*Name.objects.filter(name__startswith=wanted).values_list("name", flat=True), *RESERVED}
    numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(name for name in numbered if name not in taken)


def must_be_free(name: str) -> None:
    """Raise what `claim` would, before long work is done for nothing."""
    _must_be_plain(name)
    if name in RESERVED or Name.objects.filter(name=name).exists():
        raise _taken(name)


def claim(name: str, kind: str) -> None:
    """Reserve a name for a project, a corpus, a question set or a study.

    Raises Refused when it is taken, and when it begins with a hyphen: a command would read it as an option.
    """
    _must_be_plain(name)
    if name in RESERVED or not Name.objects.get_or_create(name=name, defaults={"kind": kind})[1]:
        raise _taken(name)


def _must_be_plain(name: str) -> None:
    if name.startswith("-"):
        raise Refused("slug_wrong", _("A short name must begin with a letter, a digit or an underscore."))


def _taken(name: str) -> Refused:
    text = _("The short name “%(slug)s” is taken. Choose another one.")
    return Refused("slug_taken", text % {"slug": name})


def keep(sources: Iterable[str]) -> None:
    """Lock the names of what is about to be used, so that none of it is deleted before the transaction ends.

    They are also taken out of NAME:split and of PROJECT@NUMBER. Raises Refused where one has been deleted.
    """
    wanted = {source.partition(":")[0].partition("@")[0] for source in sources if source}
    locked = Name.objects.select_for_update(no_key=True).filter(name__in=wanted).order_by("name")
    if gone := sorted(wanted - {each.name for each in locked}):
        text = _("“%(name)s” has just been deleted. Choose another one.")
        raise Refused("deleted_meanwhile", text % {"name": gone[0]})


def lock(name: str) -> None:
    """Lock the name of what is to be deleted: it waits for the transactions that keep it."""
    list(Name.objects.select_for_update().filter(name=name))
