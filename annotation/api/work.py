"""The work in a project of either kind under /api/v1/projects/SLUG/: flags, qualification and pay."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api import examples
from annotation.api.examples import example
from annotation.api.of_projects import OfProjects
from annotation.api.work_serializers import FlagSerializer, PayableSerializer
from annotation.forms.payable import PeriodForm, this_month
from annotation.models import Kind
from annotation.selectors.flags import flags_of
from annotation.selectors.qualification.practice_drafts import practice_report
from annotation.selectors.qualification.qualification import qualification_report
from annotation.selectors.quality.payable import payable_columns, payable_rows
from core.api.pagination import PAGING
from core.api.requests import one_of, page_of

OPEN, RESOLVED = "open", "resolved"


class ProjectWork(OfProjects):
    @extend_schema(
        summary="The pairs or items that are flagged and not answered yet; or those that are resolved",
        responses=FlagSerializer(many=True),
        parameters=[OpenApiParameter("state", str, enum=[OPEN, RESOLVED]), *PAGING],
    )
    @action(detail=True)
    def flags(self, request: Request, slug: str) -> Response:
        flags = flags_of(self.get_object(), resolved=one_of(request, "state", (OPEN, RESOLVED)) == RESOLVED)
        page = page_of(flags, self)
        return self.get_paginated_response(FlagSerializer(page, many=True).data)

    @extend_schema(
        summary="Who may rate or write: practice; of annotators also gold graded and missed, and pauses",
        responses=OpenApiTypes.OBJECT,
        examples=example(examples.QUALIFICATION),
    )
    @action(detail=True, permission="raters.judge")
    def qualification(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        report_of = qualification_report if project.kind == Kind.RATING else practice_report
        return Response(report_of(project))

    @extend_schema(
        summary="What each person did in a stretch of days, and their hours at work",
        responses=PayableSerializer,
        parameters=[
            OpenApiParameter("since", OpenApiTypes.DATE, description="In UTC. Without both days: this month so far."),
            OpenApiParameter("until", OpenApiTypes.DATE, description="Included."),
        ],
    )
    @action(detail=True, permission="project.manage")
    def payable(self, request: Request, slug: str) -> Response:
        project = self.get_object()
        form = PeriodForm(request.query_params or this_month())
        if not form.is_valid():
            raise ValidationError({name: list(map(str, wrong)) for name, wrong in form.errors.items()})
        columns, rows = payable_columns(project), payable_rows(project, **form.cleaned_data)
        return Response({"people": [dict(zip(columns, row, strict=True)) for row in rows]})
