"""What may import what, and what a rule may not do: pyproject.toml says the first, this file runs it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("games", "ledger", "ratings", "wagering")
PURE_LEDGER = {"chart.py", "money.py", "postings.py", "vouchers.py"}
CLOCK_OR_CHANCE = {"now", "today", "utcnow", "uuid1", "uuid4", "token_hex", "token_bytes"}


def sources(*apps: str) -> list[Path]:
    return [file for app in apps for file in sorted((ROOT / app).rglob("*.py")) if "migrations" not in file.parts]


def is_rule(file: Path) -> bool:
    """A path that ends in rules: ``rules.py`` or a file under ``rules/``; and the pure half of the ledger."""
    return "rules" in file.with_suffix("").parts or (file.parent.name == "ledger" and file.name in PURE_LEDGER)


def nodes(file: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(file.read_text(), filename=str(file)))


def test_imports_go_in_the_directions_of_the_contracts() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def with_money() -> list[Path]:
    """What has none in it measures time and waits: the bench, the embedded servers, the processes and their queue."""
    apart = {"bench", "bench.py", "embedded", "up", "up.py", "celery.py", "demo_cashier.py", "patience.py"}
    return [file for file in sources("ledger", "ratings", "wagering") if apart.isdisjoint(file.parts)]


@pytest.mark.parametrize("file", with_money(), ids=lambda file: str(file.relative_to(ROOT)))
def test_there_is_no_float_near_money(file: Path) -> None:
    """Money is Decimal from text to text."""
    floats = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in nodes(file)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.Attribute) and node.attr in {"FloatField", "from_float"})
    ]
    assert floats == []


@pytest.mark.parametrize(
    "file", [file for file in sources(*APPS) if is_rule(file)], ids=lambda file: str(file.relative_to(ROOT))
)
def test_a_rule_asks_neither_the_clock_nor_chance(file: Path) -> None:
    calls = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in nodes(file)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute | ast.Name)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id) in CLOCK_OR_CHANCE
    ]
    assert calls == []
