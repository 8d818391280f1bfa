from study.models.answers import Answer, LateAnswer, Presentation
from study.models.people import Identity, Participant, StudyGroup, WithdrawnIdentity
from study.models.questions import Question, QuestionAudit, QuestionPurpose, QuestionSet
from study.models.runs import Prediction, Run
from study.models.studies import Deviation, FormQuestion, Study, StudyDemographics, StudyMembership, StudyText

__all__ = [
    "Answer",
    "Deviation",
    "FormQuestion",
    "Identity",
    "LateAnswer",
    "Participant",
    "Prediction",
    "Presentation",
    "Question",
    "QuestionAudit",
    "QuestionPurpose",
    "QuestionSet",
    "Run",
    "Study",
    "StudyDemographics",
    "StudyGroup",
    "StudyMembership",
    "StudyText",
    "WithdrawnIdentity",
]
