from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0008_trials"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="submission_key",
            field=models.UUIDField(
                help_text="Of the form with what it asked for: sent twice it starts once.", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.UniqueConstraint(
                fields=("created_by", "submission_key", "model", "seed"), name="one_run_a_submission"
            ),
        ),
    ]
