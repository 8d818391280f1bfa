"""Changes to a draft, a study not opened yet: its title, language, questions, settings and texts."""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import normalise, one_line
from core.models.people import User
from study.actions.survey.studies import (
    add_own_questions,
    check_fields,
    check_language,
    check_sets,
    locked_draft,
    settings_of,
)
from study.models import QuestionSet, Study, StudyText
from study.selectors.survey.plans import TEXTS, first_text, is_first, newest_text


@transaction.atomic
def change(
    *,
    study: Study,
    title: str,
    settings: Mapping[str, object],
    language: str = "",
    question_sets: Collection[QuestionSet] | None = None,
    by: User,
) -> Study:
    """Change the title, question sets, language or some settings; what is not given stays.

    The study's own questions are updated, and the texts that no one edited; a new language resets all texts. Raises
    Refused once the study is open, and for invalid values.
    """
    locked = locked_draft(study)
    following = [kind for kind in TEXTS if is_first(newest_text(locked, kind))]
    before = _facts(locked)
    locked.title, locked.language = one_line(title), language or locked.language
    locked.settings = settings_of({**locked.settings, **settings}).as_mapping()
    check_language(locked.language)
    check_fields(locked)
    locked.save(update_fields=["title", "language", "settings"])
    if question_sets is not None:
        check_sets(question_sets)
        locked.question_sets.set(question_sets)
    changed = _record_changes(locked, before, by)
    if changed & {"language", "question sets", "takers"}:
        locked.own_questions.all().delete()
        add_own_questions(locked)
    for kind in TEXTS if "language" in changed else following:
        if "language" in changed or newest_text(locked, kind).text != first_text(locked, kind):
            write_text(study=locked, kind=kind, text=first_text(locked, kind), by=by)
    return locked


def _facts(study: Study) -> dict[str, object]:
    sets = sorted(study.question_sets.values_list("pk", flat=True))
    return {"title": study.title, "language": study.language, "question sets": sets, **study.settings}


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
