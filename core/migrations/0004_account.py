from django.db import migrations, models

ACCOUNTS = {"researcher": "creator", "administrator": "administrator"}  # any other role is of a project


def name_the_accounts(apps, schema_editor):
    for role, account in ACCOUNTS.items():
        apps.get_model("core", "User").objects.filter(role=role).update(account=account)


class Migration(migrations.Migration):
    dependencies = [("core", "0003_token_use")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="account",
            field=models.CharField(
                choices=[
                    ("person", "Person"),
                    ("creator", "Person who may create projects and studies"),
                    ("administrator", "Administrator"),
                ],
                default="person",
                max_length=20,
            ),
        ),
        migrations.RunPython(name_the_accounts, migrations.RunPython.noop),
    ]
