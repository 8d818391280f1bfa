from annotation.models.adjudication import Adjudication
from annotation.models.audit import Event
from annotation.models.cleaning import CleaningDecision, CleaningRule, Finding
from annotation.models.corpora import Corpus, Dialogue
from annotation.models.flags import Flag
from annotation.models.imports import DoubleRow, Import, RefusedRow
from annotation.models.items import Item, Purpose
from annotation.models.jobs import Job
from annotation.models.names import Name, NameKind
from annotation.models.people import Invitation, Membership, Role, User
from annotation.models.projects import GuidelineVersion, Kind, Project
from annotation.models.qualification import Attempt, Gold, PracticeGrade
from annotation.models.releases import Instance, Release
from annotation.models.rewriting import Inspection, Rewrite
from annotation.models.work import Cursor, Place, Queue, Rating, Seat, Step

__all__ = [
    "Adjudication", "Attempt", "CleaningDecision", "CleaningRule", "Corpus", "Cursor", "Dialogue", "DoubleRow", "Event",
    "Finding", "Flag", "Gold", "GuidelineVersion", "Import", "Inspection", "Instance", "Invitation", "Item", "Job",
    "Kind", "Membership", "Name", "NameKind", "Place", "PracticeGrade", "Project", "Purpose", "Queue", "Rating",
    "RefusedRow", "Release", "Rewrite", "Role", "Seat", "Step", "User",
]  # fmt: skip
