"""Requirements: the locks match them and hold for any machine, and no licence restricts the product."""

import re
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"requirements.txt": "requirements.lock", "requirements-dev.txt": "requirements-dev.lock"}
NEURAL = "requirements-neural.txt"  # an extra without a lock
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==([^\s;\\]+)", re.MULTILINE)
# "GNU General Public License", "GPL-3.0-or-later", "AGPLv3", but neither LGPL nor "GNU Lesser General Public License".
BINDING = re.compile(r"\bA?GPL|\bGNU (Affero )?General Public", re.IGNORECASE)


def pins(file: str) -> set[tuple[str, str]]:
    found = PIN.findall((ROOT / file).read_text())
    return {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in found}


def licences(distribution: metadata.Distribution) -> list[str]:
    """Return everything a package states about its licence, on one line: expression, field and classifiers."""
    said = [distribution.metadata.get("License-Expression"), distribution.metadata.get("License")]
    said += [line for line in distribution.metadata.get_all("Classifier", []) if line.startswith("License ::")]
    return [line for line in said if line and "\n" not in line]


@pytest.mark.parametrize(("wanted", "lock"), LOCKS.items())
def test_the_lock_has_every_requirement_in_its_version(wanted, lock):
    assert pins(wanted)
    assert pins(wanted) <= pins(lock)


def test_tests_run_with_the_versions_of_the_product():
    assert pins("requirements.lock") <= pins("requirements-dev.lock")


@pytest.mark.parametrize("file", [*LOCKS, *LOCKS.values(), NEURAL])
def test_no_address_or_path_of_one_machine_is_written_down(file):
    text = (ROOT / file).read_text()
    assert "://" not in text
    assert not re.search(r"(^|\s)/\w|--(index|extra-index|find-links)", text)


def test_every_package_of_the_extra_has_one_version():
    """What of it is installed has this version: other versions may give other scores."""
    assert {name for name, _version in pins(NEURAL)} == {"safetensors", "torch", "transformers"}
    installed = {one.name: one.version.partition("+")[0] for one in metadata.distributions()}
    assert {(name, installed.get(name, version)) for name, version in pins(NEURAL)} == pins(NEURAL)


def test_every_locked_package_carries_hashes():
    for lock in LOCKS.values():
        blocks = re.split(r"^(?=[A-Za-z0-9])", (ROOT / lock).read_text(), flags=re.MULTILINE)
        assert [block.split()[0] for block in blocks if PIN.match(block) and "--hash=sha256:" not in block] == []


# Tools that developers run on the source. The product does not import them, and they are not installed with it.
TOOLS_UNDER_THE_GPL = {"djhtml"}


def test_no_installed_package_is_under_the_gpl():
    locked = {name for name, _ in pins("requirements-dev.lock") | pins(NEURAL)}
    installed = [one for one in metadata.distributions() if re.sub(r"[-_.]+", "-", one.name).lower() in locked]
    assert installed
    bound = {one.name: licences(one) for one in installed if any(map(BINDING.search, licences(one)))}
    assert {name: said for name, said in bound.items() if name not in TOOLS_UNDER_THE_GPL} == {}
    assert not TOOLS_UNDER_THE_GPL & {name for name, _ in pins("requirements.lock")}
