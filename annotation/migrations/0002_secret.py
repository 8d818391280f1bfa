from django.db import migrations, models

import core.models.hidden_draws


def draw_each_its_own(apps, schema_editor):
    """Replace the secret that all rows got when the column was added."""
    rows = apps.get_model("annotation", "Project").objects
    for row in rows.only("pk"):
        rows.filter(pk=row.pk).update(secret=core.models.hidden_draws.new_secret())


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="secret",
            field=models.CharField(
                default=core.models.hidden_draws.new_secret,
                editable=False,
                help_text="Of the draws that hide something; never shown.",
                max_length=32,
            ),
        ),
        migrations.RunPython(draw_each_its_own, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.CheckConstraint(
                condition=models.Q(("secret", ""), _negated=True), name="project_has_a_secret"
            ),
        ),
    ]
