"""Decisions about questions at which another line may be right, too. Nothing is rescored by them."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import must_say_why, record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.domain.survey.phases import StudyState
from study.domain.survey.validity import Validity
from study.models import Question, QuestionDecision, Study


@transaction.atomic
def decide(*, study: Study, question: Question, decision: Validity, why: str, by: User) -> QuestionDecision:
    """Record a decision about a question, in place of a former one.

    Raises Refused without a reason, and before the study is closed: until then no one is to see choices.
    """
    must_say_why(why)
    if study.state != StudyState.CLOSED:
        raise Refused("still_open", _("Nothing was recorded: the study is not closed yet."))
    before = QuestionDecision.objects.filter(study=study, question=question).first()
    facts = {"decision": decision, "why": one_line(why)[:500], "decided_by": by, "decided_at": timezone.now()}
    found, _is_new = QuestionDecision.objects.update_or_create(study=study, question=question, defaults=facts)
    record(question, was=before.decision if before else "", became=decision, why=why, scope=study, by=by)
    return found
