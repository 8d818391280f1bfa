"""Results of a closed study under /api/v1/, for people who may view it."""

from collections.abc import Collection
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.figures import FIGURES, answer, figure_for
from core.api.requests import ApiRequest, MayReadApi
from study.actions.results import RESULTS
from study.domain.results.exclusions import BY_DEFAULT, ON_REQUEST, RuleSwitches
from study.models import Study
from study.permissions import studies_of
from study.selectors.results.crossings import CrossingRefused, crossing_of, labels_in
from study.selectors.results.results import in_words, is_readable


class StudyResults(APIView):
    permission_classes = [MayReadApi]

    @extend_schema(
        summary="People and models on the same questions, each figure with its intervals",
        responses=FIGURES,
        parameters=[
            OpenApiParameter(
                "without", str, enum=sorted(BY_DEFAULT), many=True, description="Exclusion rules that do not apply."
            ),
            OpenApiParameter(
                "also", str, enum=sorted(ON_REQUEST), many=True, description="Rules of no plan that apply, too."
            ),
            OpenApiParameter(
                "by",
                str,
                description="Labels with commas between them, such as `corpus,half`: the answer has the figures of "
                "each crossing in `cells` instead. A name that is no label is answered with those there are.",
            ),
        ],
    )
    def get(self, request: ApiRequest, slug: str) -> Response:
        study = get_object_or_404(studies_of(request.user), slug=slug)
        if not is_readable(study):
            raise Http404
        rules = RuleSwitches(
            *(_chosen(request, *each) for each in (("without", BY_DEFAULT), ("also", sorted(ON_REQUEST))))
        )
        if labels := labels_in(request.query_params.get("by", "")):
            return Response({"study": study.slug, "by": labels, "cells": _crossing(study, rules, labels)})
        found = figure_for(request, RESULTS, study, rules.as_arguments())
        return answer(found, in_words(study, found.content))


def _crossing(study: Study, rules: RuleSwitches, labels: list[str]) -> list[dict[str, Any]]:
    try:
        return crossing_of(study, rules, labels)
    except CrossingRefused as refused:
        raise ValidationError({"by": [str(refused)]}) from refused


def _chosen(request: ApiRequest, name: str, known: Collection[str]) -> list[str]:
    chosen = request.query_params.getlist(name)
    if unknown := set(chosen) - set(known):
        raise ValidationError({name: [f"unknown: {', '.join(sorted(unknown))}. Known: {', '.join(known)}."]})
    return chosen
