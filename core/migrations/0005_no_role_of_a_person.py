from django.db import migrations


class Migration(migrations.Migration):
    """Drop the role that a person had everywhere, after the memberships have taken it over."""

    dependencies = [("core", "0004_account"), ("annotation", "0006_role"), ("study", "0004_role")]

    operations = [migrations.RemoveField(model_name="user", name="role")]
