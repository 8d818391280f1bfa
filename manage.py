#!/usr/bin/env python
"""Run a management command: `.venv/bin/python manage.py help` lists them."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(f"The settings are wrong. {wrong}")
    except (OperationalError, ProgrammingError) as away:
        from config.earlier_version import refuse_an_earlier_version

        try:
            refuse_an_earlier_version()
        except ImproperlyConfigured as earlier:
            sys.exit(str(earlier))
        sys.exit(f"The database does not do what was asked: {away}\nIf it does not answer, look at DATABASE_URL.")


if __name__ == "__main__":
    main()
