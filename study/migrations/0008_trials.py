from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0007_weights"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="is_trial",
            field=models.BooleanField(default=False, help_text="On a small part of everything; in no table."),
        ),
        migrations.AddField(
            model_name="run",
            name="leaves_out_overlap",
            field=models.BooleanField(default=False, help_text="Its training is without what it is asked about."),
        ),
    ]
