from study.models.answers import Answer, LateAnswer, Presentation
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
from study.models.runs import Prediction, Run
from study.models.studies import FormQuestion, Study, StudyMembership, StudyText

__all__ = [
    "Answer",
    "Behaviour",
    "FormPlaces",
    "FormQuestion",
    "Identity",
    "LateAnswer",
    "Participant",
    "ParticipantKey",
    "Prediction",
    "Presentation",
    "Question",
    "QuestionAudit",
    "QuestionPurpose",
    "QuestionSet",
    "Run",
    "Study",
    "StudyGroup",
    "StudyMembership",
    "StudyText",
    "WithdrawnIdentity",
]
