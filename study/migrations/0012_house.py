import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import study.domain.survey.phases


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
        migrations.AlterField(
            model_name="answer",
            name="better",
            field=models.PositiveSmallIntegerField(
                help_text="Candidates ranked above the true one; empty where it has no rank.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="answer",
            name="depth",
            field=models.PositiveSmallIntegerField(help_text="How many ranks were given."),
        ),
        migrations.AlterField(
            model_name="answer",
            name="first",
            field=models.PositiveSmallIntegerField(
                help_text="Number of the candidate chosen first, from 0; empty where it was answered elsewhere.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="answer",
            name="milliseconds",
            field=models.PositiveIntegerField(help_text="Time at the question, as the browser says.", null=True),
        ),
        migrations.AlterField(
            model_name="answer",
            name="second",
            field=models.PositiveSmallIntegerField(
                help_text="Number of the candidate chosen second; empty for none.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="answer",
            name="tied",
            field=models.PositiveSmallIntegerField(default=0, help_text="Other candidates level with the true one."),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="better",
            field=models.PositiveSmallIntegerField(
                help_text="Candidates ranked above the true one; empty where it has no rank.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="depth",
            field=models.PositiveSmallIntegerField(help_text="How many ranks were given."),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="first",
            field=models.PositiveSmallIntegerField(
                help_text="Number of the candidate chosen first, from 0; empty where it was answered elsewhere.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="milliseconds",
            field=models.PositiveIntegerField(help_text="Time at the question, as the browser says.", null=True),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="second",
            field=models.PositiveSmallIntegerField(
                help_text="Number of the candidate chosen second; empty for none.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="lateanswer",
            name="tied",
            field=models.PositiveSmallIntegerField(default=0, help_text="Other candidates level with the true one."),
        ),
        migrations.AlterField(
            model_name="participant",
            name="form",
            field=models.PositiveSmallIntegerField(help_text="Version of the survey that the person took.", null=True),
        ),
        migrations.AlterField(
            model_name="participant",
            name="state",
            field=models.CharField(
                choices=[
                    (
                        study.domain.survey.phases.ParticipantState["CONSENTED"],
                        study.domain.survey.phases.ParticipantState["CONSENTED"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["ANSWERING"],
                        study.domain.survey.phases.ParticipantState["ANSWERING"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["COMPLETE"],
                        study.domain.survey.phases.ParticipantState["COMPLETE"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["TOO_FEW_ANSWERS"],
                        study.domain.survey.phases.ParticipantState["TOO_FEW_ANSWERS"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["FAILED_CHECKS"],
                        study.domain.survey.phases.ParticipantState["FAILED_CHECKS"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["UNANSWERED_CHECK"],
                        study.domain.survey.phases.ParticipantState["UNANSWERED_CHECK"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["TIMED_OUT"],
                        study.domain.survey.phases.ParticipantState["TIMED_OUT"],
                    ),
                    (
                        study.domain.survey.phases.ParticipantState["WITHDRAWN"],
                        study.domain.survey.phases.ParticipantState["WITHDRAWN"],
                    ),
                ],
                default=study.domain.survey.phases.ParticipantState["CONSENTED"],
                help_text="How the survey of the person ended.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="presentation",
            name="order",
            field=models.JSONField(default=list, help_text="Numbers of the candidates, from 0, in the order shown."),
        ),
        migrations.AlterField(
            model_name="presentation",
            name="position",
            field=models.PositiveSmallIntegerField(help_text="Place in the person's own order of questions, from 1."),
        ),
        migrations.AlterField(
            model_name="question",
            name="answer",
            field=models.PositiveSmallIntegerField(
                help_text="Number of the true candidate; empty: unknown.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="candidates",
            field=models.JSONField(default=list, help_text="Texts of the candidates, number 0 first."),
        ),
        migrations.AlterField(
            model_name="question",
            name="candidates_count",
            field=models.PositiveSmallIntegerField(help_text="How many candidates there are."),
        ),
        migrations.AlterField(
            model_name="question",
            name="context",
            field=models.JSONField(default=list, help_text="Turns before the response, each with speaker and text."),
        ),
        migrations.AlterField(
            model_name="studygroup",
            name="name",
            field=models.CharField(help_text="Of the group by whose link the person came.", max_length=60),
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("why", models.CharField(help_text="Why a researcher excluded the person by hand.", max_length=500)),
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
                    models.CharField(
                        choices=[
                            ("perhaps_valid", "perhaps_valid"),
                            ("true_only", "true_only"),
                            ("undecided", "undecided"),
                        ],
                        help_text="Whether researchers think that another candidate may be right, too.",
                        max_length=20,
                    ),
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
