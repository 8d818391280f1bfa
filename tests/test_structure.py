"""The measures of a checkout count correctly, each in a small checkout made for it, and its templates break no rule."""

from pathlib import Path

import pytest

from tests.structure import arrows, shape, texts
from tests.structure.checkout import Checkout, Module

LONG = "word " * 30


@pytest.fixture
def planted(tmp_path):
    """Write files into a folder and read it as a checkout."""

    def plant(sources: dict[str, str]) -> Checkout:
        (tmp_path / "pyproject.toml").write_text('[tool.mypy]\nfiles = ["study/domain"]\nexclude = ["left_out"]\n')
        for name, source in sources.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return Checkout(tmp_path)

    return plant


def module(source: str, name: str = "study.views.page") -> Module:
    return Module(name, f"{name.replace('.', '/')}.py", source)


def test_doors_are_the_modules_that_an_app_imports_of_another(planted):
    checkout = planted(
        {
            "annotation/domain/splitting.py": "",
            "annotation/selectors/releases.py": "",
            "study/actions/questions.py": "from annotation.domain import splitting\n"
            "from annotation.selectors.releases import newest, oldest\n",
            "study/actions/runs.py": "def late():\n    from annotation.selectors.releases import newest\n",
        }
    )
    modules, names = arrows.doors(checkout, "study", "annotation")
    assert modules == {"annotation.domain.splitting", "annotation.selectors.releases"}
    assert (len(set(names)), len(names)) == (3, 4)


def test_the_doors_that_a_checkout_declares_are_read_from_it(planted):
    declares = {"tests/architecture.py": 'DOORS = ("annotation.figures",)'}
    assert arrows.declared_doors(planted(declares)) == ["annotation.figures"]
    assert arrows.declared_doors(planted({"tests/architecture.py": ""})) == []


@pytest.mark.parametrize(
    ("name", "other", "upward"),
    [
        ("annotation.actions.ratings", "annotation.selectors.board", False),
        ("annotation.actions.rating.submit", "annotation.selectors.rating.board", False),
        ("annotation.actions.ratings", "annotation.actions.events", False),
        ("annotation.selectors.rating.board", "annotation.actions.rating.submit", True),
        ("core.models.people", "annotation.models.work", True),
        ("annotation.domain.rating", "core.actions.events", False),
        ("annotation.views.board", "study.domain.metrics", True),
        ("config.settings", "study.views.page", False),
    ],
)
def test_an_arrow_is_upward_by_app_and_then_by_layer(name, other, upward):
    assert arrows.is_upward(name, other) is upward


def test_circles_are_modules_that_reach_one_another():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"f"}, "f": {"e"}}
    assert arrows.circles(graph) == [["a", "b", "c"], ["e", "f"]]


def test_the_graph_knows_relative_imports_and_packages(planted):
    checkout = planted(
        {
            "study/domain/__init__.py": "from .metrics import share",
            "study/domain/metrics.py": "from . import plan",
            "study/domain/plan.py": "from study.domain import share",
        }
    )
    assert arrows.circles(arrows.import_graph(checkout)) == [
        ["study.domain", "study.domain.metrics", "study.domain.plan"]
    ]


@pytest.mark.parametrize(
    ("source", "handlers"),
    [
        ("def page(request) -> HttpResponse: ...", 1),
        ("def page(asked: AuthenticatedRequest) -> JsonResponse | HttpResponse: ...", 1),
        ("def _page(request) -> HttpResponse: ...", 0),
        ("def rows(request) -> list[str]: ...", 0),
        ("class Items(generics.ListAPIView[Item]): ...", 1),
        ("class Items(ReadOnlyModelViewSet): ...", 1),
        ("class Row: ...", 0),
    ],
)
def test_a_request_handler_takes_a_request_and_gives_a_response(source, handlers):
    assert len(shape.handlers_elsewhere([module(source, "study.actions.page")])) == handlers
    assert shape.handlers_elsewhere([module(source, "study.views.rating.page")]) == []
    assert len(shape.views_without_handler([module(source)])) == 1 - handlers


def test_other_code_in_views_is_what_takes_no_request():
    handler = "def page(request) -> HttpResponse: ...\n"
    source = handler + "class Row: ...\ndef rows(study): ...\ndef _rows(study):\n    ...\ndef _late(request): ...\n"
    assert shape.other_names_in_views([module(source)]) == ["study.views.page.Row", "study.views.page.rows"]
    assert shape.private_functions_in_views([module(source)]) == [("study.views.page._rows", 2)]


def test_short_modules_are_counted_without_commands_and_packages():
    names = ("study.domain.metrics", "study.management.commands.links")
    assert shape.short_modules([module("x = 1\n" * 29, name) for name in names]) == [module("x = 1\n" * 29, names[0])]
    assert shape.short_modules([module("x = 1\n" * 30, names[0])]) == []


def test_a_class_name_used_twice_is_found_inside_classes_too():
    first, second = "class Row:\n    class Meta: ...\n", "class Page:\n    class Meta: ...\n    class Row: ...\n"
    found = shape.classes_of_one_name([module(first, "study.a"), module(second, "study.b")])
    assert found == {"Row": ["study.a", "study.b"]}


def test_mypy_covers_what_its_settings_name(planted):
    checkout = planted(
        {
            "study/domain/metrics.py": "",
            "study/domain/left_out.py": "",
            "study/domains.py": "",
            "study/views/page.py": "",
        }
    )
    assert [one.name for one in checkout.checked_by_mypy] == ["study.domain.metrics"]


def test_docstrings_are_found_with_the_name_they_belong_to():
    source = '"""One."""\nclass A:\n    """Two."""\n    def b(self):\n        """Three."""\n'
    assert [(name, text) for _path, name, text in shape.docstrings([module(source)])] == [
        ("", "One."),
        ("A", "Two."),
        ("A.b", "Three."),
    ]


@pytest.mark.parametrize(("text", "riddle"), [("Whether it is.", 1), ("To the page.", 1), ("Total of all.", 0)])
def test_a_docstring_begins_as_a_riddle_by_its_first_word(text, riddle):
    assert texts.begins_as_a_riddle(text) == bool(riddle)


def test_docstrings_are_drawn_the_same_after_a_move():
    before = [(f"study/views/{name}.py", "", name) for name in "abcdefgh"]
    after = [(f"study/views/survey/{name}.py", "", name) for name in "hgfedcba"]
    drawn = [[text for _path, _name, text in texts.drawn(found, 3, seed=1)] for found in (before, after)]
    assert len(drawn[0]) == 3
    assert drawn[0] == drawn[1]
    assert drawn[0] != [text for _path, _name, text in texts.drawn(before, 3, seed=2)]


@pytest.mark.parametrize(
    "line",
    [
        LONG,
        f"<p>{LONG}</p>",
        f"{LONG}{{{{ name }}}} {LONG}",
        f'<p>{{% translate "{LONG}" %}}</p>',
        f"aria-label=\"{{% translate '{LONG}' %}}\"",
        f'{{% include "a.html" with label=_("{LONG}") %}}',
    ],
)
def test_a_long_line_of_one_piece_is_a_single_text(line):
    assert texts.long_lines(line) == [line]
    assert texts.is_single_text(line)


@pytest.mark.parametrize(
    "line",
    [
        f'<p class="note">{LONG}</p>',
        f"<div><p>{LONG}</p></div>",
        f"{LONG}<br>{LONG}",
        f'{{% if a %}}{{% translate "{LONG}" %}}{{% endif %}}',
        f'href="{LONG}" class="{LONG}"',
        f'class="{LONG}{{% if a %}}b{{% endif %}}"',
        f"{{% blocktranslate trimmed with a={'a.' * 60}a %}}",
        f"aria-label=\"{{% if a %}}{{% translate '{LONG}' %}}{{% else %}}{{% translate 'b' %}}{{% endif %}}\"",
        "<p></p>" * 20,
    ],
)
def test_a_long_line_that_can_be_broken_is_none(line):
    assert not texts.is_single_text(line)


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ('<textarea\n  class="a > b"\n  {% if a > 1 %} autofocus{% endif %}\n>{{ text }}</textarea>', 0),
        ("<textarea></textarea>", 0),
        ('<pre class="command">\nmanage.py plan\n  --all</pre>', 0),
        ("<textarea>\n  {{ text }}</textarea>", 1),
        ("<textarea>{{ text }}\n</textarea>", 1),
        ("<textarea> {{ text }}</textarea><pre>\n\na</pre>", 2),
    ],
)
def test_an_indented_element_whose_blanks_are_shown_is_found(template, found):
    assert len(texts.indents(template)) == found


@pytest.fixture(scope="module")
def templates():
    return Checkout(Path(__file__).parents[1]).templates


def test_a_line_of_a_template_is_longer_only_if_it_is_a_single_text(templates):
    long = [(name, line.strip()) for name, template in templates.items() for line in texts.long_lines(template)]
    assert [f"{name}: {line}" for name, line in long if not texts.is_single_text(line)] == []


def test_no_template_indents_where_blanks_are_shown(templates):
    assert [f"{name}: {found}" for name, template in templates.items() for found in texts.indents(template)] == []


def test_switches_are_counted_in_comments_only():
    source = "x = 1  # fmt: skip\n# fmt: off\ny = 1  # type: ignore[attr]  # noqa: E501\nfmt = 'skip'\n"
    patterns = (texts.FORMATTER_OFF, texts.TYPE_IGNORED, texts.LINT_IGNORED)
    assert [texts.count(pattern, [source]) for pattern in patterns] == [2, 1, 1]
