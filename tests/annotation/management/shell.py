"""Commands run as in a shell, with their output and exit code."""

import json
from typing import Any, NamedTuple

import pytest
from django.core.management import CommandError, get_commands, load_command_class


class Printed(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Return the one object on standard output; raise ValueError if there is more or less."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


class Shell:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, name: str, *arguments: object) -> Printed:
        """Run the command as manage.py does, but leave the connection to the database open."""
        self.capsys.readouterr()
        command = load_command_class(get_commands()[name], name)
        command._called_from_command_line = True
        try:
            options = vars(command.create_parser("manage.py", name).parse_args([str(each) for each in arguments]))
            command.execute(*options.pop("args", ()), **options)
        except CommandError as wrong:
            return Printed(wrong.returncode, self.capsys.readouterr().out, str(wrong))
        except SystemExit as ended:
            return Printed(int(ended.code or 0), *self.capsys.readouterr())
        return Printed(0, *self.capsys.readouterr())
