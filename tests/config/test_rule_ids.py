"""The ids that code, tests and documents quote are those of RULES.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = ("games", "ledger", "ratings", "wagering", "tests")
QUOTED = re.compile(r"(?<![\w-])([ABCFPRST]-[0-9]{1,2})(?![\w-])")


def test_every_rule_that_is_quoted_is_written_down() -> None:
    told = set(QUOTED.findall((ROOT / "RULES.md").read_text(encoding="utf-8")))
    files = [file for app in APPS for file in (ROOT / app).rglob("*") if file.suffix in {".py", ".sql", ".toml", ".md"}]
    unknown = {
        f"{file.relative_to(ROOT)}: {rule}"
        for file in (*files, *ROOT.glob("*.md"))
        for rule in QUOTED.findall(file.read_text(encoding="utf-8"))
        if rule not in told
    }
    assert len(told) > 50
    assert unknown == set()
