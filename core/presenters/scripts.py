"""Modules of a page's script: what it imports, and what that imports."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.contrib.staticfiles import finders

IMPORTED = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)


@cache
def modules_of(script: str) -> tuple[str, ...]:
    """Return the modules that a script needs, itself first, each once.

    A browser would learn of them one level after the other, with the wait of a request for each level.
    """
    found = [script]
    for module in found:
        source = Path(finders.find(module) or "").read_text(encoding="utf-8")
        imported = (normpath(join(dirname(module), name)) for name in IMPORTED.findall(source))
        found += [name for name in dict.fromkeys(imported) if name not in found]
    return tuple(found)
