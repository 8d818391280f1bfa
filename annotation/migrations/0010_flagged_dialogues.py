import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_conversation"),
    ]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="parent",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="children", to="annotation.corpus"
            ),
        ),
        migrations.AddField(
            model_name="dialogue",
            name="flagged",
            field=models.BooleanField(
                db_default=False, help_text="A listed word occurs in it, and no person has looked at it yet."
            ),
        ),
        migrations.AddIndex(
            model_name="dialogue",
            index=models.Index(
                condition=models.Q(("flagged", True)), fields=["corpus", "position"], name="flagged_dialogues"
            ),
        ),
    ]
