"""Addresses of the API."""

from rest_framework.routers import SimpleRouter

from annotation.api.corpora import Corpora
from annotation.api.projects import Projects
from annotation.api.rating import RatingProjects
from annotation.api.work import ProjectWork

router = SimpleRouter()
router.register("projects", Projects, basename="project")
router.register("projects", RatingProjects, basename="rating")
router.register("projects", ProjectWork, basename="work")
router.register("corpora", Corpora, basename="corpus")

urlpatterns = router.urls
