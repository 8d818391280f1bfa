"""The way back to the platform at the end of a survey, with the completion code of the outcome."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.wording import ChoiceError, gettext_noop

CODE = "{code}"  # in an address, where the completion code belongs
LONGEST = 500
HOST = r"([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::[0-9]{1,5})?"
REST = r"(?:[/?#][!#-;=?-\[\]-~]*)?"  # printable, without blanks, quotation marks, angle brackets and backslashes
ADDRESS = re.compile(f"(https://{HOST}){REST}", re.IGNORECASE)
PROLIFIC = f"https://app.prolific.com/submissions/complete?cc={CODE}"
MTURK = ("https://www.mturk.com", "https://workersandbox.mturk.com")


@dataclass(frozen=True)
class WayToPlatform:
    """An address to open or, where there are `fields`, to send a form with them to. `name` is what people call it."""

    name: str
    address: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The address up to its host and port."""
        match = ADDRESS.fullmatch(self.address)
        return match[1] if match else ""


def checked_address(typed: str) -> str:
    """Return an address to go back to, "" for none. Raises ChoiceError for one that no browser should be sent to."""
    address = typed.strip()
    if address and not _is_safe(address):
        raise ChoiceError(
            gettext_noop(
                "The redirect address must start with https:// and a host, have at most 500 "
                "characters and no spaces, and use braces only in {code}, where the completion code goes."
            )
        )
    return address


def _is_safe(address: str) -> bool:
    match = ADDRESS.fullmatch(address)
    return match is not None and len(address) <= LONGEST and not {*"{}"} & {*address.replace(CODE, "")}


def host_of(address: str) -> str:
    """Return the host of a checked address; "" without an address."""
    match = ADDRESS.fullmatch(address)
    return match[2] if match else ""


def way_back(address: str, platform: str, details: Mapping[str, str], code: str) -> WayToPlatform | None:
    """Return the way back: by the group's own `address`, else as the person's platform has it; None without either.

    `details` are the platform's parameters of the visit. MTurk is sent a form where it said whereto; else it asks for
    the code.
    """
    if address:
        return WayToPlatform(host_of(address), address.replace(CODE, code))
    if platform == "prolific":
        return WayToPlatform("Prolific", PROLIFIC.replace(CODE, code))
    whereto = details.get("turkSubmitTo", "").rstrip("/")
    if platform == "mturk" and whereto in MTURK:
        sent = {"assignmentId": details.get("assignmentId", ""), "code": code}
        return WayToPlatform("MTurk", f"{whereto}/mturk/externalSubmit", sent)
    return None
