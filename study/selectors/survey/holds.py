"""How much work there is in a study, which holds it: it cannot be deleted."""

from core.selectors.jobs import jobs_under_way
from study.domain.survey.phases import OPENED
from study.models import Study
from study.selectors.questions.holds import jobs_on


def numbers_of_work(study: Study) -> dict[str, int]:
    """Return numbers of opened (1 or 0), participants, runs, reports, decisions, copies and jobs."""
    return {
        "opened": int(study.state in OPENED and not study.is_imported),
        "participants": study.participants.count(),
        "runs": study.runs.count(),
        "reports": study.reports.count(),
        "decisions": study.decisions.count(),
        "copies": study.copies.count(),  # what is said of the checks of one is said of all that descend from it
        "jobs": jobs_under_way(study) + jobs_on({study.slug}),
    }
