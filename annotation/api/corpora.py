"""Corpora under /api/v1/corpora/."""

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.audits import audit_or_404
from annotation.api.examples import AUDIT, example
from annotation.api.serializers import CorpusSerializer, DialogueSerializer
from annotation.domain.releases.splitting import Split
from annotation.models import Corpus
from annotation.permissions import corpora_of
from core.api.pagination import PAGING, ByPosition, Newest
from core.api.requests import ApiRequest, MayReadApi, one_of, page_of


@extend_schema_view(
    list=extend_schema(summary="The corpora"),
    retrieve=extend_schema(summary="One corpus with its figures and checksum"),
)
class Corpora(viewsets.ReadOnlyModelViewSet[Corpus]):
    request: ApiRequest
    serializer_class = CorpusSerializer
    permission_classes = [MayReadApi]
    pagination_class = Newest
    lookup_field = "name"
    queryset = Corpus.objects.none()  # for the schema only; answers come from get_queryset

    def get_queryset(self) -> QuerySet[Corpus]:
        return corpora_of(self.request.user).select_related("variant_of")

    @extend_schema(
        summary="The dialogues of a corpus, in their order",
        responses=DialogueSerializer(many=True),
        parameters=[OpenApiParameter("split", str, enum=list(Split)), *PAGING],
    )
    @action(detail=True, pagination_class=ByPosition)
    def dialogues(self, request: Request, name: str) -> Response:
        dialogues = self.get_object().dialogues.all()
        if split := one_of(request, "split", Split):
            dialogues = dialogues.filter(split=split)
        page = page_of(dialogues, self)
        return self.get_paginated_response(DialogueSerializer(page, many=True).data)

    @extend_schema(
        summary="What the last audit for leaks and shortcuts found; 404 where none was made",
        responses=OpenApiTypes.OBJECT,
        examples=example(AUDIT),
    )
    @action(detail=True)
    def audit(self, request: Request, name: str) -> Response:
        return Response(audit_or_404(self.get_object()))
