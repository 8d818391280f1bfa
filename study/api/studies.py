"""Studies under /api/v1/, read-only, and only those of the person who asks."""

from django.db.models import QuerySet
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.archived import ARCHIVED, as_asked
from core.api.pagination import Newest
from core.api.requests import ApiRequest, MayReadApi
from study.api.serializers import FieldworkSerializer, PlannedStudySerializer, StudySerializer
from study.exporters.study_tables import FORMATS
from study.models import Study
from study.permissions import studies_of
from study.presenters.study_exports import study_zip
from study.selectors.results.export import is_exportable
from study.selectors.survey.fieldwork import fieldwork_of


@extend_schema_view(
    list=extend_schema(summary="The studies you belong to", parameters=[ARCHIVED]),
    retrieve=extend_schema(summary="One study with its plan"),
)
class Studies(viewsets.ReadOnlyModelViewSet[Study]):
    request: ApiRequest
    permission_classes = [MayReadApi]
    pagination_class = Newest
    lookup_field = "slug"
    queryset = Study.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[Study]:
        return as_asked(studies_of(self.request.user).prefetch_related("question_sets"), self)

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Study]]:
        return PlannedStudySerializer if self.action == "retrieve" else StudySerializer

    @extend_schema(summary="How many people came, by group, form and outcome", responses=FieldworkSerializer)
    @action(detail=True)
    def fieldwork(self, request: Request, slug: str) -> Response:
        return Response(FieldworkSerializer(fieldwork_of(self.get_object())).data)

    @extend_schema(
        summary="A closed study as a zip of answers, people, questions and codebook",
        description="A file that takes long to make is made on the study's page first.",
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY)},
        parameters=[OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=FORMATS)],
    )
    @action(detail=True, url_path=r"export/(?P<file_format>\w+)")
    def export(self, request: Request, slug: str, file_format: str) -> FileResponse:
        study = self.get_object()
        answer = study_zip(study, file_format) if is_exportable(study) and file_format in FORMATS else None
        if answer is None:
            raise NotFound
        return answer
