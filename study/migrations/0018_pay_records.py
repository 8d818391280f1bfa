import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

DECISIONS = ("approve", "reject", "pay_in_part")


def keep_decisions(apps, schema_editor):
    """Keep the decisions about pay apart from the ids of platforms, with the reasons that the audit log has.

    They come from the log: of studies whose ids are deleted it alone still has them.
    """
    events = apps.get_model("core", "Event").objects.filter(subject="participant", became__in=DECISIONS)
    decided = events.order_by("pk").values_list("subject_id", "became", "why", "by", "at")
    newest = {person: decision for person, *decision in decided.iterator(chunk_size=2000)}
    lists = apps.get_model("study", "Reconciliation").objects.order_by("pk").values_list("study", "platform")
    of_study = dict(lists)
    people = apps.get_model("study", "Participant").objects.exclude(state="withdrawn")
    record = apps.get_model("study", "PayRecord")
    rows = (
        record(
            participant_id=pk,
            platform=platform or of_study.get(study, ""),
            decision=became,
            why=why[:20],
            decided_by_id=by,
            decided_at=at,
        )
        for pk, study, platform in people.values_list("pk", "study", "identity__platform").iterator(chunk_size=2000)
        if pk in newest
        for became, why, by, at in [newest[pk]]
    )
    record.objects.bulk_create(rows, batch_size=2000)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0010_job_is_storing"),
        ("study", "0017_time_of_answers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PayRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("platform", models.CharField(max_length=20)),
                (
                    "decision",
                    models.CharField(choices=[(name, name) for name in DECISIONS], max_length=20),
                ),
                (
                    "why",
                    models.CharField(blank=True, help_text="A key of study.domain.survey.pay.WHY.", max_length=20),
                ),
                ("decided_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "participant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pay_record",
                        to="study.participant",
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_decisions, migrations.RunPython.noop),
        migrations.RemoveField(model_name="submission", name="decision"),
        migrations.RemoveField(model_name="submission", name="decided_by"),
        migrations.RemoveField(model_name="submission", name="decided_at"),
    ]
