"""Shared parts of the study's commands: looking up a study, settings of a model, the product's address."""

from argparse import ArgumentTypeError
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from core.management.command import unknown
from core.models.people import User
from study.models import Participant, QuestionSet, Study
from study.permissions import question_sets_of, studies_of
from study.selectors.runs.weights import weights_folder

SOURCE = "NAME[:split]"


def setting_of_a_model(text: str) -> tuple[str, str]:
    """Argument type: KEY=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"KEY=VALUE, not {text}")
    return name, value


def add_weights(parser: CommandParser) -> None:
    parser.add_argument(
        "--weights",
        type=_weights,
        default="",
        metavar="FOLDER",
        help="of the pre-trained weights that it begins with: a name in WEIGHTS_DIR, or a path",
    )


def _weights(text: str) -> str | Path:
    """Argument type: the name of a folder in WEIGHTS_DIR as it is, and anything else as a path."""
    return text if not text or weights_folder(text) else Path(text)


def study(slug: str, *, by: User) -> Study:
    """Return a study that the person may see. Raises CommandError."""
    try:
        return studies_of(by).get(slug=slug)
    except Study.DoesNotExist:
        known = list(studies_of(by).values_list("slug", flat=True))
        raise unknown("study", slug, known, made_by="create_study") from None


def participant(slug: str, token: str, *, by: User) -> Participant:
    """Return a person of a study by the id of their last page, or by their name in an import. Raises CommandError."""
    people = study(slug, by=by).participants.all()
    try:
        return people.get(public_id=UUID(token)) if _is_number(token) else people.exclude(label="").get(label=token)
    except Participant.DoesNotExist:
        raise CommandError(f"There is no participant {token} in {slug}.", returncode=2) from None


def _is_number(token: str) -> bool:
    try:
        UUID(token)
    except ValueError:
        return False
    return True


def question_set(name: str, *, by: User) -> QuestionSet:
    """Return a question set that the person may see. Raises CommandError."""
    try:
        return question_sets_of(by).get(name=name)
    except QuestionSet.DoesNotExist:
        known = list(question_sets_of(by).values_list("name", flat=True))
        raise unknown("question set", name, known, made_by="build_questions") from None


def live_address() -> str:
    """Return PUBLIC_URL where it is set, else the address that the web process wrote (config/gunicorn.py)."""
    kept = settings.DATA_DIR / "address"
    said = settings.PUBLIC_URL or (kept.read_text().strip() if kept.exists() else "http://127.0.0.1:8000")
    return said.rstrip("/")
