"""The modules of a script are all known before the first of them is read by a browser."""

import pytest
from django.contrib.staticfiles import finders

from core.presenters.scripts import modules_of
from core.templatetags.page import script


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return a function that writes modules, which are then found as static files."""
    monkeypatch.setattr(finders, "find", lambda name: str(tmp_path / name))
    modules_of.cache_clear()

    def plant(**sources: str) -> None:
        for name, source in sources.items():
            path = tmp_path / f"{name.replace('__', '/')}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)

    yield plant
    modules_of.cache_clear()


def test_what_is_imported_by_what_is_imported_is_known_once(planted):
    planted(
        js__page='import { a } from "./a.js";\nimport "../core/b.js"; // first\n\nexport function f() {}\n',
        js__a='import {\n  b,\n  c,\n} from "../core/b.js";\nexport { d } from "./d.js";\n',
        js__d='import { a } from "./a.js"; // a circle\nconst said = `import "./no.js"`;\n// import "./not.js";\n',
        core__b="export const b = 1;\n",
    )
    assert modules_of("js/page.js") == ("js/page.js", "js/a.js", "core/b.js", "js/d.js")


def test_a_page_names_its_script_and_the_rest_of_it():
    drawn = script("js/survey/practice.js")
    assert drawn.count("<script") == 1
    assert '<script src="/static/js/survey/practice.js" type="module"></script>' in drawn
    of_it = ("core/notices", "survey/lines", "core/keys")
    for name in of_it:
        assert f'<link rel="modulepreload" href="/static/js/{name}.js">' in drawn
    assert drawn.count("modulepreload") == len(of_it)
