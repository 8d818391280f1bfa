from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0008_job_queue"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="training",
            field=models.PositiveBigIntegerField(
                help_text="How much of the total is training, which is first.", null=True
            ),
        ),
    ]
