from django.apps import AppConfig

from core.domain import transitions


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        transitions.register(transitions.JOB_TRANSITIONS)
