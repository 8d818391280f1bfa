import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import study.domain.survey.phases


class Migration(migrations.Migration):
    dependencies = [("study", "0002_secret")]

    operations = [
        migrations.RenameField(model_name="answer", old_name="is_late", new_name="in_grace"),
        migrations.AddField(
            model_name="studygroup",
            name="requires_id",
            field=models.BooleanField(default=False, help_text="Only people whom a platform sends may join."),
        ),
        migrations.AddField(
            model_name="participant",
            name="boot",
            field=models.CharField(blank=True, help_text="Start of the machine on which they began.", max_length=36),
        ),
        migrations.AddField(
            model_name="participant",
            name="began_at_uptime",
            field=models.FloatField(help_text="Seconds from that start to started_at.", null=True),
        ),
        migrations.AlterField(
            model_name="participant",
            name="state",
            field=models.CharField(
                choices=[(state, state) for state in study.domain.survey.phases.ParticipantState],
                default=study.domain.survey.phases.ParticipantState["CONSENTED"],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="LateAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.PositiveSmallIntegerField(null=True)),
                ("second", models.PositiveSmallIntegerField(null=True)),
                ("better", models.PositiveSmallIntegerField(null=True)),
                ("tied", models.PositiveSmallIntegerField(default=0)),
                ("depth", models.PositiveSmallIntegerField()),
                ("milliseconds", models.PositiveIntegerField(null=True)),
                (
                    "submission_key",
                    models.UUIDField(help_text="Of the last write: sent twice it changes nothing.", null=True),
                ),
                ("answered_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "presentation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="late_answer",
                        to="study.presentation",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="WithdrawnIdentity",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                (
                    "study",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="study.study"),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="withdrawnidentity",
            constraint=models.UniqueConstraint(fields=("study", "digest"), name="one_withdrawal_an_identity"),
        ),
    ]
