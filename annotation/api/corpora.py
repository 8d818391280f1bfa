"""Corpora under /api/v1/corpora/."""

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from annotation.api.audits import audit_or_404
from annotation.api.examples import AUDIT, example
from annotation.api.serializers import CorpusSerializer, DialogueSerializer
from annotation.domain.corpora.search import words_in
from annotation.domain.releases.splitting import Split
from annotation.models import Corpus
from annotation.permissions import corpora_of
from annotation.selectors.corpora.corpus_pages import position_in
from annotation.selectors.corpora.reading import DialogueFilter, filtered, reading_page
from core.api.archived import ARCHIVED, as_asked
from core.api.pagination import PAGING, ByPosition, Newest
from core.api.requests import ApiRequest, MayReadApi, one_of, page_of

YES = ["1", "true", "True"]


@extend_schema_view(
    list=extend_schema(summary="The corpora", parameters=[ARCHIVED]),
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
        return as_asked(corpora_of(self.request.user).select_related("variant_of", "parent"), self)

    @extend_schema(
        summary="The dialogues of a corpus, in their order",
        description="A search for words looks at 10,000 dialogues at most: `looked_at` says how far it got, "
        "from the first of the corpus, and `next` goes on there, also where nothing was found.",
        responses=DialogueSerializer(many=True),
        parameters=[
            OpenApiParameter("split", str, enum=list(Split)),
            OpenApiParameter("flagged", str, enum=YES, description="Only those with a flag."),
            OpenApiParameter("words", str, description="All must occur in the texts or the id, whatever their case."),
            OpenApiParameter("after", int, description="Of a search: the position after which it begins."),
            *PAGING,
        ],
    )
    @action(detail=True, pagination_class=ByPosition)
    def dialogues(self, request: Request, name: str) -> Response:
        corpus = self.get_object()
        words = words_in(request.query_params.get("words", ""))
        wanted = DialogueFilter(one_of(request, "split", Split), bool(one_of(request, "flagged", YES)), words)
        if words:
            return self._searched(corpus, wanted)
        page = page_of(filtered(corpus, wanted), self)
        return self.get_paginated_response(DialogueSerializer(page, many=True).data)

    def _searched(self, corpus: Corpus, wanted: DialogueFilter) -> Response:
        asked = self.request.query_params
        after = position_in(asked)["after"]
        if asked.get("after") and after is None:
            raise ValidationError({"after": [f"{asked['after']!r} is no position: a whole number from 0."]})
        page = reading_page(corpus, wanted, after=after, size=ByPosition().get_page_size(self.request))
        here = self.request.build_absolute_uri()
        return Response(
            {
                "next": None if page.after is None else replace_query_param(here, "after", page.after),
                "previous": None,
                "looked_at": page.looked_to,
                "results": DialogueSerializer(page.rows, many=True).data,
            }
        )

    @extend_schema(
        summary="What the last audit for leaks and shortcuts found; 404 where none was made",
        responses=OpenApiTypes.OBJECT,
        examples=example(AUDIT),
    )
    @action(detail=True)
    def audit(self, request: Request, name: str) -> Response:
        return Response(audit_or_404(self.get_object()))
