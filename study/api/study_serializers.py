"""What the API says about studies. Names are those of the commands and exports."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from study.domain.phases import ParticipantState
from study.models import Study
from study.selectors.fieldwork import Fieldwork, Row


class StudySerializer(serializers.ModelSerializer[Study]):
    settings = serializers.SerializerMethodField(help_text="Minutes, forms, questions in each, how they are assigned.")
    question_sets = serializers.SlugRelatedField(slug_field="name", many=True, read_only=True)

    class Meta:
        model = Study
        fields = [
            "slug", "title", "language", "state", "is_imported", "settings", "seed", "question_sets", "plan_checksum",
            "opened_at", "closed_at", "created_at",
        ]  # fmt: skip
        extra_kwargs = {
            "slug": {"help_text": "The short name, used in addresses and commands."},
            "state": {"help_text": "draft, open or closed."},
            "is_imported": {"help_text": "Its answers were given elsewhere."},
            "plan_checksum": {"help_text": "SHA-256 of the plan; empty before the study is opened."},
        }

    def get_settings(self, study: Study) -> dict[str, Any]:
        return study.survey.as_mapping()


class PlannedStudySerializer(StudySerializer):
    """One study, with all that was fixed when it was opened."""

    class Meta(StudySerializer.Meta):
        fields = [*StudySerializer.Meta.fields, "plan"]
        extra_kwargs = {**StudySerializer.Meta.extra_kwargs, "plan": {"help_text": "Null before it is opened."}}


class CountsSerializer(serializers.Serializer[dict[str, Any]]):
    """The people of a group or a form."""

    name = serializers.CharField()
    quota = serializers.IntegerField(allow_null=True, help_text="Null where there is no limit.")
    people = serializers.IntegerField(help_text="Without those who withdrew.")
    outcomes = serializers.SerializerMethodField(help_text="People by state: where they are, or how they ended.")

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_outcomes(self, row: Row) -> dict[str, int]:
        return {str(state): row.states[state] for state in ParticipantState}


class FieldworkSerializer(serializers.Serializer[Fieldwork]):
    """How many people there are; never what they answered."""

    groups = CountsSerializer(many=True)
    forms = CountsSerializer(many=True)
    total = CountsSerializer()
    median_minutes = serializers.FloatField(allow_null=True, help_text="Of those who completed.")
    last_at = serializers.DateTimeField(allow_null=True, help_text="When somebody last came, answered or ended.")
