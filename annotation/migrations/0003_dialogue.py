from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_secret")]

    operations = [
        migrations.AddField(
            model_name="item",
            name="dialogue",
            field=models.CharField(
                blank=True, db_default="", help_text="Of a pair: the dialogue that it is a turn of.", max_length=200
            ),
        )
    ]
