from django.db import migrations, models

UNSEEN = {
    "null": True,
    "help_text": "Numbers of the candidates that were on no screen before the answer was last saved; empty: unknown.",
}
NOTES = {"help_text": "False where its consent was written before lines on the screen were noted."}


class Migration(migrations.Migration):
    dependencies = [("study", "0020_times_and_closing_day")]

    operations = [
        migrations.AddField(model_name="answer", name="unseen", field=models.JSONField(**UNSEEN)),
        migrations.AddField(model_name="lateanswer", name="unseen", field=models.JSONField(**UNSEEN)),
        migrations.AddField(model_name="study", name="notes_screen", field=models.BooleanField(default=False, **NOTES)),
        migrations.AlterField(
            model_name="study", name="notes_screen", field=models.BooleanField(default=True, **NOTES)
        ),
    ]
