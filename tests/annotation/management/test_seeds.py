"""The seeds that may be chosen: the same in every command and on every page."""

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandError

from annotation.forms.releases import FreezeForm
from study.forms.numbers import seed_field

LARGEST = 999_999_999_999_999_999
COMMANDS = {
    "agreement": ["weibo"],
    "build_questions": ["films", "--from", "movie:dev", "--count", "5"],
    "create_project": ["weibo", "--kind", "rating"],
    "create_study": ["lines", "--questions", "films"],
    "freeze_release": ["weibo"],
    "import_corpus": ["lamps", "."],
    "import_predictions": ["films:dev", __file__, "--model", "ours"],
    "learning_curve": ["tfidf", "--on", "films:dev", "--train", "films:train"],
    "run_baseline": ["chance", "--on", "films"],
    "simulate_annotators": ["weibo"],
    "simulate_participants": ["lines"],
}


def parser(name):
    return load_command_class(get_commands()[name], name).create_parser("manage.py", name)


def test_every_command_with_a_seed_is_named_here():
    ours = [name for name, app in get_commands().items() if app in ("annotation", "study")]
    assert {name for name in ours if "--seed" in parser(name).format_help()} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_seed_is_a_whole_number_from_nought_on(name):
    chosen = vars(parser(name).parse_args([*COMMANDS[name], "--seed", str(LARGEST)]))
    assert chosen["seeds" if "seeds" in chosen else "seed"] in (LARGEST, [LARGEST])
    for wrong in ("-1", str(LARGEST + 1), "1.5", "x", ""):
        with pytest.raises(CommandError, match="a whole number from 0 to 999,999,999,999,999,999"):
            parser(name).parse_args([*COMMANDS[name], f"--seed={wrong}"])


@pytest.mark.parametrize("field", [FreezeForm(next_number=1).fields["seed"], seed_field()])
def test_pages_take_the_seeds_that_commands_take(field):
    assert (field.min_value, field.max_value) == (0, LARGEST)
