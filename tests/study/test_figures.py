"""The figure of people and models: the same bytes each time, without date, text as paths, nothing read as a formula."""

import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.figures import canvas, typeface
from study.figures import Panel, ShareRow, draw_people_and_models

PANELS = [
    Panel(
        "movie", "5 candidates", 0.2, (ShareRow("crowd", 0.66, (0.6, 0.7), True), ShareRow("tfidf", None, None, False))
    ),
    Panel(
        "听力", "4 个候选", None, (ShareRow("crowd", 0.9, None, True), ShareRow("$tfidf_1$", 0.3, (0.2, 0.4), False))
    ),
]


def drawn(panels=PANELS, *, theme="light", is_narrow=False, format="svg"):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return draw_people_and_models(
            panels, axis="R@1, %", chance="chance", theme=theme, is_narrow=is_narrow, format=format
        )


@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_the_same_figures_give_the_same_bytes(format):
    assert drawn(format=format) == drawn(format=format)


def test_a_file_holds_no_date_and_no_name_of_a_library():
    svg, pdf = drawn().decode(), drawn(format="pdf")
    assert not re.search(r"dc:date|20\d\d-\d\d|matplotlib v|Creator", svg.replace("matplotlib.axis", ""))
    assert b"CreationDate" not in pdf
    assert b"atplotlib" not in pdf.replace(b"Matplotlib", b"") or b"Producer" not in pdf


def test_text_stands_as_paths_and_chinese_is_left_to_the_reader_where_no_font_has_it(monkeypatch):
    assert "<text" not in drawn(PANELS[:1]).decode()
    monkeypatch.setattr(canvas, "families", lambda: ("DejaVu Sans",))
    assert "<text" in drawn().decode()
    assert "<text" not in drawn(PANELS[:1]).decode()


def test_text_is_set_in_the_typeface_of_the_interface_letter_by_letter():
    def fonts(panels):
        return set(re.findall(r'id="([A-Za-z]+-[A-Za-z]+)-[0-9a-f]+"', drawn(panels).decode()))

    assert fonts(PANELS[:1]) == {"ColloquySans-Regular", "ColloquySans-Bold"}
    greek = replace(PANELS[0], note="κ, −1")
    assert fonts([greek]) == {"ColloquySans-Regular", "ColloquySans-Bold", "ColloquySansGreek-Regular"}


def test_colours_are_those_of_the_theme():
    light, dark = drawn().decode(), drawn(theme="dark").decode()
    assert canvas.THEMES["light"]["people"] in light
    assert canvas.THEMES["dark"]["people"] in dark
    assert canvas.THEMES["light"]["people"] not in dark


def test_a_narrow_figure_is_narrow_and_higher_with_every_panel():
    def size(svg):
        return tuple(map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.decode()).groups()))

    assert size(drawn(is_narrow=True))[0] == pytest.approx(3.75 * 72)
    assert size(drawn())[0] == pytest.approx(8.9 * 72)
    assert size(drawn(is_narrow=True))[1] > size(drawn(PANELS[:1], is_narrow=True))[1]


@pytest.mark.parametrize(("is_narrow", "named"), [(True, 1 + 2), (False, 2)])
def test_a_narrow_panel_has_no_row_without_a_figure(is_narrow, named):
    assert len(re.findall(r'id="ytick_\d+"', drawn(is_narrow=is_narrow).decode())) == named


def test_people_are_circles_and_models_squares_and_what_is_missing_is_left_out():
    dashes = [len(re.findall(r"stroke-dasharray", drawn(panels).decode())) for panels in (PANELS, PANELS[1:])]
    assert dashes == [2, 0]  # chance is known of one panel, and the key has the line again


@pytest.mark.parametrize("is_narrow", [False, True])
def test_the_word_for_chance_is_below_the_axis_and_on_nothing(is_narrow):
    svg = drawn(PANELS[::-1], is_narrow=is_narrow).decode()
    of_axis, key = re.search(r'id="xtick_1".*?y="([\d.]+)"', svg, re.DOTALL), svg.split('id="legend_1"')[1]
    heights = [float(y) for _x, y in re.findall(r"[ML] ([\d.]+) ([\d.]+)", key.split("</g>")[0])]
    assert heights
    assert min(heights) > float(of_axis[1])


def test_colours_are_the_tokens_of_the_style_sheet():
    css = (canvas.STYLE.parents[2] / "static/css/tokens.css").read_text()
    light, dark = css.split("prefers-color-scheme: dark", 1)[0], css.split('data-theme="dark"] {', 1)[1]
    names = {"people": "accent"}
    for theme, block in (("light", light), ("dark", dark)):
        for key, colour in canvas.THEMES[theme].items():
            assert re.search(rf"--{names.get(key, key)}: {colour};", block), (theme, key)


@pytest.fixture
def greek_alone(settings, tmp_path, monkeypatch):
    """The smaller of the two families, unpacked into a folder of the test."""
    settings.DATA_DIR = tmp_path
    name = "Colloquy Sans Greek"
    monkeypatch.setattr(typeface, "FAMILIES", {name: typeface.FAMILIES[name]})
    return sorted(f"{name} {style}.ttf" for style in typeface.WEIGHTS.values())


def test_fonts_are_unpacked_for_all_processes(greek_alone, monkeypatch):
    unpack_in_this_process = typeface.unpacked.__wrapped__
    folder = unpack_in_this_process()
    assert sorted(path.name for path in folder.iterdir()) == greek_alone
    monkeypatch.setattr(typeface, "_unpack", None)  # another process finds them
    assert unpack_in_this_process() == folder


def test_two_that_unpack_fonts_at_once_leave_one_whole_folder(greek_alone, tmp_path):
    folder = tmp_path / "fonts" / "mark"
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(typeface._unpack, [folder, folder])) == [None, None]
    assert [*folder.parent.iterdir()] == [folder]
    assert sorted(path.name for path in folder.iterdir()) == greek_alone
