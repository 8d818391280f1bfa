"""Question sets under /api/v1/questions/ that the person may see."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.archived import ARCHIVED, as_asked
from core.api.pagination import PAGING, ByPosition, Newest
from core.api.requests import ApiRequest, MayReadApi, page_of
from study.api.serializers import QuestionSerializer, QuestionSetSerializer
from study.models import Question, QuestionSet
from study.permissions import question_sets_of


@extend_schema_view(
    list=extend_schema(summary="The question sets you drew, and those of your studies", parameters=[ARCHIVED]),
    retrieve=extend_schema(summary="One question set: how it was drawn, what was left out, checksum"),
)
class QuestionSets(viewsets.ReadOnlyModelViewSet[QuestionSet]):
    request: ApiRequest
    serializer_class = QuestionSetSerializer
    permission_classes = [MayReadApi]
    pagination_class = Newest
    lookup_field = "name"
    queryset = QuestionSet.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[QuestionSet]:
        return as_asked(question_sets_of(self.request.user), self)

    @extend_schema(
        summary="The questions of a set, in their order, with the right answers",
        responses=QuestionSerializer(many=True),
        parameters=PAGING,
    )
    @action(detail=True, pagination_class=ByPosition)
    def questions(self, request: Request, name: str) -> Response:
        page = page_of(Question.objects.counting().filter(question_set=self.get_object()), self)
        return self.get_paginated_response(QuestionSerializer(page, many=True).data)
