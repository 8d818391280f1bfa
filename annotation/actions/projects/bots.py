"""Members of a project who cannot sign in: bots, and people who graded elsewhere."""

from django.contrib.auth.hashers import make_password

from annotation.actions.projects.projects import add_member
from annotation.models import Project
from core.models import Role, User


def without_sign_in(*, project: Project, login: str, name: str, role: Role = Role.ANNOTATOR, by: User) -> User:
    """A member of the project as whom nobody signs in: a bot, or somebody who graded elsewhere. Made where missing.

    The slash in the user name keeps it apart from those that people choose.
    """
    person, new = User.objects.get_or_create(
        username=f"{project.slug}/{login}",
        defaults={"name": name, "role": role, "is_active": False, "password": make_password(None)},
    )
    if new:
        add_member(project=project, person=person, by=by)
    return person


def bot(project: Project, number: int, *, role: Role = Role.ANNOTATOR, by: User) -> User:
    """The bot with this number of the project."""
    return without_sign_in(project=project, login=f"bot-{number}", name=f"bot {number}", role=role, by=by)
