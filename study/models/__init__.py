from study.models.answers import Answer, LateAnswer, Presentation
from study.models.decisions import QuestionDecision
from study.models.exclusions import Exclusion
from study.models.people import (
    Behaviour,
    FormPlaces,
    Identity,
    Participant,
    ParticipantKey,
    StudyGroup,
    WithdrawnIdentity,
)
from study.models.questions import Question, QuestionAudit, QuestionPurpose, QuestionSet
from study.models.quoted_figures import QuotedFigure
from study.models.reports import Report, ReportFile
from study.models.runs import Prediction, Run
from study.models.studies import Deviation, FormQuestion, Study, StudyDemographics, StudyMembership, StudyText
from study.models.submissions import PayRecord, Reconciliation, Submission

__all__ = [
    "Answer",
    "Behaviour",
    "Deviation",
    "Exclusion",
    "FormPlaces",
    "FormQuestion",
    "Identity",
    "LateAnswer",
    "Participant",
    "ParticipantKey",
    "PayRecord",
    "Prediction",
    "Presentation",
    "Question",
    "QuestionAudit",
    "QuestionDecision",
    "QuestionPurpose",
    "QuestionSet",
    "QuotedFigure",
    "Reconciliation",
    "Report",
    "ReportFile",
    "Run",
    "Study",
    "StudyDemographics",
    "StudyGroup",
    "StudyMembership",
    "StudyText",
    "Submission",
    "WithdrawnIdentity",
]
