import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from 0007, because PostgreSQL alters no table in the transaction that has changed its rows."""

    dependencies = [("annotation", "0007_grading_models")]

    operations = [
        migrations.RemoveField(model_name="modelgrade", name="name"),
        migrations.AlterField(
            model_name="modelgrade",
            name="model",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="grades",
                to="annotation.gradingmodel",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelgrade",
            constraint=models.UniqueConstraint(fields=("item", "model"), name="one_grade_a_model"),
        ),
    ]
