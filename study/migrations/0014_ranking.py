"""The ranking as it was given, and the times at which an answer was saved."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import JSONArray


def fill(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    for name in ("Answer", "LateAnswer"):
        given = apps.get_model("study", name)._default_manager.filter(first__isnull=False)  # imported ones have none
        given.filter(second=None).update(ranking=JSONArray("first"))
        given.exclude(second=None).update(ranking=JSONArray("first", "second"))


class Migration(migrations.Migration):
    dependencies = [("study", "0013_plan")]

    operations = [
        *(
            migrations.AddField(
                model_name=model,
                name="ranking",
                field=models.JSONField(
                    default=list, help_text="Numbers of the candidates in the order given, best first."
                ),
            )
            for model in ("answer", "lateanswer")
        ),
        *(
            migrations.AddField(model_name=model, name="saved_times", field=models.JSONField(default=list))
            for model in ("answer", "lateanswer", "presentation")
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
