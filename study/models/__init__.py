from study.models.answers import Answer, LateAnswer, Presentation
from study.models.decisions import QuestionDecision
from study.models.exclusions import Exclusion
from study.models.people import Identity, Participant, StudyGroup, WithdrawnIdentity
from study.models.questions import Question, QuestionAudit, QuestionPurpose, QuestionSet
from study.models.runs import Prediction, Run
from study.models.studies import Deviation, FormQuestion, Study, StudyDemographics, StudyMembership, StudyText
from study.models.submissions import Reconciliation, Submission

__all__ = [
    "Answer",
    "Deviation",
    "Exclusion",
    "FormQuestion",
    "Identity",
    "LateAnswer",
    "Participant",
    "Prediction",
    "Presentation",
    "Question",
    "QuestionAudit",
    "QuestionDecision",
    "QuestionPurpose",
    "QuestionSet",
    "Reconciliation",
    "Run",
    "Study",
    "StudyDemographics",
    "StudyGroup",
    "StudyMembership",
    "StudyText",
    "Submission",
    "WithdrawnIdentity",
]
