"""No float reaches a money path (cases 34): not as a literal, not by name."""

import ast
from pathlib import Path

import pytest
from django.conf import settings

FOLDERS = "ratings", "wagering/commission", "wagering/stakes", "wagering/settlement"
LEDGER = "ledger/money.py", "ledger/chart.py", "ledger/vouchers.py", "ledger/postings.py"
ROOT = Path(settings.BASE_DIR)
FILES = [
    *(file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")) if "management" not in file.parts),
    *(ROOT / name for name in LEDGER if (ROOT / name).exists()),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_float_in(file: Path) -> None:
    found = [
        f"line {node.lineno}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.Attribute) and node.attr in ("FloatField", "from_float"))
    ]
    assert found == []
