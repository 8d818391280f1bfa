"""Static files named by their content's hash, including modules that scripts import."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """The names are read once in a process; so are the addresses made of them, of which each page has a dozen."""

    support_js_module_import_aggregation = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        if name not in self._addresses:
            self._addresses[name] = super().url(name, force)
        return self._addresses[name]
