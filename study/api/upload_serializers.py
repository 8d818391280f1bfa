"""Serializers of files that are sent: predictions of other systems, and answers given elsewhere."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from annotation.importers.reasons import RefusalReason
from core.forms.files import not_too_large
from core.models import Job
from study.api.examples import ANSWER_FILE
from study.importers.answers import MOST_CANDIDATES


class RefusedRowSerializer(serializers.Serializer[dict[str, Any]]):
    """A row of a file that was not taken."""

    line = serializers.IntegerField(allow_null=True, help_text="From 1; null where the whole file was refused.")
    code = serializers.CharField(help_text="Stable: instance_unknown, predicted_twice, score_not_finite and so on.")
    reason = serializers.SerializerMethodField(help_text="The same in words.")
    excerpt = serializers.CharField(help_text="The beginning of the row.")

    def get_reason(self, row: dict[str, Any]) -> str:
        return str(RefusalReason(row["code"], row["params"]))


class SentFileSerializer(serializers.ModelSerializer[Job]):
    """A file that was sent, and what became of it."""

    upload = serializers.IntegerField(source="pk", help_text="Its number.")
    state = serializers.CharField(help_text="queued, running, done, failed or cancelled.")
    error = serializers.CharField(help_text="Why it failed, by a code; empty where it did not.")
    refused = serializers.SerializerMethodField(help_text="How many rows were refused; null before it is done.")
    rows = serializers.SerializerMethodField(help_text="The first 1,000 of them.")

    def get_refused(self, job: Job) -> int | None:
        return (job.result or {}).get("refused")

    @extend_schema_field(RefusedRowSerializer(many=True))
    def get_rows(self, job: Job) -> Any:
        return RefusedRowSerializer((job.result or {}).get("rows", []), many=True).data


class UploadSerializer(SentFileSerializer):
    """A file of predictions, and what became of it."""

    on = serializers.CharField(source="arguments.on", help_text="NAME or NAME:split of what was predicted.")
    label: Any = serializers.CharField(source="arguments.label", help_text="What the model is called.")
    seed = serializers.IntegerField(source="arguments.seed", help_text="Tells trainings of one model apart.")
    run = serializers.SerializerMethodField(help_text="Number of the run; null where nothing is stored.")

    class Meta:
        model = Job
        fields = ["upload", "state", "on", "label", "seed", "error", "run", "refused", "rows", "created_at", "ended_at"]

    def get_run(self, job: Job) -> int | None:
        return (job.result or {}).get("run")


class StoredAnswersSerializer(serializers.Serializer[dict[str, Any]]):
    """What import_answers counts of a file."""

    study = serializers.CharField(help_text="Its short name.")
    created = serializers.BooleanField(help_text="The study is new.")
    rows = serializers.IntegerField(help_text="Of the file.")
    stored = serializers.IntegerField(help_text="Answers that are new.")
    unanswered = serializers.IntegerField(help_text="Questions that the file leaves unanswered.")
    duplicate = serializers.IntegerField(help_text="Rows that were stored before.")
    participants = serializers.IntegerField(help_text="People who are new.")
    described = serializers.IntegerField(help_text="People of whom the file says something new.")
    questions = serializers.IntegerField(help_text="Questions that are new to the study.")
    candidates = serializers.IntegerField(allow_null=True, help_text="Of a new question; null where unknown.")
    candidates_guessed = serializers.BooleanField(help_text="There are at least so many: the highest rank of the file.")
    question_set = serializers.CharField(
        allow_null=True, help_text="The set whose questions have these names: models are compared on them."
    )


@extend_schema_serializer(examples=ANSWER_FILE)
class AnswerFileSerializer(SentFileSerializer):
    """A file of answers given elsewhere, and what became of it."""

    study = serializers.CharField(source="arguments.study", help_text="The short name of the study.")
    candidates = serializers.IntegerField(
        source="arguments.candidates", allow_null=True, help_text="How many each question had, as it was sent."
    )
    outcome = serializers.SerializerMethodField(help_text="What was stored; null where nothing was.")

    class Meta:
        model = Job
        fields = ["upload", "state", "study", "candidates", "error", "outcome", "refused", "rows"]
        fields += ["created_at", "ended_at"]

    @extend_schema_field(StoredAnswersSerializer(allow_null=True))
    def get_outcome(self, job: Job) -> Any:
        return (job.result or {}).get("outcome")


class SentAnswersSerializer(serializers.Serializer[Any]):
    """What is sent with a file of answers."""

    study = serializers.CharField(help_text="The short name of a study of such answers, or of a new one.")
    file = serializers.FileField(
        help_text="csv, tsv or jsonl: participant, question and rank, correct, or better and tied.",
    )
    candidates = serializers.IntegerField(
        required=False,
        min_value=2,
        max_value=MOST_CANDIDATES,
        help_text="How many each question had; left out, it is unknown, or guessed from the highest rank.",
    )

    def validate_file(self, file: "UploadedFile[bytes]") -> "UploadedFile[bytes]":
        return not_too_large(file)


class SentUploadSerializer(serializers.Serializer[Any]):
    """What is sent with a file of predictions."""

    on = serializers.CharField(help_text="NAME or NAME:split: a corpus, release, question set or study.")
    label: Any = serializers.CharField(help_text="What the model is called in every table.")
    file = serializers.FileField(help_text="A line an instance: MuTual's list, or JSON with id and scores.")
    seed = serializers.IntegerField(required=False, help_text="Tells several trainings of one model apart.")
    partial: Any = serializers.BooleanField(required=False, help_text="Store the good rows where others are refused.")
