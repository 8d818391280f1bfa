"""Unique names that people type on the command line."""

from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.models import Name

RESERVED = {"new"}  # a page of each kind has this address


def claim(name: str, kind: str) -> None:
    """Reserve a name for a project, a corpus, a question set or a study.

    Raises Refused when it is taken, and when it begins with a hyphen: a command would read it as an option.
    """
    if name.startswith("-"):
        raise Refused("slug_wrong", _("A short name begins with a letter, a digit or an underscore."))
    is_free = name not in RESERVED and Name.objects.get_or_create(name=name, defaults={"kind": kind})[1]
    if not is_free:
        text = _("The short name “%(slug)s” is taken. Choose another one.")
        raise Refused("slug_taken", text % {"slug": name})
