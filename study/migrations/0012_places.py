import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def keep_keys(apps, schema_editor):
    """Give each person's browser its key: until now its digest was a column of the person."""
    people = apps.get_model("study", "Participant").objects.exclude(token_digest="").order_by("pk")
    rows = people.values_list("pk", "token_digest", "joined_at").iterator(chunk_size=2000)
    key = apps.get_model("study", "ParticipantKey")
    made = (key(participant_id=pk, digest=digest, kind="browser", made_at=at) for pk, digest, at in rows)
    key.objects.bulk_create(made, batch_size=2000)


class Migration(migrations.Migration):
    dependencies = [("study", "0011_question_audits")]

    operations = [
        migrations.CreateModel(
            name="ParticipantKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("kind", models.CharField(choices=[("browser", "browser"), ("resume", "resume")], max_length=10)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="keys", to="study.participant"
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_keys, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="participant", name="one_person_a_token"),
        migrations.RemoveField(model_name="participant", name="token_digest"),
    ]
