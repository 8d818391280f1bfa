"""Unique names that people type on the command line."""

from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.models import Name

RESERVED = {"new"}  # a page of each kind has this address


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
        raise Refused("slug_wrong", _("A short name begins with a letter, a digit or an underscore."))


def _taken(name: str) -> Refused:
    text = _("The short name “%(slug)s” is taken. Choose another one.")
    return Refused("slug_taken", text % {"slug": name})
