"""Read-only answers under /api/v1/. Every object is loaded through the projects of the person who asks."""

from functools import partial

from django.db.models import QuerySet
from django.http import FileResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.actions.projects.boards import AGREEMENT, PROGRESS
from annotation.api.audits import audit_or_404
from annotation.api.examples import AUDIT, example
from annotation.api.of_projects import OfProjects
from annotation.api.serializers import (
    ItemSerializer,
    PairProgressSerializer,
    ProjectSerializer,
    ReleaseSerializer,
    RewritingItemSerializer,
    RewritingProgressSerializer,
)
from annotation.domain.workflow import ItemState
from annotation.exporters import EXPORTERS
from annotation.models import Item, Kind, Project
from annotation.presenters.releases.releases import release_zip
from annotation.selectors import reasoning
from annotation.selectors.agreement.agreement import described_agreement
from annotation.selectors.inspection import inspections
from annotation.selectors.projects.board import AgreementBoard
from annotation.selectors.projects.progress import rewriting_progress_of
from annotation.selectors.projects.stored_boards import unpacked
from annotation.selectors.rating import pairs
from annotation.selectors.rating.model_grades import model_grades_of
from annotation.selectors.releases.releases import formats_of
from core.api.archived import ARCHIVED, as_asked
from core.api.figures import FIGURES, answer, figure_for
from core.api.pagination import PAGING, ByPosition
from core.api.requests import one_of, page_of
from core.domain.text import normalise

FORMATS = sorted(EXPORTERS)
one_of_kinds = partial(PolymorphicProxySerializer, resource_type_field_name=None)
NUMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The release's number, from 1.")


@extend_schema_view(
    list=extend_schema(summary="The projects you belong to", parameters=[ARCHIVED]),
    retrieve=extend_schema(summary="One project with its settings"),
)
class Projects(mixins.ListModelMixin, mixins.RetrieveModelMixin, OfProjects):
    serializer_class = ProjectSerializer

    def get_queryset(self) -> QuerySet[Project]:
        return as_asked(super().get_queryset(), self)

    @extend_schema(
        summary="The pairs of a project, with their grades once all are in; or its questions to rewrite",
        responses=one_of_kinds(
            component_name="ItemOfEitherKind", serializers=[ItemSerializer, RewritingItemSerializer], many=True
        ),
        parameters=[
            OpenApiParameter("state", str, enum=list(ItemState)),
            OpenApiParameter("source", str),
            *PAGING,
        ],
    )
    @action(detail=True, pagination_class=ByPosition)
    def items(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        items = Item.objects.counting().filter(project=project)
        if state := one_of(request, "state", ItemState):
            items = items.filter(state=state)
        if source := normalise(request.query_params.get("source", "")):
            items = items.filter(source=source)
        page = page_of(items, self)
        if project.kind == Kind.REWRITING:
            return self.get_paginated_response(RewritingItemSerializer(page, many=True).data)
        context = {"grades": pairs.grades_of(page), "model_grades": model_grades_of(item.pk for item in page)}
        return self.get_paginated_response(ItemSerializer(page, many=True, context=context).data)

    @extend_schema(
        summary="How many pairs, or items to rewrite, are open, kept and removed",
        responses=one_of_kinds(
            component_name="Progress", serializers=[PairProgressSerializer, RewritingProgressSerializer]
        ),
    )
    @action(detail=True)
    def progress(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        if project.kind == Kind.REWRITING:
            return Response(rewriting_progress_of(project))
        found = figure_for(self.request, PROGRESS, project)
        return answer(found, found.content)

    @extend_schema(
        summary="Agreement before and after the filter, with intervals over pairs or prompts; or what inspectors found",
        responses=FIGURES,
    )
    @action(detail=True)
    def agreement(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        if project.kind == Kind.REWRITING:
            return Response(inspections.inspection_report(project))
        found = figure_for(self.request, AGREEMENT, project)
        board = unpacked(AgreementBoard, project, found.content)
        return answer(found, described_agreement(board.agreement, board.parts, board.models))

    @extend_schema(
        summary="What two people named as the reasoning of instances, beside the published shares; 404 for pairs",
        responses=OpenApiTypes.OBJECT,
    )
    @action(detail=True, url_path="reasoning-types")
    def reasoning(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        if project.kind != Kind.REWRITING:
            raise NotFound
        return Response(reasoning.reasoning_report(project))

    @extend_schema(summary="The releases of a project", responses=ReleaseSerializer(many=True))
    @action(detail=True)
    def releases(self, request: Request, slug: str) -> Response:
        page = page_of(self.get_object().releases.select_related("project"), self)
        return self.get_paginated_response(ReleaseSerializer(page, many=True).data)

    @extend_schema(
        summary="One release: counts, statistics, checksum", responses=ReleaseSerializer, parameters=[NUMBER]
    )
    @action(detail=True, url_path=r"releases/(?P<number>\d+)")
    def release(self, request: Request, slug: str, number: str) -> Response:
        found = get_object_or_404(self.get_object().releases.select_related("project"), number=number)
        return Response(ReleaseSerializer(found).data)

    @extend_schema(
        summary="What the last audit of a release of instances found; 404 where none was made",
        responses=OpenApiTypes.OBJECT,
        parameters=[NUMBER],
        examples=example(AUDIT),
    )
    @action(detail=True, url_path=r"releases/(?P<number>\d+)/audit")
    def audit(self, request: Request, slug: str, number: str) -> Response:
        found = get_object_or_404(self.get_object().releases.select_related("project"), number=number)
        return Response(audit_or_404(found))

    @extend_schema(
        summary="A release's files in one zip",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
        parameters=[
            NUMBER,
            OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=FORMATS),
            OpenApiParameter("variant", str, enum=["plus"], description="Of a release frozen with it: MuTual-plus."),
        ],
    )
    @action(detail=True, url_path=r"releases/(?P<number>\d+)/files/(?P<file_format>\w+)")
    def export(self, request: Request, slug: str, number: str, file_format: str) -> FileResponse:
        found = get_object_or_404(self.get_object().releases.select_related("project"), number=number)
        variant = one_of(request, "variant", found.variants)
        if file_format not in formats_of(found.project):
            raise NotFound
        return release_zip(found, file_format, variant)
