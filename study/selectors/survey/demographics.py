"""Questions about a person that a study asks."""

from study.domain.survey import demographics
from study.domain.survey.demographics import DemographicQuestion
from study.models import Question, Study, StudyDemographics


def newest_demographics(study: Study) -> StudyDemographics | None:
    """Return the version in force, in the study's language; None while the first questions were not changed."""
    return study.demographics.filter(language=study.language).first()


def demographics_of(study: Study) -> list[DemographicQuestion]:
    """Return the questions about a person that a study asks, in their order."""
    version = newest_demographics(study)
    if version is None and study.is_imported:
        return list(demographics.KNOWN[study.language])  # whichever of them the file answers
    if version is None:
        asked = Question.objects.filter(question_set__in=study.question_sets.all()).order_by()
        return demographics.first_questions(study.language, asked.values_list("corpus", flat=True).distinct())
    return [demographics.from_mapping(each) for each in version.questions]
