import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Min, OuterRef, Subquery


def take_over_the_names(apps, schema_editor):
    """Make a row of each model of a project, under the guideline that was in force when its first grades came in."""
    grades = apps.get_model("annotation", "ModelGrade").objects
    named = grades.values_list("item__project", "name").annotate(first=Min("imported_at"))
    for project, name, first in sorted(named):
        versions = apps.get_model("annotation", "GuidelineVersion").objects.filter(project=project).order_by("number")
        guideline = versions.filter(created_at__lte=first).last() or versions.first()
        model = apps.get_model("annotation", "GradingModel")(project_id=project, name=name, guideline=guideline)
        model.save()
        grades.filter(item__project=project, name=name).update(model=model)


def give_back_the_names(apps, schema_editor):
    name = apps.get_model("annotation", "GradingModel").objects.filter(pk=OuterRef("model")).values("name")
    apps.get_model("annotation", "ModelGrade").objects.update(name=Subquery(name))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_role")]

    operations = [
        migrations.CreateModel(
            name="GradingModel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("settings", models.JSONField(default=dict)),
                ("voided_at", models.DateTimeField(null=True)),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.guidelineversion",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grading_models",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_at", None)), fields=("project", "name"), name="one_model_a_name"
                    )
                ],
            },
        ),
        migrations.RemoveConstraint(model_name="modelgrade", name="one_grade_a_model"),
        migrations.RenameField(model_name="modelgrade", old_name="model", new_name="name"),
        migrations.AlterField("modelgrade", "name", models.CharField(max_length=80, null=True)),
        migrations.AddField(
            model_name="modelgrade",
            name="model",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="grades",
                to="annotation.gradingmodel",
            ),
        ),
        migrations.RunPython(take_over_the_names, give_back_the_names),
    ]
