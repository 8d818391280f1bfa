"""Addresses of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.routers import SimpleRouter

from annotation.api.access import MayReadApi
from annotation.api.corpora import Corpora
from annotation.api.rating import RatingProjects
from annotation.api.views import Projects
from annotation.api.work import ProjectWork

router = SimpleRouter()
router.register("projects", Projects, basename="project")
router.register("projects", RatingProjects, basename="rating")
router.register("projects", ProjectWork, basename="work")
router.register("corpora", Corpora, basename="corpus")

urlpatterns = [
    path("schema/", SpectacularJSONAPIView.as_view(permission_classes=[MayReadApi]), name="api-schema"),
    *router.urls,
]
