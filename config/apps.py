from django.apps import AppConfig
from django.core.checks import Tags, register

from config.earlier_version import database_is_of_this_version


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        register(database_is_of_this_version, Tags.database)
