"""Folders of pre-trained weights that an administrator offers: those in WEIGHTS_DIR, by their names."""

from pathlib import Path

from django.conf import settings


def weights_names() -> list[str]:
    """Return the names of the folders, without links and hidden ones; none where WEIGHTS_DIR cannot be read."""
    try:
        return sorted(each.name for each in Path(settings.WEIGHTS_DIR).iterdir() if _is_offered(each))
    except OSError:
        return []


def weights_folder(name: str) -> Path | None:
    """Return the folder of this name; None where none of these folders has it, so that no path leads elsewhere."""
    return Path(settings.WEIGHTS_DIR) / name if name in weights_names() else None


def _is_offered(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")
