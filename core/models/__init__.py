from core.models.audit import Event
from core.models.jobs import Job
from core.models.names import Name
from core.models.people import Invitation, Role, User

__all__ = ["Event", "Invitation", "Job", "Name", "Role", "User"]
