import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0011_question_audits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="forgets_demographics",
            field=models.BooleanField(default=False, help_text="What people said about themselves, too."),
        ),
        migrations.AddField(
            model_name="study",
            name="forgets_on",
            field=models.DateField(
                blank=True, help_text="On this day what is personal is deleted; empty: never.", null=True
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="forgotten_at",
            field=models.DateTimeField(blank=True, help_text="When what was personal was deleted.", null=True),
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("why", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "participant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="exclusion", to="study.participant"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Reconciliation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("platform", models.CharField(max_length=20)),
                ("rows", models.PositiveIntegerField()),
                (
                    "without_record",
                    models.PositiveIntegerField(help_text="Rows of people who never agreed to take part here."),
                ),
                (
                    "withdrew",
                    models.PositiveIntegerField(help_text="Rows of people who withdrew: nothing of them is kept here."),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reconciliations", to="study.study"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        blank=True, help_text="The platform's id of the submission or assignment.", max_length=200
                    ),
                ),
                ("status", models.CharField(help_text="As the platform writes it, in capitals.", max_length=60)),
                (
                    "code",
                    models.CharField(
                        blank=True, help_text="Completion code that the person entered there.", max_length=60
                    ),
                ),
                (
                    "decision",
                    models.CharField(blank=True, help_text="PayDecision; empty: none is recorded.", max_length=20),
                ),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "identity",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="submission", to="study.identity"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="QuestionDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "decision",
                    models.CharField(help_text="Validity: perhaps_valid, true_only, undecided.", max_length=20),
                ),
                ("why", models.CharField(max_length=500)),
                ("decided_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="study.question"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="decisions", to="study.study"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("study", "question"), name="one_decision_a_question")],
            },
        ),
    ]
