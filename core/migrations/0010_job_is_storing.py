from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0009_job_training"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="is_storing",
            field=models.BooleanField(default=False, help_text="It stores in one long write, and cannot be cancelled."),
        ),
    ]
