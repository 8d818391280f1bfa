"""Changes to a draft, a study not opened yet: its title, language, questions, settings and texts."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from core.models.people import User
from study.actions.survey import own_questions
from study.actions.survey.locks import locked_draft
from study.actions.survey.studies import check_fields, check_language, check_sets, settings_of
from study.domain.survey.survey import SurveySettings
from study.models import Question, QuestionPurpose, QuestionSet, Study, StudyText
from study.selectors.survey.own_questions import asked_of, own_questions_of, ready_questions
from study.selectors.survey.plans import TEXTS, first_text, is_first, newest_text

WRITTEN = ("mix", "derived", "pay", *SurveySettings.TEXTS)  # settings that hold words of a person
COUNTED = {QuestionPurpose.PRACTICE: "practice", QuestionPurpose.CHECK: "checks"}  # the settings that say how many
NO_SETTINGS: Mapping[str, object] = MappingProxyType({})


@transaction.atomic
def change(
    *,
    study: Study,
    title: str | None = None,
    settings: Mapping[str, object] = NO_SETTINGS,
    language: str = "",
    question_sets: Collection[QuestionSet] | None = None,
    by: User,
) -> Study:
    """Change the title, question sets, language or some settings; what is not given stays.

    The texts and the study's own questions that no one edited follow; a new language resets all of them. Raises Refused
    once the study is open, and for invalid values.
    """
    locked = locked_draft(study)
    following = unedited_texts(locked)
    before, own = _facts(locked), ready_questions(locked)
    locked.title = locked.title if title is None else one_line(title)
    locked.language = language or locked.language
    locked.settings = settings_of({**locked.settings, **settings}).as_mapping()
    check_language(locked.language)
    check_fields(locked)
    locked.save(update_fields=["title", "language", "settings"])
    if question_sets is not None:
        check_sets(question_sets)
        locked.question_sets.set(question_sets)
    changed = _record_changes(locked, before, by)
    if "language" in changed:
        locked.own_questions.all().delete()
        own_questions.add_all(locked)
    elif changed & {"question sets", "practice", "checks", "takers"}:
        own_questions.follow(locked, own)
    follow_texts(locked, TEXTS if "language" in changed else following, by)
    return locked


@transaction.atomic
def add_question(*, study: Study, purpose: QuestionPurpose, by: User, **written: Any) -> Question:
    """Add a practice question or a check in a researcher's words (own_questions.append).

    Where as many are there as the settings ask for, they ask for one more. Raises Refused for too many.
    """
    added = own_questions.append(study=study, purpose=purpose, **written, by=by)
    count = own_questions_of(study, purpose).count()
    if count > asked_of(study)[purpose]:
        change(study=study, settings={COUNTED[purpose]: count}, by=by)
    return added


@transaction.atomic
def remove_question(*, question: Question, by: User) -> None:
    """Remove a practice question or a check, and ask for one fewer.

    Raises Refused for the only practice question, for fewer checks than a rule needs, and once the study is open.
    """
    study, purpose = question.study, QuestionPurpose(question.purpose)
    assert study is not None  # it is one of a study's own
    own_questions.delete(question=question, by=by)
    change(study=study, settings={COUNTED[purpose]: asked_of(study)[purpose] - 1}, by=by)


def unedited_texts(study: Study) -> list[str]:
    """Return the kinds of texts that are still the default."""
    return [kind for kind in TEXTS if is_first(newest_text(study, kind))]


def follow_texts(study: Study, kinds: Collection[str], by: User) -> None:
    """Write the default texts of these kinds again where what they say of the study has changed."""
    for kind in kinds:
        newest = study.texts.filter(kind=kind, language=study.language).first()
        if newest is None or newest.text != first_text(study, kind):
            write_text(study=study, kind=kind, text=first_text(study, kind), by=by)


def _facts(study: Study) -> dict[str, object]:
    sets = sorted(study.question_sets.values_list("pk", flat=True))
    return {"title": study.title, "language": study.language, "question sets": sets, **study.survey.as_mapping()}


def _record_changes(study: Study, before: Mapping[str, object], by: User) -> set[str]:
    """Record an event for each changed fact and return their names.

    Events contain no text and no name that a person wrote.
    """
    now = _facts(study)
    changed = [name for name in now if now[name] != before[name]]
    for name in changed:
        match name:
            case "title":
                record(study, became="renamed", scope=None, by=by)
            case "question sets":
                record(study, became="other question sets", scope=None, by=by)
            case _ if name in WRITTEN:
                record(study, became=f"other {name}", scope=None, by=by)
            case _:
                record(study, was=f"{name} {before[name]}", became=f"{name} {now[name]}", scope=None, by=by)
    return set(changed)


@transaction.atomic
def write_text(*, study: Study, kind: str, text: str, by: User) -> StudyText:
    """Store a new version of a text for participants. Raises Refused once the study is open, or for an empty text."""
    locked = locked_draft(study)
    if not normalise(text):
        raise Refused("text_empty", _("Not saved: the text is empty."))
    newest = locked.texts.filter(kind=kind).first()
    version = StudyText.objects.create(
        study=locked,
        kind=kind,
        number=newest.number + 1 if newest else 1,
        language=locked.language,
        text=normalise(text),
        created_by=by,
    )
    record(version, became="written", scope=None, by=by)
    return version
