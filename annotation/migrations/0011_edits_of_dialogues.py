import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_flagged_dialogues"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="corpus",
            name="statistics",
            field=models.JSONField(default=dict, help_text="Counts by split; under all the lengths of dialogues."),
        ),
        migrations.CreateModel(
            name="DialogueEdit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveBigIntegerField(help_text="In the parent.")),
                ("external_id", models.CharField(max_length=200)),
                (
                    "change",
                    models.CharField(
                        choices=[("edited", "Edited"), ("left_out", "Left Out"), ("cleared", "Cleared")], max_length=8
                    ),
                ),
                ("texts", models.JSONField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        help_text="The parent.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="edits",
                        to="annotation.corpus",
                    ),
                ),
                (
                    "made",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="annotation.corpus",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("made", None)),
                        fields=("corpus", "by", "position"),
                        name="one_plan_a_dialogue",
                    ),
                    models.UniqueConstraint(fields=("made", "position"), name="one_change_a_dialogue"),
                ],
            },
        ),
    ]
