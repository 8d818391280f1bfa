"""Runs of models under /api/v1/runs/, read-only. Names are those of run_baseline."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.access import MayReadApi
from annotation.api.pagination import ByPosition, Newest
from annotation.domain.workflow import JobState
from study.models import Prediction, Run
from study.permissions import runs_of
from study.selectors.runs import predictions_of, state_of


class RunSerializer(serializers.ModelSerializer[Run]):
    run = serializers.IntegerField(source="pk", help_text="Its number.")
    model = serializers.CharField(help_text="The model's key.")
    state = serializers.SerializerMethodField(help_text="done: it has figures and predictions.")
    on = serializers.CharField(help_text="NAME or NAME:split of what it was asked about.")
    train = serializers.SerializerMethodField(help_text="What it was trained on; null: nothing.")
    seed = serializers.IntegerField(help_text="Of the model's draws.")
    metrics = serializers.JSONField(
        help_text="n, candidates, R@1, R@2, R@5, MRR, MRR@2, each with <name>_ci; null until it has ended."
    )
    checksum = serializers.CharField(help_text="SHA-256 of the predictions.")

    class Meta:
        model = Run
        fields = [
            "run", "model", "state", "on", "on_checksum", "train", "train_checksum", "seed", "metrics", "checksum",
            "created_at", "ended_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=list(JobState)))
    def get_state(self, run: Run) -> str:
        return str(state_of(run))

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_train(self, run: Run) -> str | None:
        return run.train or None


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    id = serializers.CharField(source="external_id", help_text="The instance's own id.")
    scores: Any = serializers.ListField(
        child=serializers.FloatField(), help_text="One a candidate, in the instance's own order; higher is better."
    )
    better = serializers.IntegerField(help_text="Candidates above the true one; null where it is not known.")
    tied = serializers.IntegerField(help_text="Candidates level with the true one.")

    class Meta:
        model = Prediction
        fields = ["id", "scores", "better", "tied"]


@extend_schema_view(
    list=extend_schema(summary="The runs of models that you may see, with their figures"),
    retrieve=extend_schema(summary="One run of a model with its figures"),
)
class Runs(viewsets.ReadOnlyModelViewSet[Run]):
    serializer_class = RunSerializer
    permission_classes = [MayReadApi]
    pagination_class = Newest
    queryset = Run.objects.none()  # for the schema; what is answered comes from get_queryset

    def get_queryset(self) -> QuerySet[Run]:
        return runs_of(self.request.user).select_related("job")

    @extend_schema(
        summary="What a run predicted, in the order of the instances",
        responses=PredictionSerializer(many=True),
        parameters=[
            OpenApiParameter("cursor", str, description="The part after cursor= in next or previous of an answer."),
            OpenApiParameter("page_size", int, description="At most 1,000."),
        ],
    )
    @action(detail=True, pagination_class=ByPosition)
    def predictions(self, request: Request, pk: str) -> Response:
        page = self.paginate_queryset(predictions_of(self.get_object())) or []
        return self.get_paginated_response(PredictionSerializer(page, many=True).data)
