"""Studies that wait for an expert, on their home page."""

from django.urls import reverse
from django.utils.translation import gettext as _

from core.models.people import Role, User
from core.permissions import roles_of
from core.presenters.home import HomeWork
from study.actions.survey import joining
from study.domain.survey.phases import Phase
from study.models import Study
from study.selectors.survey.experts import account_of, participant_of, studies_open_to
from study.selectors.survey.visits import phase, presentations_of, progress_of


def work_of(person: User) -> list[HomeWork]:
    """Return the open studies that a person is an expert of and has not ended."""
    if Role.EXPERT not in roles_of(person):
        return []
    work = (_work(study, person) for study in studies_open_to(person))
    return [each for each in work if each]


def _work(study: Study, person: User) -> HomeWork | None:
    participant = participant_of(person, study)
    link = reverse("take", args=[study.groups.all()[0].token])
    if participant is None:
        has_withdrawn = joining.has_withdrawn(study, account_of(person))
        return None if has_withdrawn else HomeWork(study.title, _("not begun"), link, _("Begin"))
    if phase(participant) == Phase.END:
        return None
    answered, count = progress_of(presentations_of(participant), study)
    note = _("%(answered)s of %(count)s answered")
    said = note % {"answered": f"{answered:,}", "count": f"{count:,}"} if count else _("not begun")
    return HomeWork(study.title, said, link, _("Continue") if count else _("Begin"))
