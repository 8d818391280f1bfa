"""Studies under /api/v1/, read-only, and only those of the person who asks."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.pagination import Newest
from core.api.requests import ApiRequest, MayReadApi
from study.api.serializers import FieldworkSerializer, PlannedStudySerializer, StudySerializer
from study.models import Study
from study.permissions import studies_of
from study.selectors.survey.fieldwork import fieldwork_of


@extend_schema_view(
    list=extend_schema(summary="The studies you belong to"),
    retrieve=extend_schema(summary="One study with its plan"),
)
class Studies(viewsets.ReadOnlyModelViewSet[Study]):
    request: ApiRequest
    permission_classes = [MayReadApi]
    pagination_class = Newest
    lookup_field = "slug"
    queryset = Study.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[Study]:
        return studies_of(self.request.user).prefetch_related("question_sets")

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Study]]:
        return PlannedStudySerializer if self.action == "retrieve" else StudySerializer

    @extend_schema(summary="How many people came, by group, form and outcome", responses=FieldworkSerializer)
    @action(detail=True)
    def fieldwork(self, request: Request, slug: str) -> Response:
        return Response(FieldworkSerializer(fieldwork_of(self.get_object())).data)
