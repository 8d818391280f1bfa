"""Studies: created, opened, closed. Opening freezes all that an answer depends on; see drafts and groups for before."""

import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import names
from core.actions.events import move, record
from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from core.domain.wording import ChoiceError
from core.models.people import Role, User
from study.actions.questions import audits
from study.actions.survey import own_questions, plans
from study.actions.survey.closing import note_early, note_unfilled
from study.actions.survey.groups import add_groups
from study.actions.survey.locks import locked_study
from study.actions.survey.recruiting import check_closing_day
from study.domain.survey import texts
from study.domain.survey.demographics import DemographicQuestion, as_typed
from study.domain.survey.phases import ParticipantState, StudyState, VisitOutcome
from study.domain.survey.plan import checksum
from study.domain.survey.survey import SurveySettings
from study.models import (
    FormPlaces,
    FormQuestion,
    Question,
    QuestionSet,
    Study,
    StudyDemographics,
    StudyMembership,
    StudyText,
)
from study.selectors.survey.demographics import demographics_of, newest_demographics
from study.selectors.survey.plans import TEXTS, first_text
from study.selectors.survey.visits import outcome_at_deadline

ONE_GROUP: tuple[tuple[str, int | None]] = (("crowd", None),)
CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without letters that look alike


@transaction.atomic
def create(
    *,
    slug: str,
    title: str = "",
    question_sets: Sequence[QuestionSet] = (),
    settings: Mapping[str, object] | None = None,
    language: str = "en",
    groups: Collection[tuple[str, int | None]] = ONE_GROUP,
    seed: int = 0,
    by: User,
) -> Study:
    """Create a draft with its groups (name and quota, None for no limit), texts, practice questions and checks.

    `settings` may hold the questions about people, as `demographics.as_typed` reads them, and the texts of consent and
    instructions, too. Its creator becomes a member. Raises Refused when the slug is taken, a setting is unknown or out
    of range, a question set or a group is named twice, or a derived group is of what the study has not.
    """
    check_language(language)
    chosen = dict(settings or {})
    about, written = chosen.pop("demographics", None), {kind: chosen.pop(kind, None) for kind in TEXTS}
    study = Study(
        slug=slug,
        title=one_line(title) or slug,
        language=language,
        settings=settings_of(chosen).as_mapping(),
        seed=seed,
        codes={outcome: _code() for outcome in VisitOutcome},
        created_by=by,
    )
    if not groups:
        raise Refused("no_groups", _("A study has at least one group: participants join through its link."))
    check_sets(question_sets)
    check_fields(study)  # before the name is looked up: it may be too long
    names.claim(slug, "study")
    study.save()
    study.question_sets.set(question_sets)
    StudyMembership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    add_groups(study, groups)
    if about is not None:
        add_demographics(study, _demographics_as_typed(str(about), language), by)
    plans.check_derived(study)
    _add_texts(study, written, by)
    own_questions.add_all(study)
    record(study, became="created", scope=None, by=by)
    return study


def settings_of(values: Mapping[str, object]) -> SurveySettings:
    """Build a study's settings from stored or typed values. Raises Refused."""
    try:
        return SurveySettings.from_mapping(values)
    except ChoiceError as wrong:
        raise Refused.by_rule("settings_wrong", wrong) from wrong


def check_language(language: str) -> None:
    """Refuse a language without survey texts. Raises Refused."""
    if language not in texts.LANGUAGES:
        message = _("A survey must be in one of these languages: %(known)s.")
        raise Refused("language_unknown", message % {"known": ", ".join(texts.LANGUAGES)})


def check_sets(question_sets: Collection[QuestionSet]) -> None:
    """Refuse a question set that is named twice, and sets that ask about the same conversations. Raises Refused.

    From then on none of them is deleted before the transaction ends; one that has been is refused, too.
    """
    names.keep(question_set.name for question_set in question_sets)
    for question_set, times in Counter(question_sets).items():
        if times > 1:
            message = _("“%(name)s” is named twice. Name each question set once.")
            raise Refused("set_twice", message % {"name": question_set})
    asked = Question.objects.filter(question_set__in=question_sets).exclude(conversation="").order_by()
    sets = Count("question_set", distinct=True)
    if asked.values("corpus", "conversation").annotate(sets=sets).filter(sets__gt=1).exists():
        message = _(
            "Some conversations appear in several of these sets, so a participant could get the "
            "same question twice. Choose one of the sets, or draw one set from all sources."
        )
        raise Refused("questions_shared", message)


def _code() -> str:
    letters = [secrets.choice(CODE_LETTERS) for _letter in range(8)]
    return f"{''.join(letters[:4])}-{''.join(letters[4:])}"


def check_fields(study: Study) -> None:
    """Refuse an invalid short name or title. Raises Refused."""
    try:
        left_out = ["created_by", "copy_of", "plan", "codes", "opened_at", "closed_at", "paused_at"]
        study.clean_fields(exclude=left_out)
    except ValidationError as wrong:
        raise Refused.by_fields("study_wrong", wrong, Study) from wrong


def _demographics_as_typed(text: str, language: str) -> list[DemographicQuestion]:
    try:
        return as_typed(text, language)
    except ChoiceError as wrong:
        raise Refused.by_rule("demographics_wrong", wrong) from wrong


def _add_texts(study: Study, written: Mapping[str, object], by: User) -> None:
    for kind in TEXTS:
        text = normalise(str(written[kind] or "")) or first_text(study, kind)
        StudyText.objects.create(study=study, kind=kind, number=1, language=study.language, text=text, created_by=by)


def add_demographics(study: Study, questions: Sequence[DemographicQuestion], by: User) -> StudyDemographics:
    """Store the questions as the newest version of a locked study."""
    newest = study.demographics.aggregate(newest=Max("number"))["newest"] or 0
    return StudyDemographics.objects.create(
        study=study,
        number=newest + 1,
        language=study.language,
        questions=[question.as_mapping() for question in questions],
        created_by=by,
    )


def open_(*, study: Study, reason: str = "", by: User) -> Study:
    """Freeze the plan and let people in. Question sets that have no audit yet are audited first.

    Raises Refused without enough questions for a form, when already opened or archived, and where an audit found
    something and no reason is given for opening with it.
    """
    for question_set in study.question_sets.all():
        audits.report_of(question_set, by=by)
    return _open(study, one_line(reason), by)


@transaction.atomic
def _open(study: Study, reason: str, by: User) -> Study:
    locked = locked_study(study)
    if locked.state != StudyState.DRAFT:
        raise Refused("opened_already", _("The study has been opened before, and its plan is frozen."))
    if locked.archived_at is not None:
        raise Refused("archived", _("The study is archived. Take it out of the archive before you open it."))
    check_closing_day(locked.closes_on)
    plans.check_derived(locked)
    plans.check_contrast(locked)
    plans.check_own(locked)
    dealt = plans.deal(locked)
    if newest_demographics(locked) is None:  # what is asked by default may change with the product
        add_demographics(locked, demographics_of(locked), by)
    for group in locked.groups.filter(name__in=dealt.of_group):
        group.forms = dealt.of_group[group.name]
        group.save(update_fields=["forms"])
    FormQuestion.objects.bulk_create(
        FormQuestion(study=locked, form=form, question=question)
        for form, asked in enumerate(dealt.forms, start=1)
        for question in asked
    )
    FormPlaces.objects.bulk_create(
        FormPlaces(group=group, form=form)
        for group in locked.groups.all()
        for form in group.forms or range(1, len(dealt.forms) + 1)
    )
    plan = plans.plan_of(locked, dealt, reason)
    move(
        locked,
        StudyState.OPEN,
        scope=None,
        by=by,
        plan=plan,
        plan_checksum=checksum(plan),
        opened_at=timezone.now(),
    )
    return locked


@transaction.atomic
def close(*, study: Study, why: str = "", by: User) -> Study:
    """Close a study: no one can join. People under way continue to their deadline; without a limit they end now.

    Where a quota is not filled, or people are under way, `why` is listed as the reason of a deviation from the plan.

    Raises Refused for a study that is not open, and where that reason is missing or tells who a participant is.
    """
    locked = locked_study(study)
    if locked.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    note_early(locked, why, by)
    return _close(locked, why, by)


def close_due() -> int:
    """Close the open studies whose closing day is over. Return how many."""
    due = Study.objects.filter(state=StudyState.OPEN, closes_on__lt=timezone.now().date())
    return sum(map(_close_due, due))


@transaction.atomic
def _close_due(study: Study) -> bool:
    locked = locked_study(study)
    is_due = locked.state == StudyState.OPEN and locked.is_past_closing
    if is_due:
        note_unfilled(locked)
        _close(locked, "closing day", None)
    return is_due


def _close(locked: Study, why: str, by: User | None) -> Study:
    now = timezone.now()
    for participant in locked.participants.filter(state=ParticipantState.ANSWERING, deadline_at=None):
        becomes = outcome_at_deadline(participant)
        code = locked.codes[VisitOutcome(becomes)]
        move(participant, becomes, scope=None, why="study closed", by=by, ended_at=now, code=code)
    move(locked, StudyState.CLOSED, scope=None, why=why, by=by, closed_at=now)
    return locked
