"""What people call a run."""

from django.utils.translation import gettext as _

from core.actions.refusals import Refused
from core.domain.text import one_line
from study.models.runs import LABEL


def stored_label(label: str) -> str:
    """Return a label in the form that is stored; it may be empty. Raises Refused: none is cut."""
    label = one_line(label)
    if len(label) > LABEL:
        text = _("A label has at most %(most)d characters; this one has %(length)d. Shorten it.")
        raise Refused("label_too_long", text % {"most": LABEL, "length": len(label)}, field="label")
    return label
