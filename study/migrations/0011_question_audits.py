import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("study", "0010_conditions")]

    operations = [
        migrations.AddField(
            model_name="questionset",
            name="parent",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="revisions",
                to="study.questionset",
            ),
        ),
        migrations.AlterField(
            model_name="questionset",
            name="recipe",
            field=models.JSONField(help_text="Sources with their checksums, settings; of a revision its changes."),
        ),
        migrations.CreateModel(
            name="QuestionAudit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("report", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "question_set",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit",
                        to="study.questionset",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
    ]
