"""Imports run in one direction, pure modules are pure, and the reader of the source finds what breaks a rule."""

import pytest

from tests import architecture
from tests.architecture import (
    DOORS,
    HOUSES,
    MOST_LINES_OF_A_FILE,
    PURE,
    changed_tables,
    impurities,
    long_functions,
    names_used_twice,
    sources,
    wrong_arrows,
)

APPS = ("core", "annotation", "study")


def test_no_import_runs_against_the_direction():
    assert [wrong for module, source in sources(*APPS) for wrong in wrong_arrows(module, source)] == []


def test_domain_and_baselines_are_pure():
    pure = [(module, source) for module, source in sources(*APPS) if module.split(".")[1] in PURE]
    assert pure
    assert [impurity for module, source in pure for impurity in impurities(module, source)] == []


def test_study_has_few_doors_to_annotation_and_uses_each():
    assert len(DOORS) <= 8
    used = {imported for module, source in sources("study") for _line, imported in architecture.imports(module, source)}
    assert [door for door in DOORS if not any(f"{name}.".startswith(f"{door}.") for name in used)] == []


def test_no_app_changes_a_table_of_another_at_import():
    assert [change for module, source in sources(*HOUSES) for change in changed_tables(module, source)] == []


@pytest.mark.parametrize(
    "source",
    [
        "from core.permissions import PERMISSIONS\nPERMISSIONS.update({})",
        "from core.permissions import PERMISSIONS\nPERMISSIONS['study.view'] = frozenset()",
        "from core import permissions\nif True:\n    permissions.PERMISSIONS.update({})",
        "from annotation.importers import FORMATS\ndel FORMATS['csv']",
    ],
)
def test_a_changed_table_of_another_app_is_found(source):
    assert len(changed_tables("study.planted", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "OWN = {}\nOWN.update({})",
        "from core import permissions\ndef ready():\n    permissions.register({})",
        "from study.domain import phases\nphases.TABLE['a'] = 1",
    ],
)
def test_own_tables_and_registrations_pass(source):
    assert changed_tables("study.planted", source) == []


def test_files_and_functions_stay_short():
    long = [name for name, source in sources(*HOUSES) if len(source.splitlines()) > MOST_LINES_OF_A_FILE]
    long += [function for module, source in sources(*HOUSES) for function in long_functions(module, source)]
    assert long == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("annotation.views.rating.rating", "from annotation.actions import ratings"),
        ("annotation.views.projects.board", "from annotation.tasks import dispatch"),
        ("annotation.actions.rating.ratings", "from annotation.actions import events"),
        ("core.actions.people", "from core.permissions import may"),
        ("annotation.models.work", "from .items import Purpose"),
        ("annotation.domain.rating.rating", "import numpy"),
        ("study.baselines.tfidf", "from study.domain import metrics"),
        ("study.presenters.runs", "from core.forms.sent import is_json"),
        ("study.actions.questions", "from annotation.selectors.releases.releases import instances"),
        ("study.domain.results.metrics", "from core.domain.statistics import wilson_interval"),
    ],
)
def test_an_import_along_the_direction_passes(module, source):
    assert wrong_arrows(module, source) == []


@pytest.mark.parametrize(
    ("module", "source", "why"),
    [
        ("annotation.actions.rating.ratings", "from annotation import tasks", "tasks is above it"),
        (
            "annotation.actions.rating.ratings",
            "def late():\n    from annotation.tasks import dispatch",
            "2: actions must not",
        ),
        ("annotation.selectors.projects.board", "import annotation.actions.rating.ratings", "actions is above it"),
        ("annotation.models.work", "from ..selectors import board", "selectors is above it"),
        ("annotation.domain.rating.rating", "from annotation.models import Item", "models is above it"),
        ("annotation.exporters.csv", "from annotation.selectors import releases", "selectors is above it"),
        ("annotation.tasks", "from annotation.views import jobs", "views is above it"),
        ("annotation.views.projects.board", "from study.selectors import results", "annotation must not import study"),
        ("study.actions.survey.answers", "from config import env", "study must not import config"),
        ("study.actions.questions", "from annotation.models import Instance", "none of the DOORS"),
        ("study.actions.questions", "from annotation.selectors import releases_of_all", "none of the DOORS"),
        ("core.views.jobs", "from annotation.models import Project", "core must not import annotation"),
        ("annotation.presenters.rating", "from annotation.views import rating", "views is above it"),
        ("study.domain.results.metrics", "from annotation.selectors import releases", "selectors is above it"),
        ("annotation.views.projects.board", "from annotation.helpers import anything", "“helpers” is in none"),
        ("annotation.utils", "from annotation.models import Item", "“utils” is in none"),
    ],
)
def test_an_import_against_the_direction_is_found(module, source, why):
    [wrong] = wrong_arrows(module, source)
    assert why in wrong


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "from django.db import models",
        "from pathlib import Path",
        "import random",
        "from random import shuffle",
        "from time import monotonic",
        "def late():\n    import logging",
        "def read(path):\n    with open(path) as file: return file.read()",
        "from datetime import datetime\nstarted_at = datetime.now()",
        "import datetime\nday = datetime.date.today()",
        "import numpy as np\nnp.random.shuffle([1, 2])",
        "import numpy as np\ngenerator = np.random.default_rng()",
        "from random import Random\ngenerator = Random()",
    ],
)
def test_an_impure_line_is_found(source):
    assert len(impurities("annotation.domain.planted", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from random import Random\ndef draw(generator: Random): return generator.random()",
        "import numpy as np\ndef draw(seed: int): return np.random.default_rng(seed).random()",
        "from datetime import datetime, timedelta\ndef due(begun: datetime): return begun + timedelta(days=1)",
    ],
)
def test_seeds_and_times_that_are_passed_in_are_pure(source):
    assert impurities("annotation.domain.planted", source) == []


def test_a_function_of_sixty_lines_passes_and_one_of_sixty_one_is_found():
    body = "\n    x = 1"
    assert long_functions("planted", "def short():" + body * 59) == []
    assert long_functions("planted", "class A:\n  def long(self):" + body * 60) == ["planted:2: long has 61 lines"]


def test_the_source_is_read_without_what_is_generated(monkeypatch, tmp_path):
    for name in ("study/actions/survey/answers.py", "study/migrations/0001_initial.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("import os\n")
    monkeypatch.setattr(architecture, "ROOT", tmp_path)
    assert list(sources("study")) == [("study.actions.survey.answers", "import os\n")]


def test_class_names_are_unique_in_the_product():
    assert names_used_twice(sources(*HOUSES, "benchmarks", "tests")) == {}


def test_a_class_name_that_is_used_twice_is_found():
    modules = [
        ("annotation.models.work", "class Row:\n    class Meta: ..."),
        ("annotation.management.commands.agreement", "class Command: ..."),
        ("study.models.answers", "class Answer:\n    class Row: ...\n    class Meta: ..."),
        ("study.management.commands.plan", "class Command: ..."),
    ]
    assert names_used_twice(modules) == {"Row": ["annotation.models.work", "study.models.answers"]}
