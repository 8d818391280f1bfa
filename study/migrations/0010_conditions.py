from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("study", "0009_submission_key")]

    operations = [
        migrations.AlterField(
            model_name="question",
            name="external_id",
            field=models.CharField(help_text="Its name in files: unique in its set or study.", max_length=300),
        ),
        migrations.AlterField(model_name="prediction", name="external_id", field=models.CharField(max_length=300)),
        migrations.AddField(
            model_name="question",
            name="whole_id",
            field=models.CharField(blank=True, default="", help_text="Empty in the whole context.", max_length=300),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="question",
            name="condition",
            field=models.CharField(
                blank=True, default="", help_text="What was done to the context; empty: nothing.", max_length=20
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="question",
            name="conversation",
            field=models.CharField(
                blank=True, default="", help_text="Equal in dialogues of one conversation.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="question",
            name="pick",
            field=models.CharField(
                blank=True, default="", help_text="How its false responses were picked, or own.", max_length=10
            ),
            preserve_default=False,
        ),
        migrations.AddField(model_name="question", name="origins", field=models.JSONField(default=list)),
        migrations.AddField(
            model_name="question",
            name="reasoning",
            field=models.JSONField(default=list, help_text="Its types of reasoning, as its release names them."),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=Q(condition="", whole_id="") | ~Q(condition="") & ~Q(whole_id=""),
                name="a_condition_is_of_a_question",
            ),
        ),
    ]
