#!/usr/bin/env python3
"""Django's manage.py, which first sees to it that the packages are there.

On a machine with only Python 3.11 or newer it makes ``.venv``, installs from the hashed ``requirements.txt`` and runs
again inside. When the packages are there it is silent and takes a millisecond. Standard library only.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - it is this line that an older Python must reach
    sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]} ({sys.executable})")

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "requirements.sha256"  # the requirements that were installed, by their hash
REQUIREMENTS = ROOT / "requirements.txt"
ASKED = "BACKGAMMON_PACKAGES"  # set when this file runs only to say, by its status, whether packages are as locked


def main() -> None:
    """Run the command here when this environment will do, else in ``.venv``."""
    if ASKED in os.environ:
        sys.exit(0 if packages_are_as_locked(everything=True) else 1)
    if not environment_will_do():
        make_environment()
        os.execv(PYTHON, [str(PYTHON), str(ROOT / "manage.py"), *sys.argv[1:]])

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagering.config.settings")
    from wagering.config.command_line import run

    sys.exit(run(sys.argv))


def environment_will_do() -> bool:
    """Whether the Python that runs this has what the command needs: ``.venv``, or whatever uv or an image gave us."""
    ours = Path(sys.prefix).resolve() == VENV.resolve()
    if ours and stamp_is_current():
        return True
    if not packages_are_as_locked(everything=sys.argv[1:2] == ["test"]):
        return False
    if ours and packages_are_as_locked(everything=True):
        write_stamp()
    return True


def packages_are_as_locked(*, everything: bool) -> bool:
    """Whether what pyproject.toml asks for is here in the locked version; ``everything``: extras and tests' too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = list(project["project"]["dependencies"])
    if everything:
        wanted += sum(project["project"]["optional-dependencies"].values(), project["dependency-groups"]["dev"])
    locked = locked_versions()
    for requirement in wanted:
        name = re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-")
        try:
            if importlib.metadata.version(name) not in locked[name]:
                return False
        except importlib.metadata.PackageNotFoundError:
            return False
    return True


def locked_versions() -> dict[str, set[str]]:
    """Name of each package in requirements.txt and its version; more than one where they differ between machines."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9.-]+)[^=\n]*==([^ ;\\]+)", REQUIREMENTS.read_text(), flags=re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def requirements_hash() -> str:
    return hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()


def stamp_is_current() -> bool:
    return os.access(PYTHON, os.X_OK) and STAMP.exists() and STAMP.read_text() == requirements_hash()


def write_stamp() -> None:
    """Last of all, under another name first: an interrupted install leaves no stamp."""
    try:
        half = STAMP.with_suffix(f".{os.getpid()}")
        half.write_text(requirements_hash())
        half.replace(STAMP)
    except PermissionError:
        pass  # somebody else's environment: it is looked over each time


def make_environment() -> None:
    """Make or mend ``.venv``. Of two at once the second waits, then finds it made."""
    if stamp_is_current():
        return
    if not os.access(ROOT, os.W_OK):
        sys.exit(f"{VENV} is missing or out of date, and {ROOT} is not yours to write: make it as its owner")
    state = ROOT / "var"
    state.mkdir(mode=0o700, exist_ok=True)
    with (state / "bootstrap.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp_is_current():
            return
        STAMP.unlink(missing_ok=True)
        if not answers(str(ROOT / "manage.py")):  # one made by uv may be right
            if not answers("-m", "pip", "--version"):
                make_venv()
            install()
        write_stamp()


def answers(*arguments: str) -> bool:
    """Whether the Python of ``.venv`` runs this without complaint. A half-made one does not."""
    try:
        done = subprocess.run([PYTHON, *arguments], env={**os.environ, ASKED: "1"}, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def make_venv() -> None:
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            "This Python cannot make a virtual environment: it has no ensurepip. On Debian and Ubuntu:\n"
            "    apt-get install python3-venv\n"
            "then run the command again; or, where uv is installed:  uv run manage.py ..."
        )
    say("making .venv (once)")
    venv.EnvBuilder(clear=True, with_pip=True, symlinks=True).create(VENV)


def install() -> None:
    """Install what is locked, by hash, telling which package is at hand."""
    say("installing packages into .venv (once)")
    command = [
        str(PYTHON),
        "-m",
        "pip",
        "install",
        "--require-hashes",
        "--no-deps",
        "--no-input",
        "--progress-bar",
        "off",
    ]
    command += ["--no-compile", "--disable-pip-version-check", "--no-warn-script-location", "-r", str(REQUIREMENTS)]
    said: list[str] = []
    collected = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            if line.startswith(("Collecting ", "Processing ")):
                collected += 1
                say(f"  {collected:>3}  {Path(line.split()[1]).name}")
            elif line.startswith("Installing collected"):
                say("  unpacking")
    if pip.returncode:
        sys.exit("".join(said[-15:]) + f"pip failed with status {pip.returncode}; .venv is finished by the next run")
    say("  done")


def say(line: str) -> None:
    """On standard error: what a command prints on standard output may be read by a program."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
