"""Predictions of other systems under /api/v1/uploads/: sent as a file, imported by a job."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, viewsets
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from core.actions.refusals import Refused
from core.api.pagination import Newest
from core.api.requests import ApiRequest, MayReadApi
from core.models import Job
from core.permissions import jobs_of
from core.tasks import dispatch
from study.actions.runs import upload_jobs
from study.api.serializers import SentUploadSerializer, UploadSerializer
from study.forms.uploads import UploadForm


@extend_schema_view(
    list=extend_schema(summary="The files of predictions that you sent"),
    retrieve=extend_schema(summary="What became of a file of predictions: its run, or the refused rows"),
)
class Uploads(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Job]):
    request: ApiRequest
    serializer_class = UploadSerializer
    permission_classes = [MayReadApi]
    permission = "run.start"
    pagination_class = Newest
    parser_classes = [MultiPartParser]
    queryset = Job.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[Job]:
        return jobs_of(self.request.user).filter(kind=upload_jobs.KIND)

    @extend_schema(
        summary="Send predictions of another system, to be scored like a run",
        description="Ask for the address in `Location` until `state` is done, failed or cancelled.",
        request={"multipart/form-data": SentUploadSerializer},
        responses={202: UploadSerializer},
    )
    def create(self, request: ApiRequest) -> Response:
        sent: Any = request
        form = UploadForm({"seed": 0, **sent.data.dict()}, sent.FILES)
        on = str(sent.data.get("on", ""))
        if not form.is_valid() or not on:
            missing = {} if on else {"on": ["Name what the predictions are for: NAME or NAME:split."]}
            raise ValidationError(missing | {name: [*map(str, errors)] for name, errors in form.errors.items()})
        try:
            job = upload_jobs.receive(on=on, **form.cleaned_data, by=request.user)
        except Refused as refused:
            raise ValidationError({refused.field or "on": [str(refused)]}) from refused
        dispatch(job)
        answer = Response(UploadSerializer(job).data, status=202)
        answer["Location"] = self.reverse_action("detail", args=[job.pk])
        return answer
