"""The interface's typeface, for figures.

Its files are variable and packed for browsers, which matplotlib cannot read: each weight that figures use is unpacked
into a file of its own. That takes seconds, so the files stay in DATA_DIR for all processes.
"""

import hashlib
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from django.conf import settings
from matplotlib.font_manager import fontManager

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

PACKED = Path(__file__).resolve().parents[2] / "static" / "css" / "fonts"
FAMILIES = {  # a font file each: a glyph comes from the first family that has it
    "Colloquy Sans": "source-sans-3-latin-wght-normal.woff2",
    "Colloquy Sans Greek": "source-sans-3-greek-wght-normal.woff2",
}
WEIGHTS = {400: "Regular", 700: "Bold"}


@cache
def unpacked() -> Path:
    """Return the folder of unpacked files, which are made where they are missing; matplotlib knows them by FAMILIES."""
    folder = Path(settings.DATA_DIR) / "figure-fonts" / _mark()
    if not folder.exists():
        _unpack(folder)
    for path in sorted(folder.iterdir()):
        fontManager.addfont(path)
    return folder


def _mark() -> str:
    """Return a digest of all that the unpacked files depend on."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for packed in FAMILIES.values():
        digest.update((PACKED / packed).read_bytes())
    return digest.hexdigest()[:16]


def _unpack(folder: Path) -> None:
    """Make the folder: whole or not at all, and once where several processes do it at the same time."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    folder.parent.mkdir(exist_ok=True)
    made = Path(mkdtemp(dir=folder.parent))
    try:
        for family, packed in FAMILIES.items():
            for weight, style in WEIGHTS.items():
                font = instantiateVariableFont(TTFont(PACKED / packed), {"wght": weight}, inplace=True)
                _call(font, family, style)
                font["OS/2"].usWeightClass = weight
                font.flavor = None
                font.save(made / f"{family} {style}.ttf")
        with suppress(OSError):  # another process was first
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _call(font: "TTFont", family: str, style: str) -> None:
    """Set the names in a font file: family, style, and the name by which an svg tells glyphs of two fonts apart."""
    for number, name in {1: family, 2: style, 6: f"{family}-{style}".replace(" ", "")}.items():
        for platform in ((3, 1, 0x409), (1, 0, 0)):
            font["name"].setName(name, number, *platform)
    for number in (16, 17):
        font["name"].removeNames(number)
