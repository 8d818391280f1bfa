from study.models.answers import Answer, Presentation
from study.models.people import Group, Identity, Participant
from study.models.questions import Question, QuestionPurpose, QuestionSet
from study.models.runs import Prediction, Run
from study.models.studies import FormQuestion, Study, StudyMembership, StudyText

__all__ = [
    "Answer", "FormQuestion", "Group", "Identity", "Participant", "Prediction", "Presentation", "Question",
    "QuestionPurpose", "QuestionSet", "Run", "Study", "StudyMembership", "StudyText",
]  # fmt: skip
