"""manage.py on a machine that lacks something says what, and what mends it. The install itself is CI's to show."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What manage.py reads, in a folder without .venv."""
    for name in ("manage.py", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(clone: Path, *, before: str) -> subprocess.CompletedProcess[str]:
    """manage.py under a bare Python, after ``before``."""
    program = f"import sys, runpy\n{before}\nsys.argv[1:] = ['check']\nrunpy.run_path('manage.py', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=clone, capture_output=True, text=True, check=False
    )


def test_an_older_python_is_told_what_is_needed(clone: Path) -> None:
    done = run(clone, before="sys.version_info = (3, 10, 4)")
    assert done.returncode == 1
    assert done.stderr.startswith("Python 3.11 or newer is needed")


def test_a_python_without_ensurepip_is_told_the_mend(clone: Path) -> None:
    done = run(clone, before="sys.modules['ensurepip'] = None")
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
    assert not (clone / ".venv").exists()


def test_an_environment_whose_packages_are_as_locked_is_used_as_it_is(clone: Path) -> None:
    """As uv or an image makes one: no .venv appears, Django is asked at once."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=clone, capture_output=True, text=True, check=False
    )
    assert "No module named 'wagering'" in done.stderr
    assert not (clone / ".venv").exists()


def test_nothing_but_the_answer_is_on_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.split()) == 1
    assert done.stderr == ""
