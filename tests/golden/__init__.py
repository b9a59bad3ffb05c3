"""Tables copied from a named source; a test reads one by its file's name."""

import tomllib
from pathlib import Path
from typing import Any


def table(name: str) -> dict[str, Any]:
    """The tables of ``name``.toml."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
