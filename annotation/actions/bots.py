"""Accounts of bots: nobody can sign in with them."""

from django.contrib.auth.hashers import make_password

from annotation.actions.projects import add_member
from annotation.models import Project, Role, User


def bot(project: Project, number: int, *, role: Role = Role.ANNOTATOR, by: User) -> User:
    """The bot with this number of the project."""
    found, _new = User.objects.get_or_create(
        username=f"{project.slug}/bot-{number}",
        defaults={"name": f"bot {number}", "role": role, "is_active": False, "password": make_password(None)},
    )
    add_member(project=project, person=found, by=by)
    return found
