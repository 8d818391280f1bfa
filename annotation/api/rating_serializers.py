"""Serializers for the work in a rating project. Names are the same as those of the commands with --json."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from annotation.api import examples
from annotation.api.examples import example
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.models import Adjudication, CleaningDecision, Item


class _AssignmentWorkSerializer(serializers.ModelSerializer[Any]):
    """A person's work on an assignment, with its pair."""

    item = serializers.CharField(source="assignment.slot.item.key", help_text="The pair's id, as /items/ says it.")
    prompt = serializers.CharField(source="assignment.slot.item.content.prompt")
    response = serializers.CharField(source="assignment.slot.item.content.response")
    user = serializers.CharField(source="assignment.person.username", help_text="The person who did it.")


@extend_schema_serializer(examples=example(examples.CLEANING_DECISION))
class CleaningDecisionSerializer(_AssignmentWorkSerializer):
    verdict = serializers.ChoiceField(
        choices=list(CleaningVerdict),
        help_text="sensitive removes the pair, knowledge the prompt with all its responses.",
    )
    rules = serializers.SerializerMethodField(help_text="Those that marked the pair then.")
    removed = serializers.IntegerField(help_text="How many pairs it removed.")

    class Meta:
        model = CleaningDecision
        fields = ["item", "prompt", "response", "user", "verdict", "rules", "removed", "decided_at", "undone_at"]
        extra_kwargs = {"undone_at": {"help_text": "Null while it is in force."}}

    def get_rules(self, decision: CleaningDecision) -> list[str]:
        return sorted(decision.findings)


@extend_schema_serializer(examples=example(examples.GOLD))
class GoldSerializer(serializers.ModelSerializer[Item]):
    item = serializers.CharField(source="key", help_text="Made from the text.")
    prompt = serializers.CharField(source="content.prompt")
    response = serializers.CharField(source="content.response")
    grade = serializers.IntegerField(source="gold.grade", help_text="The known one.")
    type = serializers.SerializerMethodField(help_text="The type that explains it, or null.")
    explanation = serializers.CharField(source="gold.explanation", help_text="Read by the person who practises.")

    class Meta:
        model = Item
        fields = ["item", "prompt", "response", "grade", "type", "explanation"]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_type(self, item: Item) -> str | None:
        return item.gold.reason or None


@extend_schema_serializer(examples=example(examples.ADJUDICATION))
class AdjudicationSerializer(_AssignmentWorkSerializer):
    grade = serializers.IntegerField(allow_null=True, help_text="The final one; null where the pair was removed.")
    reason = serializers.CharField(help_text="The type that explains the grade, or why the pair was removed.")
    decided_at = serializers.DateTimeField(source="created_at")
    state = serializers.CharField(source="assignment.slot.item.state", help_text="Of the pair now, as /items/ says it.")

    class Meta:
        model = Adjudication
        fields = ["item", "prompt", "response", "user", "grade", "reason", "decided_at", "state"]
