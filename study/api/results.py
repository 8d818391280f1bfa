"""Results of a closed study under /api/v1/, for people who may view it."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.figures import FIGURES, answer, figure_for
from core.api.requests import ApiRequest, MayReadApi
from study.actions.results import RESULTS
from study.domain.results.exclusions import RULES
from study.permissions import studies_of
from study.selectors.results.results import in_words, is_readable


class StudyResults(APIView):
    permission_classes = [MayReadApi]

    @extend_schema(
        summary="People and models on the same questions, each figure with its intervals",
        responses=FIGURES,
        parameters=[
            OpenApiParameter(
                "without", str, enum=sorted(RULES), many=True, description="Exclusion rules that do not apply."
            )
        ],
    )
    def get(self, request: ApiRequest, slug: str) -> Response:
        study = get_object_or_404(studies_of(request.user), slug=slug)
        if not is_readable(study):
            raise Http404
        without = sorted(set(request.query_params.getlist("without")))
        if unknown := set(without) - set(RULES):
            raise ValidationError({"without": [f"unknown: {', '.join(sorted(unknown))}. Known: {', '.join(RULES)}."]})
        found = figure_for(request, RESULTS, study, {"without": without})
        return answer(found, in_words(study, found.content))
