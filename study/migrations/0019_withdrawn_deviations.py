from django.db import migrations

ABOUT_PEOPLE = ("excluded", "taken back")  # kinds of deviations


def forget_withdrawn(apps, schema_editor):
    """Take out of deviations, exclusions and the audit log what earlier versions left there of people who withdrew.

    That something was decided, when and by whom stays.
    """
    people = apps.get_model("study", "Participant").objects.filter(state="withdrawn")
    deviations = apps.get_model("study", "Deviation").objects.filter(what__in=ABOUT_PEOPLE)
    for study in people.order_by().values_list("study", flat=True).distinct():
        own = people.filter(study=study)
        named = {"", *map(str, own.values_list("public_id", flat=True))}
        of_study = deviations.filter(study=study)
        about = [pk for pk, name in of_study.values_list("pk", "subject") if name in named]
        for start in range(0, len(about), 500):
            of_study.filter(pk__in=about[start : start + 500]).update(subject="", why="")
    apps.get_model("study", "Exclusion").objects.filter(participant__in=people).delete()
    events = apps.get_model("core", "Event").objects.filter(subject="participant", subject_id__in=people.values("pk"))
    events.exclude(became="withdrawn").exclude(why="").update(why="")


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0010_job_is_storing"),
        ("study", "0018_pay_records"),
    ]

    operations = [migrations.RunPython(forget_withdrawn, migrations.RunPython.noop)]
