"""List the models with their settings, what each needs and what it costs. Example: manage.py list_baselines --json"""

from dataclasses import asdict
from typing import Any

from core.management.command import ColloquyCommand
from core.models.people import User
from study.baselines.base import Baseline, Requirement
from study.baselines.registry import BASELINES
from study.baselines.settings import Setting


class Command(ColloquyCommand):
    help = __doc__
    permission = "run.start"

    def act(self, *, by: User, **options: Any) -> None:
        self.say(
            {"baselines": [as_json(each) for each in BASELINES.values()]}, "\n".join(map(_line, BASELINES.values()))
        )


def as_json(model: type[Baseline]) -> dict[str, Any]:
    return {
        "key": model.key,
        "title": model.title,
        "family": model.family,
        "settings": [_declared(setting) for setting in model.declares],
        "needs": {
            "train": Requirement.TRAIN in model.needs,
            "server": Requirement.SERVER in model.needs,
            "weights": Requirement.WEIGHTS in model.needs,
            "extra": "requirements-neural.txt" if Requirement.NEURAL in model.needs else None,
        },
        "uses_dev": model.uses_dev,
        "sees": model.sees,
        "devices": model.devices,
        "cost": asdict(model.cost),
    }


def _declared(setting: Setting) -> dict[str, Any]:
    """Return a setting with its limits, with its options where it has some, or with the length of a text."""
    limits = {"options": setting.options} if setting.options else {"least": setting.least, "most": setting.most}
    limits = {"length": setting.most} if setting.is_text else limits
    without = {"without_dev": setting.without_dev} if setting.is_chosen_on_dev else {}
    return {"name": setting.name, "default": setting.default, **without, **limits, "help": setting.help}


def _line(model: type[Baseline]) -> str:
    settings = " ".join(
        f"{setting.name}={'dev' if setting.is_chosen_on_dev else setting.default}" for setting in model.declares
    )
    needs = ", ".join(sorted(model.needs)) or "nothing"
    return f"{model.key:<18}{model.family:<32}needs {needs:<24}{settings}".rstrip()
