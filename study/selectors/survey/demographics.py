"""Questions about a person that a study asks."""

from study.domain.survey import demographics
from study.domain.survey.demographics import DemographicQuestion
from study.models import Study, StudyDemographics


def newest_demographics(study: Study) -> StudyDemographics | None:
    """Return the version in force, in the study's language; None while the first questions were not changed."""
    return study.demographics.filter(language=study.language).first()


def demographics_of(study: Study) -> list[DemographicQuestion]:
    """Return the questions about a person that a study asks, in their order."""
    version = newest_demographics(study)
    if version is None:
        return list(demographics.FIRST[study.language])
    return [demographics.from_mapping(each) for each in version.questions]
