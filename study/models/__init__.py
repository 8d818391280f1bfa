from study.models.answers import Answer, LateAnswer, Presentation
from study.models.people import Identity, Participant, StudyGroup, WithdrawnIdentity
from study.models.questions import Question, QuestionPurpose, QuestionSet
from study.models.runs import Prediction, Run
from study.models.studies import FormQuestion, Study, StudyMembership, StudyText

__all__ = [
    "Answer",
    "FormQuestion",
    "Identity",
    "LateAnswer",
    "Participant",
    "Prediction",
    "Presentation",
    "Question",
    "QuestionPurpose",
    "QuestionSet",
    "Run",
    "Study",
    "StudyGroup",
    "StudyMembership",
    "StudyText",
    "WithdrawnIdentity",
]
