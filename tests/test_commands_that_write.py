"""Commands that write to --out say in a sentence what is wrong with the path, before they do anything else."""

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.core.management.base import CommandParser

from core.management.command import writing_to

FILES = {
    "export_ratings": ["forum"],
    "payable": ["forum", "--since", "2026-03-01", "--until", "2026-03-31"],
    "reconcile": ["lines", "LIST"],
}
FOLDERS = {
    "export_release": ["forum@1", "--format", "jsonl"],
    "export_corpus": ["talk", "--format", "jsonl"],
    "export_study": ["lines"],
    "report": ["lines"],
}


def parser_of(command: str) -> CommandParser:
    return load_command_class(get_commands()[command], command).create_parser("manage.py", command)


def test_every_command_with_out_is_among_these():
    own = [name for name, app in get_commands().items() if app in ("annotation", "core", "study")]
    with_out = {name for name in own if "--out" in parser_of(name)._option_string_actions}
    assert with_out == {*FILES, *FOLDERS}


@pytest.mark.parametrize(
    ("command", "out"),
    [
        *((command, out) for command in FILES for out in ("folder.csv", "nowhere/file.csv", "list.csv/file.csv")),
        *((command, out) for command in FOLDERS for out in ("list.csv", "list.csv/below", " ")),
    ],
)
def test_a_path_that_cannot_be_written_is_answered_with_a_sentence(command, out, tmp_path):
    file = tmp_path / "list.csv"
    file.write_text("Participant id,Status\n")
    (tmp_path / "folder.csv").mkdir()
    given = [str(file) if each == "LIST" else each for each in (FILES | FOLDERS)[command]]
    with pytest.raises(CommandError) as wrong:
        call_command(command, *given, "--out", str(tmp_path / out) if out.strip() else out)
    assert "argument --out: " in str(wrong.value)


def test_what_goes_wrong_while_it_is_written_is_said_too(tmp_path):
    with pytest.raises(CommandError) as wrong, writing_to(tmp_path):
        tmp_path.read_bytes()
    assert (wrong.value.returncode, str(tmp_path) in str(wrong.value)) == (2, True)
