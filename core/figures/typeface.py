"""The interface's typeface, for figures.

Its files are variable and packed for browsers, which matplotlib cannot read: each weight that figures use is unpacked
into a file of its own, which lasts as long as the process.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from matplotlib.font_manager import fontManager

PACKED = Path(__file__).resolve().parents[2] / "static" / "css" / "fonts"
FAMILIES = {  # a font file each: a glyph comes from the first family that has it
    "Colloquy Sans": "source-sans-3-latin-wght-normal.woff2",
    "Colloquy Sans Greek": "source-sans-3-greek-wght-normal.woff2",
}
WEIGHTS = {400: "Regular", 700: "Bold"}

_one_at_a_time = Lock()


def unpacked() -> "TemporaryDirectory[str]":
    """Return the folder of unpacked files; matplotlib then knows them by the names in FAMILIES."""
    with _one_at_a_time:  # of two folders one would be deleted with its fonts
        return _unpack()


@cache
def _unpack() -> "TemporaryDirectory[str]":
    folder = TemporaryDirectory(prefix="colloquy-fonts-")
    for family, packed in FAMILIES.items():
        for weight, style in WEIGHTS.items():
            font = instantiateVariableFont(TTFont(PACKED / packed), {"wght": weight}, inplace=True)
            _call(font, family, style)
            font["OS/2"].usWeightClass = weight
            font.flavor = None
            path = Path(folder.name) / f"{family} {style}.ttf"
            font.save(path)
            fontManager.addfont(path)
    return folder


def _call(font: TTFont, family: str, style: str) -> None:
    """Set the names in a font file: family, style, and the name by which an svg tells glyphs of two fonts apart."""
    for number, name in {1: family, 2: style, 6: f"{family}-{style}".replace(" ", "")}.items():
        for platform in ((3, 1, 0x409), (1, 0, 0)):
            font["name"].setName(name, number, *platform)
    for number in (16, 17):
        font["name"].removeNames(number)
