"""Members of a project who cannot sign in: bots, and people who graded elsewhere."""

from django.contrib.auth.hashers import make_password

from annotation.actions.projects.projects import add_member
from annotation.models import Project
from core.models import Role, User


def without_sign_in(*, project: Project, login: str, name: str, role: Role = Role.ANNOTATOR, by: User) -> User:
    """Return a member who cannot sign in, created if missing: a bot, or a person who graded elsewhere.

    The slash keeps the user name apart from those that people choose.
    """
    person, new = User.objects.get_or_create(
        username=f"{project.slug}/{login}",
        defaults={"name": name, "is_active": False, "password": make_password(None)},
    )
    if new:
        add_member(project=project, person=person, role=role, by=by)
    return person


def bot(project: Project, number: int, *, role: Role = Role.ANNOTATOR, by: User) -> User:
    """Return the bot with this number in the project."""
    return without_sign_in(project=project, login=f"bot-{number}", name=f"bot {number}", role=role, by=by)
