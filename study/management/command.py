"""What the study's commands share: finding a study, and the address under which participants reach the product."""

from django.conf import settings

from core.management.command import unknown
from core.models.people import User
from study.models import QuestionSet, Study
from study.permissions import question_sets_of, studies_of


def study(slug: str, *, by: User) -> Study:
    """A study that the person has a right to."""
    try:
        return studies_of(by).get(slug=slug)
    except Study.DoesNotExist:
        known = list(studies_of(by).values_list("slug", flat=True))
        raise unknown("study", slug, known, made_by="create_study") from None


def question_set(name: str, *, by: User) -> QuestionSet:
    """A question set that the person has a right to."""
    try:
        return question_sets_of(by).get(name=name)
    except QuestionSet.DoesNotExist:
        known = list(question_sets_of(by).values_list("name", flat=True))
        raise unknown("question set", name, known, made_by="build_questions") from None


def live_address() -> str:
    """PUBLIC_URL where it is set, else where the web process said that it answers (config/gunicorn.py)."""
    kept = settings.DATA_DIR / "address"
    said = settings.PUBLIC_URL or (kept.read_text().strip() if kept.exists() else "http://127.0.0.1:8000")
    return said.rstrip("/")
