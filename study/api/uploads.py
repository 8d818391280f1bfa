"""Files sent under /api/v1/, each imported by a job: predictions of other systems, and answers given elsewhere."""

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
from study.actions import answer_jobs
from study.actions.runs import upload_jobs
from study.api.upload_serializers import (
    AnswerFileSerializer,
    SentAnswersSerializer,
    SentUploadSerializer,
    UploadSerializer,
)
from study.forms.uploads import UploadForm

ASK = "Ask for the address in `Location` until `state` is done, failed or cancelled."


class SentFiles(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Job]):
    """The files that a person sent, by the kind of the jobs that import them."""

    request: ApiRequest
    kind: str
    permission_classes = [MayReadApi]
    pagination_class = Newest
    parser_classes = [MultiPartParser]
    queryset = Job.objects.none()  # for the schema only; see get_queryset

    def get_queryset(self) -> QuerySet[Job]:
        return jobs_of(self.request.user).filter(kind=self.kind)

    def taken(self, job: Job) -> Response:
        """Start the job of a file that was just received, and answer with its address."""
        dispatch(job)
        answer = Response(self.get_serializer(job).data, status=202)
        answer["Location"] = self.reverse_action("detail", args=[job.pk])
        return answer


@extend_schema_view(
    list=extend_schema(summary="The files of predictions that you sent"),
    retrieve=extend_schema(summary="What became of a file of predictions: its run, or the refused rows"),
)
class Uploads(SentFiles):
    kind = upload_jobs.KIND
    permission = "run.start"
    serializer_class = UploadSerializer

    @extend_schema(
        summary="Send predictions of another system, to be scored like a run",
        description=ASK,
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
            return self.taken(upload_jobs.receive(on=on, **form.cleaned_data, by=request.user))
        except Refused as refused:
            raise ValidationError({refused.field or "on": [str(refused)]}) from refused


@extend_schema_view(
    list=extend_schema(summary="The files of answers that you sent"),
    retrieve=extend_schema(summary="What became of a file of answers: what was stored, or the refused rows"),
)
class AnswerFiles(SentFiles):
    kind = answer_jobs.KIND
    serializer_class = AnswerFileSerializer

    @property
    def permission(self) -> str:
        return "study.create" if self.action == "create" else "api.read"

    @extend_schema(
        summary="Send answers given elsewhere: to a study of such answers, which is made when it is new",
        description=f"All rows are stored, or none where one is refused; the same file again adds nothing. {ASK}",
        request={"multipart/form-data": SentAnswersSerializer},
        responses={202: AnswerFileSerializer},
    )
    def create(self, request: ApiRequest) -> Response:
        sent = SentAnswersSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            return self.taken(answer_jobs.receive(**sent.validated_data, by=request.user))
        except Refused as refused:
            raise ValidationError({"study": [str(refused)]}) from refused
