"""What people call a run."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.baselines.catalogue import UPLOADED
from study.baselines.registry import key_called
from study.models import StudyGroup
from study.models.runs import LABEL
from study.permissions import studies_of

OF_A_RUN = re.compile(r".+ \(run \d+\)", re.IGNORECASE)  # how tables tell runs of one name apart
PEOPLE = {"people", "all people", "全体", "全体参与者", "所有人"}


def _groups_of(by: User) -> Iterator[str]:
    """Yield the names of the groups of a person's studies, and of those that are made of answers."""
    yield from StudyGroup.objects.filter(study__in=studies_of(by)).order_by().values_list("name", flat=True).distinct()
    for study in studies_of(by).only("settings"):
        yield from (group.name for group in study.survey.derived_groups)


def stored_label(label: str, *, by: User) -> str:
    """Return a label in the form that is stored; it may be empty.

    Raises Refused for one that is too long, and for the name of a model, of a run of one, or of people whom it stands
    beside in tables: what a plan calls so is that model or group alone.
    """
    label = one_line(label)
    if len(label) > LABEL:
        text = _("A label has at most %(most)d characters; this one has %(length)d. Shorten it.")
        raise Refused("label_too_long", text % {"most": LABEL, "length": len(label)}, field="label")
    if label.casefold() == UPLOADED or key_called(label):
        text = _("“%(label)s” is the name of a model here. Choose a label that is no model's name.")
        raise Refused("label_of_a_model", text % {"label": label}, field="label")
    if OF_A_RUN.fullmatch(label):
        text = _("“%(label)s” is how tables tell runs of one name apart. Choose a label without the number of a run.")
        raise Refused("label_of_a_run", text % {"label": label}, field="label")
    if label and label.casefold() in {*PEOPLE, *map(str.casefold, _groups_of(by))}:
        text = _("“%(label)s” is what people are called in your studies. Choose a label that is no group's name.")
        raise Refused("label_of_people", text % {"label": label}, field="label")
    return label
