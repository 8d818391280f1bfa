from annotation.models.adjudication import Adjudication
from annotation.models.audit import Event
from annotation.models.cleaning import CleaningDecision, CleaningRule, Finding
from annotation.models.corpora import Corpus, Dialogue
from annotation.models.flags import Flag
from annotation.models.imports import DoubleRow, Import, RefusedRow
from annotation.models.items import Item, Purpose
from annotation.models.jobs import Job
from annotation.models.names import Name, NameKind
from annotation.models.people import Invitation, Role, User
from annotation.models.projects import GuidelineVersion, Kind, Membership, Project
from annotation.models.qualification import Attempt, Gold, PracticeDraft, PracticeGrade
from annotation.models.reasoning import TypeChoice
from annotation.models.releases import Instance, Release
from annotation.models.rewriting import DraftVersion, Inspection, Reopening, Rewrite
from annotation.models.transcripts import Recording, Transcript
from annotation.models.work import Cursor, Place, Queue, Rating, Seat, Step

__all__ = [
    "Adjudication", "Attempt", "CleaningDecision", "CleaningRule", "Corpus", "Cursor", "Dialogue", "DoubleRow",
    "DraftVersion", "Event", "Finding", "Flag", "Gold", "GuidelineVersion", "Import", "Inspection", "Instance",
    "Invitation", "Item", "Job", "Kind", "Membership", "Name", "NameKind", "Place", "PracticeDraft",
    "PracticeGrade", "Project", "Purpose", "Queue", "Rating", "Recording", "RefusedRow", "Release", "Reopening",
    "Rewrite", "Role", "Seat", "Step", "Transcript", "TypeChoice", "User",
]  # fmt: skip
