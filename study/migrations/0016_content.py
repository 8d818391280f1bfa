from django.db import migrations, models

from core.domain.text import candidate_texts
from study.baselines.content import content_of, places_of

CHUNK = 500


def keep_content(apps, schema_editor):
    """Give predictions the content of their question, which until now they were tied to."""
    predictions = apps.get_model("study", "Prediction").objects
    questions = apps.get_model("study", "Question").objects.filter(pk__in=predictions.values("question"))
    for pk, context, candidates, condition in questions.values_list(
        "pk", "context", "candidates", "condition"
    ).iterator(chunk_size=CHUNK):
        texts = candidate_texts(candidates).texts
        predictions.filter(question=pk).update(
            content=content_of([turn["text"] for turn in context], texts), places=places_of(texts), condition=condition
        )


class Migration(migrations.Migration):
    dependencies = [("study", "0015_places")]

    operations = [
        migrations.AddField(
            model_name="prediction",
            name="content",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(model_name="prediction", name="places", field=models.JSONField(default=list)),
        migrations.AddField(
            model_name="prediction",
            name="condition",
            field=models.CharField(
                blank=True, default="", help_text="What was done to the context; empty: nothing.", max_length=20
            ),
            preserve_default=False,
        ),
        migrations.RunPython(keep_content, migrations.RunPython.noop),
        migrations.RemoveField(model_name="prediction", name="question"),
        migrations.AlterField(
            model_name="prediction",
            name="content",
            field=models.CharField(blank=True, db_index=True, max_length=64),
        ),
    ]
