from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def take_over_the_persons_role(apps, schema_editor):
    role = apps.get_model("core", "User").objects.filter(pk=OuterRef("person")).values("role")
    apps.get_model("study", "StudyMembership").objects.update(role=Subquery(role))


class Migration(migrations.Migration):
    dependencies = [("study", "0003_survey"), ("core", "0004_account")]

    operations = [
        migrations.AddField(
            model_name="studymembership",
            name="role",
            field=models.CharField(
                choices=[
                    ("annotator", "Annotator"),
                    ("inspector", "Inspector"),
                    ("expert", "Expert"),
                    ("researcher", "Researcher"),
                    ("administrator", "Administrator"),
                ],
                default="annotator",
                max_length=20,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(take_over_the_persons_role, migrations.RunPython.noop),
    ]
