"""Practice on gold pairs: begin an attempt, grade its pairs one by one, pass or fail; excuse a failed attempt."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.projects.archiving import must_give_out_work
from annotation.actions.projects.projects import must_be
from annotation.actions.qualification import pausing
from annotation.actions.rating.ratings import check
from annotation.domain.qualification.qualification import QualificationStatus, score
from annotation.domain.workflow import AttemptState
from annotation.models import Attempt, Kind, Membership, PracticeGrade, Project
from annotation.selectors.qualification.gold import gold_of, meetings_of, stream_of
from annotation.selectors.qualification.qualification import annotator_of
from core.actions.events import move, move_all, must_say_why, record
from core.actions.refusals import Refused
from core.models import User

MAY_BEGIN = (QualificationStatus.NEW, QualificationStatus.AGAIN)


@transaction.atomic
def begin(*, project: Project, by: User) -> Attempt:
    """Return the person's open attempt, or a new one with its pairs. Raises Refused."""
    must_be(project, Kind.RATING)
    list(Membership.objects.select_for_update(no_key=True).filter(project=project, person=by))  # two tabs, one attempt
    annotator = annotator_of(project, by)
    if annotator.status == QualificationStatus.UNDER_WAY:
        return annotator.attempts[-1]
    if annotator.status not in MAY_BEGIN:
        raise Refused("no_attempt", _("There is nothing to practise for you here."))
    must_give_out_work(project)
    number = len(annotator.attempts) + 1
    keys = stream_of(project, by).practice(meetings_of(by, project), number)
    attempt = Attempt.objects.create(project=project, person=by, number=number, pairs=len(keys))
    item_of = {item.digest: item for item in gold_of(project)}
    PracticeGrade.objects.bulk_create(
        PracticeGrade(attempt=attempt, item=item_of[key], position=position)
        for position, key in enumerate(keys, start=1)
    )
    record(attempt, became=AttemptState.OPEN, scope=project, by=by)
    return attempt


@transaction.atomic
def practise(*, project: Project, position: int, grade: int, reason: str = "", by: User) -> PracticeGrade:
    """Store the grade of one pair of the open attempt; a second grade is ignored. The last pair ends the attempt.

    Raises Refused.
    """
    attempt = Attempt.objects.select_for_update(no_key=True).filter(project=project, person=by).last()
    practice = PracticeGrade.objects.filter(attempt=attempt, position=position)
    given = practice.select_related("item__gold").first()
    if attempt is None or given is None:
        raise Refused("no_attempt", _("There is nothing to practise for you here."))
    if given.grade is None:
        check(project, grade, reason)
        given.grade, given.reason, given.graded_at = grade, reason, timezone.now()
        given.save(update_fields=["grade", "reason", "graded_at"])
        if not attempt.grades.filter(grade=None).exists():
            _end(attempt)
    return given


@transaction.atomic
def let_go_on(*, project: Project, person: User, why: str, by: User) -> None:
    """Let a paused person rate again, or a person without attempts left practise once more. Raises Refused."""
    must_say_why(why)
    list(Membership.objects.select_for_update(no_key=True).filter(project=project, person=person))
    annotator = annotator_of(project, person)
    if annotator.status == QualificationStatus.FAILED:
        move(annotator.attempts[-1], AttemptState.EXCUSED, scope=project, why=why, by=by)
    elif project.kind == Kind.REWRITING:
        raise Refused("attempts_left", _("%(name)s still has practice attempts left.") % {"name": person})
    else:
        pausing.resume(project=project, person=person, why=why, by=by)


def ask_to_pass_again(*, project: Project, why: str, by: User) -> None:
    """Ask everyone who has passed to pass once more, with as many attempts as at first; the project is locked.

    Open attempts go on: they end under the guideline that is in force then.
    """
    passed = list(project.attempts.filter(state=AttemptState.PASSED))
    move_all(passed, AttemptState.OUTDATED, scope=project, why=why, by=by)


def _end(attempt: Attempt) -> None:
    settings = attempt.project.rating
    graded = list(attempt.grades.values_list("item__gold__grade", "grade"))
    known, given = zip(*graded, strict=True)
    reached = score(known, given, settings.grades.grades)
    move(
        attempt,
        AttemptState.PASSED if reached.passes(settings) else AttemptState.FAILED,
        scope=attempt.project,
        by=attempt.person,
        ended_at=timezone.now(),
        right=reached.right,
        kappa=reached.kappa,
    )
