"""Changes to the questions about a person that a draft asks. Each is a new version; opening the study freezes them."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.wording import ChoiceError
from core.models.people import User
from study.actions.survey import drafts
from study.actions.survey.locks import locked_draft
from study.actions.survey.studies import add_demographics
from study.domain.survey import demographics
from study.domain.survey.demographics import DemographicQuestion
from study.models import Study, StudyDemographics
from study.selectors.survey.demographics import demographics_of


@transaction.atomic
def write(*, study: Study, questions: Sequence[DemographicQuestion], by: User) -> StudyDemographics:
    """Store a new version. Raises Refused for too many questions, and once the study is open."""
    locked = locked_draft(study)
    try:
        asked = demographics.checked(questions)
    except ChoiceError as wrong:
        raise Refused.by_rule("demographics_wrong", wrong) from wrong
    following = drafts.unedited_texts(locked)  # the consent names how many questions there are
    version = add_demographics(locked, asked, by)
    record(version, became="written", scope=None, by=by)
    drafts.follow_texts(locked, following, by)
    return version


@transaction.atomic
def add(*, study: Study, text: str, answers: Sequence[str], by: User) -> StudyDemographics:
    """Add a question of one's own at the end. Raises Refused for one that is none, and once the study is open."""
    asked = demographics_of(locked_draft(study))
    added = _own(text, answers, [question.key for question in asked])
    return write(study=study, questions=[*asked, added], by=by)


@transaction.atomic
def change(*, study: Study, key: str, text: str, answers: Sequence[str], by: User) -> StudyDemographics:
    """Give a question another text or other answers; what stays the same keeps its key.

    Raises Refused for an unknown question, one that is none, and once the study is open.
    """
    asked = _known(study, key)
    own = _own(text, answers, [])
    changed = [demographics.reworded(question, own) if question.key == key else question for question in asked]
    return write(study=study, questions=changed, by=by)


@transaction.atomic
def remove(*, study: Study, key: str, by: User) -> StudyDemographics:
    """Ask a question no longer. Raises Refused for an unknown one, and once the study is open."""
    return write(study=study, questions=[each for each in _known(study, key) if each.key != key], by=by)


@transaction.atomic
def move(*, study: Study, key: str, steps: int, by: User) -> StudyDemographics:
    """Ask a question so many places later, or earlier. Raises Refused for an unknown one, and once it is open."""
    return write(study=study, questions=demographics.moved(_known(study, key), key, steps), by=by)


def _known(study: Study, key: str) -> list[DemographicQuestion]:
    asked = demographics_of(locked_draft(study))
    if key not in {question.key for question in asked}:
        raise Refused("no_question", _("Not saved: the study no longer asks this question. Reload the page."))
    return asked


def _own(text: str, answers: Sequence[str], taken: Sequence[str]) -> DemographicQuestion:
    try:
        return demographics.own_question(text, answers, taken)
    except ChoiceError as wrong:
        raise Refused.by_rule("demographics_wrong", wrong) from wrong
