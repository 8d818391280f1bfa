from annotation.models.adjudication import Adjudication
from annotation.models.cleaning import CleaningDecision, CleaningFinding, CleaningRule
from annotation.models.corpora import Corpus, Dialogue, DialogueEdit
from annotation.models.flags import Flag
from annotation.models.imports import DuplicateRow, GradesAre, Import, RefusedRow
from annotation.models.items import Item, Purpose
from annotation.models.model_grades import GradingModel, ModelGrade
from annotation.models.projects import GuidelineDraft, GuidelineVersion, Kind, Membership, Project
from annotation.models.qualification import Attempt, Gold, PracticeDraft, PracticeGrade
from annotation.models.reasoning import TypeChoice
from annotation.models.releases import Instance, Release
from annotation.models.rewriting import DraftVersion, Inspection, InstanceReturn, Rewrite
from annotation.models.transcripts import Recording, Transcript
from annotation.models.work import Assignment, Cursor, Queue, Rating, Slot, Step

__all__ = [
    "Adjudication",
    "Assignment",
    "Attempt",
    "CleaningDecision",
    "CleaningFinding",
    "CleaningRule",
    "Corpus",
    "Cursor",
    "Dialogue",
    "DialogueEdit",
    "DraftVersion",
    "DuplicateRow",
    "Flag",
    "Gold",
    "GradesAre",
    "GradingModel",
    "GuidelineDraft",
    "GuidelineVersion",
    "Import",
    "Inspection",
    "Instance",
    "InstanceReturn",
    "Item",
    "Kind",
    "Membership",
    "ModelGrade",
    "PracticeDraft",
    "PracticeGrade",
    "Project",
    "Purpose",
    "Queue",
    "Rating",
    "Recording",
    "RefusedRow",
    "Release",
    "Rewrite",
    "Slot",
    "Step",
    "Transcript",
    "TypeChoice",
]
