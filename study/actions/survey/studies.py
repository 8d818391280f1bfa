"""Studies: created, opened, closed. Opening freezes all that an answer depends on; see drafts and groups for before."""

import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import names
from core.actions.events import move, record
from core.actions.refusals import Refused
from core.domain.text import candidate_texts, one_line
from core.domain.wording import ChoiceError
from core.models.people import Role, User
from study.actions.questions import audits
from study.actions.survey import plans
from study.domain.survey import texts
from study.domain.survey.look import language_of, look_of
from study.domain.survey.phases import ParticipantState, StudyState, VisitOutcome
from study.domain.survey.plan import checksum
from study.domain.survey.survey import SurveySettings
from study.domain.survey.texts import OwnQuestion
from study.models import (
    FormPlaces,
    FormQuestion,
    Question,
    QuestionPurpose,
    QuestionSet,
    Study,
    StudyMembership,
    StudyText,
)
from study.models.people import StudyGroup
from study.selectors.survey.plans import TEXTS, counting_questions, first_text
from study.selectors.survey.visits import outcome_at_deadline

ONE_GROUP: tuple[tuple[str, int | None]] = (("crowd", None),)
CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without letters that look alike
LOOKED_AT = 200  # questions whose language and look the attention check takes


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
    """Create a draft with its groups (name and quota, None for no limit), texts, practice question and check.

    Its creator becomes a member. Raises Refused when the slug is taken, a setting is unknown or out of range, or a
    question set or a group is named twice.
    """
    check_language(language)
    study = Study(
        slug=slug,
        title=one_line(title) or slug,
        language=language,
        settings=settings_of(settings or {}).as_mapping(),
        seed=seed,
        codes={outcome: _code() for outcome in VisitOutcome},
        created_by=by,
    )
    if not groups:
        raise Refused("no_groups", _("A study has at least one group: people come by its link."))
    check_sets(question_sets)
    check_fields(study)  # before the name is looked up: it may be too long
    names.claim(slug, "study")
    study.save()
    study.question_sets.set(question_sets)
    StudyMembership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    add_groups(study, groups)
    _add_texts(study, by)
    add_own_questions(study)
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
        message = _("A survey speaks one of these languages: %(known)s.")
        raise Refused("language_unknown", message % {"known": ", ".join(texts.LANGUAGES)})


def check_sets(question_sets: Collection[QuestionSet]) -> None:
    """Refuse a question set that is named twice, and sets that ask about the same conversations. Raises Refused."""
    for question_set, times in Counter(question_sets).items():
        if times > 1:
            message = _("“%(name)s” is named twice. Name each question set once.")
            raise Refused("set_twice", message % {"name": question_set})
    asked = Question.objects.filter(question_set__in=question_sets).exclude(conversation="").order_by()
    sets = Count("question_set", distinct=True)
    if asked.values("corpus", "conversation").annotate(sets=sets).filter(sets__gt=1).exists():
        message = _(
            "Some conversations are asked about in several of these sets, so that a person could meet a question "
            "twice. Name one of the sets, or draw one set from all sources."
        )
        raise Refused("questions_shared", message)


def _code() -> str:
    letters = [secrets.choice(CODE_LETTERS) for _letter in range(8)]
    return f"{''.join(letters[:4])}-{''.join(letters[4:])}"


def check_fields(study: Study) -> None:
    """Refuse an invalid short name or title. Raises Refused."""
    try:
        study.clean_fields(exclude=["created_by", "plan", "codes", "opened_at", "closed_at", "paused_at"])
    except ValidationError as wrong:
        raise Refused.by_fields("study_wrong", wrong, Study) from wrong


def add_groups(study: Study, groups: Collection[tuple[str, int | None]]) -> list[StudyGroup]:
    """Create groups with their quotas. Raises Refused for an invalid or used name, and for an invalid quota."""
    added = []
    for typed, quota in groups:
        name = one_line(typed)
        check_group(name, quota)
        if study.groups.filter(name=name).exists():
            message = _("There is a group “%(group)s” already. Each group needs a name of its own.")
            raise Refused("group_taken", message % {"group": name})
        added.append(StudyGroup.objects.create(study=study, name=name, token=secrets.token_urlsafe(9), quota=quota))
    return added


def check_group(name: str, quota: int | None) -> None:
    """Refuse an invalid name or quota of a group. Raises Refused."""
    if not name or len(name) > 60 or (quota is not None and not 0 < quota < 1_000_000):
        message = _("“%(group)s” is no group: it needs a name of at most 60 letters, and a quota of at least 1.")
        raise Refused("group_wrong", message % {"group": name})


def _add_texts(study: Study, by: User) -> None:
    for kind in TEXTS:
        StudyText.objects.create(
            study=study, kind=kind, number=1, language=study.language, text=first_text(study, kind), created_by=by
        )


def add_own_questions(study: Study) -> None:
    """Create the practice question, and the attention check in its questions' language, size and look.

    A check in the language of the survey would be recognised among questions in another one.
    """
    shown = _shown_texts(study)
    language = language_of(shown) or study.language
    check = texts.attention_check(language, _usual_candidates(study), look_of(shown))
    _add_own(study, QuestionPurpose.PRACTICE, texts.PRACTICE[study.language])
    _add_own(study, QuestionPurpose.CHECK, check)


def _usual_candidates(study: Study) -> int:
    """Return how many candidates most of the study's questions have."""
    counts = counting_questions(study).values("candidates_count").annotate(times=Count("pk"))
    most = counts.order_by("-times", "candidates_count").first()
    return int(most["candidates_count"]) if most else 5


def _shown_texts(study: Study) -> list[str]:
    """Return what people read in the study's first questions, those of its sets in turn."""
    rows = counting_questions(study).order_by("position", "pk").values_list("context", "candidates")[:LOOKED_AT]
    shown = ([turn["text"] for turn in context] + [*candidate_texts(candidates).texts] for context, candidates in rows)
    return [text for texts_of_one in shown for text in texts_of_one]


def _add_own(study: Study, purpose: QuestionPurpose, own: OwnQuestion) -> None:
    Question.objects.create(
        study=study,
        purpose=purpose,
        position=0,
        external_id=purpose,
        context=own.context,
        candidates=own.candidates,
        candidates_count=len(own.candidates),
        answer=0,
    )


def locked_draft(study: Study) -> Study:
    """Return the row of a draft, locked. Raises Refused once the study has been opened."""
    locked = locked_study(study)
    if locked.state != StudyState.DRAFT:
        raise Refused("plan_frozen", _("Not saved: the study has been opened, and its plan is frozen."))
    return locked


def locked_study(study: Study) -> Study:
    """Return the study's row, locked: opening, closing and joining happen one after the other."""
    return Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=study.pk)


def open_(*, study: Study, reason: str = "", by: User) -> Study:
    """Freeze the plan and let people in. Question sets that have no audit yet are audited first.

    Raises Refused without enough questions for a form, when already opened, and where an audit found something and no
    reason is given for opening with it.
    """
    for question_set in study.question_sets.all():
        audits.report_of(question_set, by=by)
    return _open(study, one_line(reason), by)


@transaction.atomic
def _open(study: Study, reason: str, by: User) -> Study:
    locked = locked_study(study)
    if locked.state != StudyState.DRAFT:
        raise Refused("opened_already", _("The study has been opened before, and its plan is frozen."))
    forms = plans.forms_of(locked)
    FormQuestion.objects.bulk_create(
        FormQuestion(study=locked, form=form, question=question)
        for form, asked in enumerate(forms, start=1)
        for question in asked
    )
    FormPlaces.objects.bulk_create(
        FormPlaces(group=group, form=form)
        for group in locked.groups.all()
        for form, _asked in enumerate(forms, start=1)
    )
    plan = plans.plan_of(locked, forms, reason)
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
def close(*, study: Study, by: User) -> Study:
    """Close a study: no one can join. People under way continue to their deadline; without a limit they end now.

    Raises Refused for a study that is not open.
    """
    locked = locked_study(study)
    if locked.state != StudyState.OPEN:
        raise Refused("not_open", _("The study is not open."))
    now = timezone.now()
    for participant in locked.participants.filter(state=ParticipantState.ANSWERING, deadline_at=None):
        becomes = outcome_at_deadline(participant)
        code = locked.codes[VisitOutcome(becomes)]
        move(participant, becomes, scope=None, why="study closed", by=by, ended_at=now, code=code)
    move(locked, StudyState.CLOSED, scope=None, by=by, closed_at=now)
    return locked
