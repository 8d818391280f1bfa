"""Views under /api/v1/projects/ of the projects in which a person may see the work."""

from django.db.models import QuerySet
from rest_framework import viewsets

from annotation.models import Project
from annotation.permissions import projects_of
from core.api.pagination import Newest
from core.api.requests import ApiRequest, MayReadApi


class OfProjects(viewsets.GenericViewSet[Project]):
    request: ApiRequest
    permission_classes = [MayReadApi]
    permission = "project.view"
    pagination_class = Newest
    lookup_field = "slug"
    queryset = Project.objects.none()  # for the schema only; answers come from get_queryset

    def get_queryset(self) -> QuerySet[Project]:
        return projects_of(self.request.user, "project.view")
