"""What people call a run."""

from django.utils.translation import gettext as _

from core.actions.refusals import Refused
from core.domain.text import one_line
from study.baselines.catalogue import UPLOADED
from study.baselines.registry import BASELINES
from study.models.runs import LABEL

NAMES = {UPLOADED, *BASELINES, *(model.title.casefold() for model in BASELINES.values())}


def stored_label(label: str) -> str:
    """Return a label in the form that is stored; it may be empty.

    Raises Refused for one that is too long, and for the name of a model: what a plan calls so is that model alone.
    """
    label = one_line(label)
    if len(label) > LABEL:
        text = _("A label has at most %(most)d characters; this one has %(length)d. Shorten it.")
        raise Refused("label_too_long", text % {"most": LABEL, "length": len(label)}, field="label")
    if label.casefold() in NAMES:
        text = _("“%(label)s” is the name of a model here. Choose a label that is no model’s name.")
        raise Refused("label_of_a_model", text % {"label": label}, field="label")
    return label
