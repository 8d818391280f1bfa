from django.apps import AppConfig, apps
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate

from config.earlier_version import database_is_of_this_version


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config.secret_key import remember_secret_key, secret_key_is_the_same  # models are loaded only now

        register(database_is_of_this_version, Tags.database)
        register(secret_key_is_the_same, Tags.database)
        post_migrate.connect(remember_secret_key, sender=apps.get_app_config("core"))  # it has the table
