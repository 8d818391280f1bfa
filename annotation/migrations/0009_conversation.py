from django.db import migrations, models


def take_the_digest(apps, schema_editor):
    """Give the dialogues of earlier imports the key by which they were told apart so far."""
    apps.get_model("annotation", "Dialogue").objects.update(conversation=models.F("digest"))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_grades_of_grading_models")]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="ledger",
            field=models.JSONField(
                default=dict, help_text="read = kept + joined + all dropped; changed: texts by rule."
            ),
        ),
        migrations.AddField(
            model_name="corpus",
            name="licence",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="corpus",
            name="recipe",
            field=models.JSONField(default=dict, help_text="What made it of its files: rules, time zone, seed."),
        ),
        migrations.AddField(
            model_name="corpus",
            name="source",
            field=models.TextField(blank=True, default="", help_text="Where the material comes from, in words."),
            preserve_default=False,
        ),
        migrations.AddField(model_name="dialogue", name="facts", field=models.JSONField(default=dict)),
        migrations.AddField(
            model_name="dialogue",
            name="conversation",
            field=models.CharField(default="", help_text="The source's own key, or the digest.", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(take_the_digest, migrations.RunPython.noop),
    ]
