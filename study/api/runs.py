"""Runs of models under /api/v1/runs/, read-only. Names are those of run_baseline."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.pagination import PAGING, ByPosition, Newest
from core.api.requests import ApiRequest, MayReadApi, page_of
from study.api.serializers import PredictionSerializer, RunSerializer
from study.models import Run
from study.permissions import runs_of
from study.selectors.runs.runs import predictions_of


@extend_schema_view(
    list=extend_schema(summary="The runs of models that you may see, with their figures"),
    retrieve=extend_schema(summary="One run of a model with its figures"),
)
class Runs(viewsets.ReadOnlyModelViewSet[Run]):
    request: ApiRequest
    serializer_class = RunSerializer
    permission_classes = [MayReadApi]
    pagination_class = Newest
    queryset = Run.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[Run]:
        return runs_of(self.request.user).select_related("job")

    @extend_schema(
        summary="What a run predicted, in the order of the instances",
        responses=PredictionSerializer(many=True),
        parameters=PAGING,
    )
    @action(detail=True, pagination_class=ByPosition)
    def predictions(self, request: Request, pk: str) -> Response:
        page = page_of(predictions_of(self.get_object()), self)
        return self.get_paginated_response(PredictionSerializer(page, many=True).data)
