"""Pages of question sets: what came of the last drawing, and what a set left out."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.domain.transitions import JobState
from core.models.jobs import Job
from core.presenters.jobs import watch
from study.actions.questions.questions import why_not
from study.actions.questions.refusals import LEFT_OUT
from study.forms.questions import PICKED
from study.forms.runs import ablation_title
from study.models import QuestionSet


def left_out_of(question_set: QuestionSet) -> list[tuple[str | Promise, int]]:
    """Return the reasons for which instances were left out, the most frequent first."""
    left_out = sorted(question_set.left_out.items(), key=lambda item: -item[1])
    return [(LEFT_OUT.get(reason, reason), number) for reason, number in left_out]


def picked_of(question_set: QuestionSet) -> str | Promise:
    """Return how the false responses of a set were picked; or that each question brought them."""
    return _("provided by the source") if brings_own_candidates(question_set) else PICKED[question_set.recipe["pick"]]


def brings_own_candidates(question_set: QuestionSet) -> bool:
    """Return whether no false response of the set was drawn: how many there are is then up to the source."""
    return bool(question_set.recipe.get("own_candidates") == question_set.recipe["count"])


def conditions_of(question_set: QuestionSet) -> list[tuple[str, int]]:
    """Return the conditions of a set beside the whole context, each with its number of questions."""
    return [(ablation_title(name), number) for name, number in question_set.recipe.get("conditions", {}).items()]


def last_build(job: Job | None) -> dict[str, Any]:
    """Return what the page says of the person's last job, unless a newer set was built."""
    if job is None:
        return {}
    is_recent = not QuestionSet.objects.filter(created_by=job.created_by, created_at__gt=job.created_at).exists()
    failed = is_recent and job.state in (JobState.FAILED, JobState.CANCELLED)
    return {
        "job": job,
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if failed else None,
        "why": why_not(job) if is_recent else "",
    }
