"""Serializers of the study's part of the API. Names are those of the commands and exports."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.domain.transitions import JobState
from study.domain.survey.phases import ParticipantState
from study.models import Prediction, Question, QuestionSet, Run, Study
from study.selectors.runs.runs import state_of
from study.selectors.survey.fieldwork import Fieldwork, FieldworkRow


class QuestionSetSerializer(serializers.ModelSerializer[QuestionSet]):
    class Meta:
        model = QuestionSet
        fields = ["name", "seed", "recipe", "left_out", "checksum", "created_at", "archived_at"]
        extra_kwargs = {
            "name": {"help_text": "The short name, used in addresses and commands."},
            "seed": {"help_text": "Of the draw: the same seed and sources give the same checksum."},
            "recipe": {"help_text": "Sources with their checksums, count, distractors, max_turns, pick, conditions."},
            "left_out": {"help_text": "How many dialogues were not used, by reason."},
            "checksum": {"help_text": "SHA-256 of the questions alone: no name or date."},
        }


class QuestionSerializer(serializers.ModelSerializer[Question]):
    id = serializers.CharField(source="external_id", help_text="Its name in files: unique in its set.")

    class Meta:
        model = Question
        fields = [
            "id",
            "position",
            "corpus",
            "conversation",
            "condition",
            "whole_id",
            "context",
            "candidates",
            "answer",
            "pick",
            "origins",
            "reasoning",
        ]
        extra_kwargs = {
            "position": {"help_text": "From 0, in the order of the set."},
            "corpus": {"help_text": "The corpus or release it was drawn from."},
            "conversation": {"help_text": "Equal in questions from dialogues of one conversation."},
            "condition": {"help_text": "What was done to the context: first:N, all, shuffle; empty: nothing."},
            "whole_id": {"help_text": "In a condition: the id of the same question in its whole context."},
            "context": {"help_text": "What is said before: speaker and text of each turn."},
            "candidates": {"help_text": "The true response and the false ones."},
            "answer": {"help_text": "Number of the true response among them, from 0."},
            "pick": {"help_text": "How the false ones were picked: uniform, similar, length, or own."},
            "origins": {
                "help_text": 'Dialogue and turn, from 0, of each candidate; null if brought; then "edited" if so.'
            },
            "reasoning": {"help_text": "Its types of reasoning."},
        }


class StudySerializer(serializers.ModelSerializer[Study]):
    settings = serializers.SerializerMethodField(help_text="Minutes, forms, questions in each, how they are assigned.")
    question_sets: "serializers.SlugRelatedField[QuestionSet]" = serializers.SlugRelatedField(
        slug_field="name", many=True, read_only=True
    )

    class Meta:
        model = Study
        fields = [
            "slug",
            "title",
            "language",
            "state",
            "is_imported",
            "settings",
            "seed",
            "question_sets",
            "plan_checksum",
            "opened_at",
            "closed_at",
            "created_at",
            "archived_at",
        ]
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
    """People of a group or a form."""

    name = serializers.CharField()
    quota = serializers.IntegerField(allow_null=True, help_text="Null where there is no limit.")
    people = serializers.IntegerField(help_text="Without those who withdrew or gave too few answers.")
    outcomes = serializers.SerializerMethodField(help_text="People by state: where they are, or how they ended.")

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_outcomes(self, row: FieldworkRow) -> dict[str, int]:
        return {str(state): row.states[state] for state in ParticipantState}


class FieldworkSerializer(serializers.Serializer[Fieldwork]):
    """Counts of people, without their answers."""

    groups = CountsSerializer(many=True)
    forms = CountsSerializer(many=True)
    total = CountsSerializer()
    median_minutes = serializers.FloatField(allow_null=True, help_text="Of those who completed.")
    last_at = serializers.DateTimeField(allow_null=True, help_text="When a person last came, answered or ended.")


class RunSerializer(serializers.ModelSerializer[Run]):
    run = serializers.IntegerField(source="pk", help_text="Its number.")
    model = serializers.CharField(help_text="The model's key.")
    state = serializers.SerializerMethodField(help_text="done: it has figures and predictions.")
    on = serializers.CharField(help_text="NAME or NAME:split of what it was asked about.")
    train = serializers.SerializerMethodField(help_text="What it was trained on; null: nothing.")
    seed = serializers.IntegerField(help_text="Of the model's draws.")
    dev = serializers.SerializerMethodField(help_text="What its settings were chosen on; null: nothing.")
    metrics = serializers.JSONField(
        help_text="n, candidates, R@1, R@2, R@5, MRR, MRR@2, each with <name>_ci; of rated prompts cuts, each "
        "with P@1, MAP and MRR; null until it has ended."
    )
    checksum = serializers.CharField(help_text="SHA-256 of the predictions.")

    class Meta:
        model = Run
        fields = [
            "run",
            "model",
            "state",
            "on",
            "on_checksum",
            "train",
            "train_checksum",
            "dev",
            "dev_checksum",
            "leaves_out_overlap",
            "is_trial",
            "label",
            "settings",
            "weights",
            "weights_checksum",
            "learned",
            "circumstances",
            "seed",
            "metrics",
            "checksum",
            "created_at",
            "ended_at",
        ]

    @extend_schema_field(serializers.ChoiceField(choices=list(JobState)))
    def get_state(self, run: Run) -> str:
        return str(state_of(run))

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_train(self, run: Run) -> str | None:
        return run.train or None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_dev(self, run: Run) -> str | None:
        return run.dev or None


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    id = serializers.CharField(source="external_id", help_text="The instance's own id.")
    scores: Any = serializers.ListField(
        child=serializers.FloatField(), help_text="One a candidate, in the instance's own order; higher is better."
    )
    better = serializers.IntegerField(
        allow_null=True, help_text="Candidates above the true one; null where it is not known."
    )
    tied = serializers.IntegerField(
        allow_null=True, help_text="Candidates level with the true one; null where it is not known."
    )

    class Meta:
        model = Prediction
        fields = ["id", "scores", "better", "tied"]
