"""Accounts of bots: nobody can sign in with them."""

from annotation.actions.people import without_sign_in
from annotation.models import Project, Role, User


def bot(project: Project, number: int, *, role: Role = Role.ANNOTATOR, by: User) -> User:
    """The bot with this number of the project."""
    return without_sign_in(project=project, login=f"bot-{number}", name=f"bot {number}", role=role, by=by)
