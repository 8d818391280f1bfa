from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0004_model_grade"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="rewrite",
            name="save_key",
            field=models.UUIDField(
                help_text="Of the last save, drawn by the page, which knows its own by it.", null=True
            ),
        ),
        migrations.AddField(
            model_name="transcript",
            name="save_key",
            field=models.UUIDField(
                help_text="Of the last save, drawn by the page, which knows its own by it.", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "skipped")), fields=["person", "ended_at"], name="skipped_assignments"
            ),
        ),
    ]
