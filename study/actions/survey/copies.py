"""Another draft with the plan of a study: a copy to start from, or a pilot of it."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import names
from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey import studies
from study.models import QuestionPurpose, Study, StudyText
from study.selectors.survey.demographics import demographics_of, newest_demographics
from study.selectors.survey.own_questions import own_questions_of
from study.selectors.survey.plans import CONSENT, TEXTS, is_first, newest_text


@transaction.atomic
def duplicate(*, study: Study, slug: str, title: str = "", is_pilot: bool = False, by: User) -> Study:
    """Create a draft with the plan of a study, under links and codes of its own.

    A pilot is the same study whose answers are in no figure. Raises Refused for imported answers, which have no plan,
    when the name is taken, and when the study has just been deleted.
    """
    if study.is_imported:
        raise Refused("imported", _("Answers from elsewhere have no plan that could be copied."))
    names.keep([study.slug])
    copy = studies.create(
        slug=slug,
        title=title or study.title,
        question_sets=list(study.question_sets.all()),
        settings={**study.survey.as_mapping(), "pilot": is_pilot},
        language=study.language,
        groups=list(study.groups.values_list("name", "quota")),
        seed=study.seed,
        by=by,
    )
    copy.copy_of = study
    copy.save(update_fields=["copy_of"])
    for group in study.groups.all():
        copy.groups.filter(name=group.name).update(requires_id=group.requires_id, return_url=group.return_url)
    if newest_demographics(study) is not None:
        studies.add_demographics(copy, demographics_of(study), by)
    _copy_own_questions(study, copy)
    _copy_texts(study, copy, by)
    record(copy, became="pilot" if is_pilot else "copy", scope=None, by=by)
    return copy


def _copy_own_questions(study: Study, copy: Study) -> None:
    copy.own_questions.all().delete()
    for purpose in (QuestionPurpose.PRACTICE, QuestionPurpose.CHECK):
        for question in own_questions_of(study, purpose):
            question.pk, question.study = None, copy
            question.save(force_insert=True)


def _copy_texts(study: Study, copy: Study, by: User) -> None:
    """Copy the texts that a person wrote. The others start as the copy's own, because they name its maker."""
    for kind in TEXTS:
        newest = newest_text(study, kind)
        number = newest_text(copy, kind).number + 1
        if not is_first(newest):
            StudyText.objects.create(
                study=copy, kind=kind, number=number, language=study.language, text=newest.text, created_by=by
            )
            if kind == CONSENT:  # it says what is noted
                copy.notes_behaviour, copy.notes_screen = study.notes_behaviour, study.notes_screen
                copy.save(update_fields=["notes_behaviour", "notes_screen"])
