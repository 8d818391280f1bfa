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


def count_places(apps, schema_editor):
    """Count who has a place, in each form of each group of the studies that were opened."""
    study, group = apps.get_model("study", "Study"), apps.get_model("study", "StudyGroup")
    person, places = apps.get_model("study", "Participant"), apps.get_model("study", "FormPlaces")
    holders = person.objects.filter(state__in=["consented", "answering", "complete"], group__isnull=False)
    holders = holders.filter(form__isnull=False)
    holders.update(has_place=True)
    counted = holders.order_by().values_list("group", "form").annotate(models.Count("pk"))
    taken = {(of, form): count for of, form, count in counted}
    asked = apps.get_model("study", "FormQuestion").objects.order_by().values_list("study", "form").distinct()
    forms = [(each, form) for each, form in asked if study.objects.filter(pk=each, is_imported=False).exists()]
    places.objects.bulk_create(
        places(group_id=pk, form=form, taken=taken.get((pk, form), 0))
        for each, form in forms
        for pk in group.objects.filter(study=each).values_list("pk", flat=True)
    )


class Migration(migrations.Migration):
    dependencies = [("study", "0014_ranking")]

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
        migrations.CreateModel(
            name="FormPlaces",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("form", models.PositiveSmallIntegerField()),
                ("taken", models.PositiveIntegerField(default=0)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="study.studygroup"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("group", "form"), name="one_count_a_form")],
            },
        ),
        migrations.AddField(
            model_name="participant",
            name="has_place",
            field=models.BooleanField(
                default=False, help_text="They are counted in the places of their group and form."
            ),
        ),
        migrations.AddField(
            model_name="participant",
            name="seen_at",
            field=models.DateTimeField(help_text="When they last did something, to about a minute.", null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="paused_at",
            field=models.DateTimeField(help_text="Since when no one can join, for the time being.", null=True),
        ),
        migrations.AddField(
            model_name="studygroup",
            name="return_url",
            field=models.CharField(
                blank=True, default="", help_text="Whereto people go at the end, with {code}.", max_length=500
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="study",
            name="notes_behaviour",
            field=models.BooleanField(
                default=False, help_text="False where its consent was written before there was a behaviour log."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="notes_behaviour",
            field=models.BooleanField(
                default=True, help_text="False where its consent was written before there was a behaviour log."
            ),
        ),
        migrations.CreateModel(
            name="Behaviour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("blur", models.PositiveIntegerField(default=0, help_text="Times the page was left.")),
                ("focus", models.PositiveIntegerField(default=0, help_text="Times they came back to it.")),
                ("away_ms", models.PositiveIntegerField(default=0, help_text="Milliseconds between.")),
                ("paste", models.PositiveIntegerField(default=0, help_text="Times they pasted something.")),
                ("copy", models.PositiveIntegerField(default=0, help_text="Times they copied something.")),
                (
                    "webdriver",
                    models.PositiveIntegerField(
                        default=0, help_text="Pages whose browser said that a program drives it."
                    ),
                ),
                (
                    "trap",
                    models.PositiveIntegerField(
                        default=0, help_text="Times they filled in a field that people do not see."
                    ),
                ),
                (
                    "participant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="behaviour", to="study.participant"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="participant",
            index=models.Index(
                condition=models.Q(("has_place", True), ("state", "consented")),
                fields=["group", "joined_at"],
                name="places_not_begun",
            ),
        ),
        migrations.RunPython(count_places, migrations.RunPython.noop),
    ]
