"""The way back to the platform at the end of a survey, with the completion code of the outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from core.domain.wording import ChoiceError, gettext_noop

CODE = "{code}"  # in an address, where the completion code belongs
LONGEST = 500
PROLIFIC = f"https://app.prolific.com/submissions/complete?cc={CODE}"
MTURK_HOSTS = ("www.mturk.com", "workersandbox.mturk.com")


@dataclass(frozen=True)
class WayToPlatform:
    """An address to open or, where there are `fields`, to send a form with them to. `name` is what people call it."""

    name: str
    address: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


def checked_address(typed: str) -> str:
    """Return an address to go back to, "" for none. Raises ChoiceError for one that no browser should be sent to."""
    address = typed.strip()
    if address and not _is_safe(address):
        raise ChoiceError(
            gettext_noop(
                "The address to go back to begins with https:// and a host, has at most 500 characters, no blanks, and "
                "braces only in {code}, where the completion code belongs."
            )
        )
    return address


def _is_safe(address: str) -> bool:
    if len(address) > LONGEST or not address.isascii() or not address.isprintable() or set(address) & set(' "\\<>'):
        return False
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port, or of a bracket
        return False
    rest = address.removeprefix(f"https://{parts.netloc}").replace(CODE, "")
    is_plain = "@" not in parts.netloc and not set(rest + parts.netloc) & set("{}")
    return address.startswith("https://") and has_host and is_plain


def way_back(address: str, platform: str, details: Mapping[str, str], code: str) -> WayToPlatform | None:
    """Return the way back: by the group's own `address`, else as the person's platform has it; None without either.

    `details` are the platform's parameters of the visit. MTurk is sent a form where it said whereto; else it
    asks for the code.
    """
    if address:
        return WayToPlatform(urlsplit(address).hostname or "", address.replace(CODE, quote(code, safe="")))
    if platform == "prolific":
        return WayToPlatform("Prolific", PROLIFIC.replace(CODE, quote(code, safe="")))
    whereto = urlsplit(details.get("turkSubmitTo", ""))
    if platform == "mturk" and whereto.scheme == "https" and whereto.netloc in MTURK_HOSTS:
        sent = {"assignmentId": details.get("assignmentId", ""), "code": code}
        return WayToPlatform("MTurk", f"https://{whereto.netloc}/mturk/externalSubmit", sent)
    return None
