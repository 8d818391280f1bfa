"""Serializers for projects, items, releases and corpora. Names are the same as those of the exports."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import Corpus, Dialogue, Item, Project, Release

MEANINGS = {
    "slug": "The short name, used in addresses and commands.",
    "kind": "What people do in it.",
    "source_licence": "Under which the texts may be used.",
    "state": "open: work is missing; kept or removed: by the gap of its grades, or as inspectors judged; recorded or "
    "corrected: its transcript is to be corrected or checked.",
    "purpose": "Only work counts.",
    "source": "As the imported file says.",
    "topic": "As the imported file says.",
    "number": "From 1, in the order of freezing.",
    "seed": "Of the split by prompt or conversation.",
    "name": "The short name, used in addresses and commands.",
    "format": "Of the file it came from.",
    "statistics": "By split: dialogues, turns, instances (with candidates), answers (the right one is known); under "
    "all the lengths of dialogues, where they were counted.",
    "external_id": "The source's own id.",
    "turns": "What is said: speaker and text, and at and to where the source says when and to whom.",
    "candidates": "Null where the dialogue brings none.",
    "answer": "Number of the right candidate from 0, null where it is not known.",
}


def explained(*names: str) -> dict[str, dict[str, str]]:
    """Return the meanings of some fields as a serializer's extra_kwargs."""
    return {name: {"help_text": MEANINGS[name]} for name in names}


class ProjectSerializer(serializers.ModelSerializer[Project]):
    settings = serializers.SerializerMethodField(help_text="Those of its kind: scale or rounds, people wanted, pace.")

    class Meta:
        model = Project
        fields = ["slug", "title", "kind", "settings", "source_licence", "created_at", "archived_at"]
        extra_kwargs = explained("slug", "kind", "source_licence")

    def get_settings(self, project: Project) -> dict[str, Any]:
        return project.chosen.as_mapping()


class ItemSerializer(serializers.ModelSerializer[Item]):
    id = serializers.CharField(source="key", help_text="The source's own id, or one made from the text.")
    prompt = serializers.CharField(source="content.prompt", help_text="What is answered.")
    response = serializers.CharField(source="content.response", help_text="What is graded.")
    grades = serializers.SerializerMethodField(help_text="Null until all are in.")
    models = serializers.SerializerMethodField(help_text="Those that graded it: none of them is a rater.")
    model_grades = serializers.SerializerMethodField(help_text="Theirs, in the same order; they count nowhere.")

    class Meta:
        model = Item
        fields = ["id", "state", "purpose", "prompt", "response", "source", "topic", "line", "grades"]
        fields += ["models", "model_grades"]
        extra_kwargs = explained("state", "purpose", "source", "topic")

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_grades(self, item: Item) -> list[int] | None:
        grades: dict[int, list[int]] = self.context["grades"]
        return grades.get(item.pk)

    def get_models(self, item: Item) -> list[str]:
        return list(self._by_model(item))

    def get_model_grades(self, item: Item) -> list[int]:
        return list(self._by_model(item).values())

    def _by_model(self, item: Item) -> dict[str, int]:
        by_model: dict[int, dict[str, int]] = self.context["model_grades"]
        return by_model.get(item.pk, {})


class RewritingItemSerializer(serializers.ModelSerializer[Item]):
    """An item of a rewriting project. Only releases have the texts written for it."""

    id = serializers.CharField(source="key", help_text="The source's own id, or one made from the text.")
    turns = serializers.JSONField(source="content.turns", help_text="Speaker and text of each turn.")
    question = serializers.CharField(source="content.question", help_text="What is asked about the dialogue.")
    choices = serializers.JSONField(
        source="content.choices",
        help_text="Three, one of them right; before a transcript is checked, all.",
    )
    answer = serializers.IntegerField(
        source="content.answer",
        allow_null=True,
        help_text="The number of the right one, from 0; null where a machine could not read it and no person has yet.",
    )

    class Meta:
        model = Item
        fields = ["id", "state", "purpose", "turns", "question", "choices", "answer", "source", "topic", "line"]
        extra_kwargs = explained("state", "purpose", "source", "topic")


class PairProgressSerializer(serializers.Serializer[dict[str, Any]]):
    pairs = serializers.IntegerField(help_text="Pairs that count.")
    cleaned = serializers.IntegerField(help_text="Pairs that cleaning removed; they count nowhere.")
    open = serializers.IntegerField(help_text="Of the pairs that count, those with grades missing.")
    disputed = serializers.IntegerField(help_text="Gap beyond the project's limit, waiting for an adjudicator.")
    kept = serializers.IntegerField(help_text="Gap within the limit, or kept by an adjudicator.")
    removed = serializers.IntegerField(help_text="Gap beyond it.")
    grades = serializers.IntegerField(help_text="Grades in force.")
    people = serializers.IntegerField(help_text="People who gave them.")


class RewritingProgressSerializer(serializers.Serializer[dict[str, Any]]):
    items = serializers.IntegerField(help_text="Items that count.")
    recorded = serializers.IntegerField(help_text="Of these, with a transcript to correct.")
    corrected = serializers.IntegerField(help_text="With a transcript to check.")
    open = serializers.IntegerField(help_text="To write.")
    written = serializers.IntegerField(help_text="To inspect.")
    returned = serializers.IntegerField(help_text="To revise.")
    kept = serializers.IntegerField(help_text="Accepted, by inspectors or without inspection.")
    removed = serializers.IntegerField(help_text="Discarded.")
    not_inspected = serializers.IntegerField(help_text="Of those kept, how many were not inspected.")


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    release = serializers.CharField(source="__str__", help_text="SLUG@NUMBER")

    class Meta:
        model = Release
        fields = [
            "release",
            "number",
            "checksum",
            "seed",
            "counts",
            "statistics",
            "agreement",
            "settings",
            "variants",
            "frozen_at",
        ]
        extra_kwargs = explained("number", "seed") | {
            "variants": {"help_text": "Other datasets made of the same instances, by name, each with its own checksum."}
        }


class CorpusSerializer(serializers.ModelSerializer[Corpus]):
    dialogues = serializers.IntegerField(source="dialogues_count", help_text="Of all splits.")
    variant_of = serializers.CharField(
        source="variant_of.name", default=None, allow_null=True, help_text="The corpus that has the same ids, or null."
    )
    edited_from = serializers.CharField(
        source="parent.name", default=None, allow_null=True, help_text="The corpus it was edited from, or null."
    )

    class Meta:
        model = Corpus
        fields = ["name", "format", "variant_of", "edited_from", "dialogues", "statistics", "checksum", "created_at"]
        fields += ["source", "licence", "recipe", "ledger", "archived_at"]
        extra_kwargs = explained("name", "format", "statistics") | {
            "checksum": {"help_text": "SHA-256 of the dialogues alone: no name or date."},
            "licence": {"help_text": "Under which the texts may be used."},
        }


class DialogueSerializer(serializers.ModelSerializer[Dialogue]):
    id = serializers.CharField(source="external_id", help_text=MEANINGS["external_id"])

    class Meta:
        model = Dialogue
        fields = ["id", "position", "split", "turns", "candidates", "answer", "conversation", "facts", "flagged"]
        extra_kwargs = explained("turns", "candidates", "answer") | {
            "split": {"help_text": "train, dev, test, or empty."},
            "conversation": {"help_text": "The same for dialogues that were made from one conversation."},
            "facts": {"help_text": "What else the source says: channel, episode, ids."},
            "position": {"help_text": "From 0, in the order of the corpus."},
        }
