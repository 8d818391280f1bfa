from study.models.answers import Answer, Presentation
from study.models.people import Identity, Participant, StudyGroup
from study.models.questions import Question, QuestionPurpose, QuestionSet
from study.models.runs import Prediction, Run
from study.models.studies import FormQuestion, Study, StudyMembership, StudyText

__all__ = [
    "Answer",
    "FormQuestion",
    "Identity",
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
]
