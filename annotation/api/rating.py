"""The work in a rating project under /api/v1/projects/SLUG/: cleaning, gold, quality, grades, decisions.

Each address requires the permission of the page with the same content, and uses the same selector.
"""

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ModelSerializer

from annotation.actions.projects.boards import QUALITY
from annotation.api import examples
from annotation.api.examples import example
from annotation.api.of_projects import OfProjects
from annotation.api.rating_serializers import (
    AdjudicationSerializer,
    CleaningDecisionSerializer,
    GoldSerializer,
)
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.models import Kind, Project
from annotation.presenters.releases.releases import RATING_TYPES, ratings_file
from annotation.selectors.adjudication import decided_in
from annotation.selectors.cleaning.cleaning import cleaning_report, deciders_of, decisions_of, rules_of
from annotation.selectors.projects.board import QualityBoard
from annotation.selectors.projects.stored_boards import unpacked
from annotation.selectors.qualification.gold import gold_of
from annotation.selectors.quality.quality import described_quality
from core.api.figures import FIGURES, answer, figure_for
from core.api.pagination import PAGING, ByPosition
from core.api.requests import Row, one_of, page_of


class RatingProjects(OfProjects):
    def get_queryset(self) -> QuerySet[Project]:
        return super().get_queryset().filter(kind=Kind.RATING)

    @extend_schema(
        summary="What the rules of cleaning found and what people decided, by rule and by person",
        responses=OpenApiTypes.OBJECT,
        examples=example(examples.CLEANING),
    )
    @action(detail=True, permission="cleaning.oversee")
    def cleaning(self, request: Request, slug: str) -> Response:
        return Response(cleaning_report(self.get_object()))

    @extend_schema(
        summary="Every decision of cleaning, those that were undone too, the newest first",
        responses=CleaningDecisionSerializer(many=True),
        parameters=[
            OpenApiParameter("rule", str),
            OpenApiParameter("person", str, description="A user name."),
            OpenApiParameter("verdict", str, enum=list(CleaningVerdict)),
            *PAGING,
        ],
    )
    @action(detail=True, url_path="cleaning/decisions", permission="cleaning.oversee")
    def cleaning_decisions(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        decisions = decisions_of(
            project,
            verdict=one_of(request, "verdict", CleaningVerdict),
            rule=one_of(request, "rule", (rule.key for rule in rules_of(project))),
            person=one_of(request, "person", deciders_of(project)),
        )
        return self._page(decisions, CleaningDecisionSerializer)

    @extend_schema(
        summary="The gold pairs with their known grades", responses=GoldSerializer(many=True), parameters=PAGING
    )
    @action(detail=True, permission="pairs.import", pagination_class=ByPosition)
    def gold(self, request: Request, slug: str) -> Response:
        return self._page(gold_of(self.get_object()).select_related("gold"), GoldSerializer)

    @extend_schema(
        summary="How each annotator works: pace, grades, types, agreement with partners, drift, gold",
        responses=FIGURES,
        examples=example(examples.QUALITY),
    )
    @action(detail=True, permission="raters.judge")
    def quality(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        found = figure_for(self.request, QUALITY, project)
        return answer(found, described_quality(unpacked(QualityBoard, project, found.content).quality))

    @extend_schema(
        summary="Every grade that was ever given, streamed as one file",
        responses={(200, "application/jsonl"): OpenApiTypes.OBJECT, (200, "text/csv"): OpenApiTypes.STR},
        parameters=[OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(RATING_TYPES))],
        examples=example(examples.RATING, "application/jsonl"),
    )
    @action(detail=True, url_path=r"ratings/(?P<file_format>\w+)")
    def ratings(self, request: Request, slug: str, file_format: str) -> StreamingHttpResponse:
        project = self.get_object()
        if file_format not in RATING_TYPES:
            raise NotFound
        return ratings_file(project, file_format)

    @extend_schema(
        summary="What adjudicators decided about pairs that were graded too far apart, the newest first",
        responses=AdjudicationSerializer(many=True),
        parameters=PAGING,
    )
    @action(detail=True)
    def adjudications(self, request: Request, slug: str) -> Response:
        return self._page(decided_in(self.get_object()), AdjudicationSerializer)

    def _page(self, rows: QuerySet[Row], serializer: type[ModelSerializer[Row]]) -> Response:
        page = page_of(rows, self)
        return self.get_paginated_response(serializer(page, many=True).data)
