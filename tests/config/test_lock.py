"""The locked packages: from the public index only, and the same in both files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {"pypi.org", "files.pythonhosted.org"}
LOCK = (ROOT / "uv.lock").read_text()
REQUIREMENTS = (ROOT / "requirements.txt").read_text()


def test_every_address_in_the_lock_is_the_public_index() -> None:
    """uv writes the index it was told to use into the lock; one of a private mirror would shut others out."""
    assert {urlsplit(address).hostname for address in re.findall(r"https?://[^\s\"]+", LOCK)} == PUBLIC
    assert re.findall(r"https?://", REQUIREMENTS) == []


def test_both_files_lock_the_same_packages_by_the_same_hashes() -> None:
    packages = [package for package in tomllib.loads(LOCK)["package"] if "registry" in package["source"]]
    locked = {
        (package["name"], package["version"]): {
            file["hash"] for file in [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        }
        for package in packages
    }
    exported = {
        (name, version): set(re.findall(r"--hash=(\S+)", hashes))
        for name, version, hashes in re.findall(
            r"^([a-z0-9.-]+)[^=\n]*==([^ ;\\]+)((?:[^\n]*\\\n)*[^\n]*)", REQUIREMENTS, flags=re.MULTILINE
        )
    }
    assert exported == locked
