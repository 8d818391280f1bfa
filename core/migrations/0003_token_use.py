import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0002_secret_key_digest"), ("knox", "0009_extend_authtoken_field")]

    operations = [
        migrations.CreateModel(
            name="TokenUse",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="use",
                        serialize=False,
                        to="knox.authtoken",
                    ),
                ),
                ("last_at", models.DateTimeField()),
            ],
        ),
    ]
