"""What the API says about each thing of the study."""

from rest_framework import serializers

from study.models import Question, QuestionSet


class QuestionSetSerializer(serializers.ModelSerializer[QuestionSet]):
    class Meta:
        model = QuestionSet
        fields = ["name", "seed", "recipe", "left_out", "checksum", "created_at"]
        extra_kwargs = {
            "name": {"help_text": "The short name, used in addresses and commands."},
            "seed": {"help_text": "Of the draw: the same seed and sources give the same checksum."},
            "recipe": {"help_text": "Sources with their checksums, count, distractors, max_turns, pick."},
            "left_out": {"help_text": "How many dialogues were not used, by reason."},
            "checksum": {"help_text": "SHA-256 of the questions alone: no name or date."},
        }


class QuestionSerializer(serializers.ModelSerializer[Question]):
    id = serializers.CharField(source="external_id", help_text="Its name in files: unique in its set.")

    class Meta:
        model = Question
        fields = ["id", "position", "corpus", "context", "candidates", "answer"]
        extra_kwargs = {
            "position": {"help_text": "From 0, in the order of the set."},
            "corpus": {"help_text": "The corpus or release it was drawn from."},
            "context": {"help_text": "What is said before: speaker and text of each turn."},
            "candidates": {"help_text": "The true response and the false ones."},
            "answer": {"help_text": "Number of the true response among them, from 0."},
        }
