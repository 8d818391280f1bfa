from django.db import migrations, models

HELP = (
    "Time at the question, as the browser says and the server's clock allows; without a script, from its page to its "
    "answer."
)


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0019_withdrawn_deviations"),
    ]

    operations = [
        *(
            migrations.AlterField(
                model_name=name, name="milliseconds", field=models.PositiveIntegerField(null=True, help_text=HELP)
            )
            for name in ("answer", "lateanswer")
        ),
        migrations.AddField(
            model_name="study",
            name="closes_on",
            field=models.DateField(
                blank=True,
                null=True,
                help_text="The last day on which people can join, in UTC; empty: until it is closed.",
            ),
        ),
        migrations.AddField(
            model_name="deviation",
            name="planned_on",
            field=models.DateField(null=True, help_text="Closing day of the plan; empty: none."),
        ),
        migrations.AddField(
            model_name="deviation",
            name="now_on",
            field=models.DateField(null=True, help_text="Closing day in its place."),
        ),
        migrations.AlterField(
            model_name="deviation",
            name="what",
            field=models.CharField(
                choices=[
                    ("quota", "Quota"),
                    ("closing day", "Closing Day"),
                    ("closed early", "Closed Early"),
                    ("excluded", "Excluded"),
                    ("taken back", "Taken Back"),
                ],
                max_length=20,
            ),
        ),
    ]
