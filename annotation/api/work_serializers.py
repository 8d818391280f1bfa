"""Serializers for the work in all kinds of projects. Names are the same as those of the commands with --json."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from annotation.api import examples
from annotation.api.examples import example
from annotation.models import Flag
from annotation.selectors.rewriting.rewriting_hours import MEASURES


@extend_schema_serializer(examples=example(examples.FLAG))
class FlagSerializer(serializers.ModelSerializer[Flag]):
    flag = serializers.IntegerField(source="pk", help_text="Its number.")
    user = serializers.CharField(source="assignment.person.username", help_text="The person who raised it.")
    item = serializers.CharField(source="assignment.slot.item.key", help_text="The item's id, as /items/ says it.")
    prompt = serializers.CharField(source="assignment.slot.item.content.prompt", required=False, help_text="Of a pair.")
    response = serializers.CharField(
        source="assignment.slot.item.content.response", required=False, help_text="Of a pair."
    )
    turns = serializers.JSONField(
        source="assignment.slot.item.content.turns", required=False, help_text="Of a dialogue."
    )
    question = serializers.CharField(
        source="assignment.slot.item.content.question", required=False, help_text="About the dialogue."
    )
    comment = serializers.CharField(help_text="What was said, or empty.")
    note = serializers.SerializerMethodField(help_text="What came of it; null while it is open.")

    class Meta:
        model = Flag
        fields = [
            "flag",
            "user",
            "item",
            "prompt",
            "response",
            "turns",
            "question",
            "comment",
            "raised_at",
            "note",
            "resolved_at",
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_note(self, flag: Flag) -> str | None:
        return flag.note or None


class PayablePersonSerializer(serializers.Serializer[dict[str, Any]]):
    """The work of one person; in a rewriting project, of one person at one step."""

    user = serializers.CharField()
    name = serializers.CharField()
    since = serializers.DateField(help_text="The first day, in UTC.")
    until = serializers.DateField(help_text="The last day, included.")
    counted = serializers.IntegerField(required=False, help_text="Of rating: grades that count.")
    other = serializers.IntegerField(
        required=False, help_text="Of rating: grades that stand and count nowhere, on gold and on what was cleaned out."
    )
    step = serializers.ChoiceField(choices=list(MEASURES), required=False, help_text="Of rewriting.")
    done = serializers.IntegerField(required=False, help_text="Of rewriting: what was submitted and stands.")
    items = serializers.IntegerField(required=False, help_text="The items of these, each once.")
    accepted = serializers.IntegerField(required=False, help_text="Of these items, so far.")
    discarded = serializers.IntegerField(required=False, help_text="Of these items, so far.")
    voided = serializers.IntegerField()
    skipped = serializers.IntegerField()
    hours = serializers.FloatField(help_text="At work.")


@extend_schema_serializer(examples=example(examples.PAYABLE))
class PayableSerializer(serializers.Serializer[dict[str, Any]]):
    people = PayablePersonSerializer(many=True)
