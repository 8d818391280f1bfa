"""Addresses of the API from questions to results."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from study.api.questions import QuestionSets
from study.api.results import StudyResults
from study.api.runs import Runs
from study.api.studies import Studies
from study.api.uploads import AnswerFiles, Uploads

router = SimpleRouter()
router.register("answers", AnswerFiles, basename="answer-file")
router.register("questions", QuestionSets, basename="question-set")
router.register("runs", Runs, basename="run")
router.register("studies", Studies, basename="study")
router.register("uploads", Uploads, basename="upload")

urlpatterns = [
    path("studies/<slug:slug>/results/", StudyResults.as_view(), name="study-results"),
    *router.urls,
]
