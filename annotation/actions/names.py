"""Names that people type on the command line: no two things have the same one."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.refusals import Refused
from annotation.models import Name, NameKind

RESERVED = {"new"}  # an address of its own among each kind's


def claim(name: str, kind: NameKind) -> None:
    """Take a name for a project, a corpus, a question set or a study. Raises Refused when it is taken."""
    try:
        if name in RESERVED:
            raise IntegrityError
        with transaction.atomic():
            Name.objects.create(name=name, kind=kind)
    except IntegrityError as taken:
        text = _("The short name “%(slug)s” is taken. Choose another one.")
        raise Refused("slug_taken", text % {"slug": name}) from taken
