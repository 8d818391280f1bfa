"""The names that draws are keyed by are data: a renamed one gives other numbers under the same seed (docs/adr/0016)."""

import ast
import re
from pathlib import Path

from tests import architecture

ROOT = Path(__file__).resolve().parent.parent
DRAWS = {"uniforms", "lowest_first", "shown_order", "generator_for", "_uniform", "_draw"}


def names_in_source() -> set[str]:
    names = set()
    for _module, source in architecture.sources("core", "annotation", "study"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in DRAWS:
                names |= {
                    each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return names - {""}


def test_the_table_of_names_is_complete_and_no_draw_was_renamed():
    text = (ROOT / "docs" / "adr" / "0016-names-of-draws-stay.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| (`.+`) \|$", text, re.MULTILINE)
    assert set(re.findall(r"`([^`]+)`", " ".join(rows))) == names_in_source()
