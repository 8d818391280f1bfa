"""Archive a study, and take it back."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import archiving
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.locks import locked_study
from study.domain.survey.phases import StudyState
from study.models import Study


@transaction.atomic
def archive(*, study: Study, by: User) -> None:
    """Put a study away: it is in no list. Its pages and results stay readable.

    Raises Refused for an open study: people may join it.
    """
    locked = locked_study(study)
    if locked.state == StudyState.OPEN:
        raise Refused("open", _("The study is open: people may join. Close it first, then archive it."))
    archiving.put_away(locked, scope=study, by=by)


@transaction.atomic
def take_back(*, study: Study, by: User) -> None:
    """Take a study out of the archive."""
    archiving.take_back(locked_study(study), scope=study, by=by)
