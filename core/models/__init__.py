from core.models.audit import Event
from core.models.installation import SecretKeyDigest
from core.models.jobs import Job, JobPoint
from core.models.names import Name
from core.models.people import Account, Invitation, Role, TextSize, TokenUse, User
from core.models.stored_figures import StoredFigure

__all__ = [
    "Account",
    "Event",
    "Invitation",
    "Job",
    "JobPoint",
    "Name",
    "Role",
    "SecretKeyDigest",
    "StoredFigure",
    "TextSize",
    "TokenUse",
    "User",
]
