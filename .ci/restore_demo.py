"""The demonstration's book, dumped and restored into a fresh cluster, proves, verifies and goes on.

Run by .ci/run inside the environment, after `manage.py demo` on the embedded server.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wagering.config import embedded
from wagering.config.embedded.secret import kept_secret

DATABASE = "backgammon"


def manage(*words: str, environment: dict[str, str] | None = None) -> None:
    print("$ manage.py", *words, flush=True)
    subprocess.run([sys.executable, "manage.py", *words], check=True, env={**os.environ, **(environment or {})})


def refused(*words: str, environment: dict[str, str]) -> str:
    """What a command that must fail says."""
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, check=False, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True)
    return done.stderr if done.returncode else sys.exit(f"{' '.join(words)} did not fail")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = str(Path(folder) / "checkpoint.json")
        manage("seal", "--checkpoint", checkpoint)
        with embedded.default() as source:
            dump = embedded.run("pg_dump", "-d", source.dsn(embedded.SUPERUSER, DATABASE)).stdout
        with embedded.scratch(durable=True) as fresh:
            target = fresh.dsn(embedded.SUPERUSER, DATABASE)
            embedded.run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", target, stdin=dump)
            restored = {
                "DATABASE_URL": fresh.url("app", DATABASE),
                "DATABASE_OWNER_URL": fresh.url("book_owner", DATABASE),
                "SECRET_KEY": kept_secret(),  # what players' data is sealed under: it belongs to a backup
            }
            check = ("check", "--database", "default", "--fail-level", "ERROR")
            manage(*check, environment=restored)
            if "vault.E001" not in refused(*check, environment=restored | {"SECRET_KEY": "another"}):
                sys.exit("a book restored beside another SECRET_KEY is not refused for that")
            manage("prove_book", environment=restored)
            manage("seal", "--verify", "--checkpoint", checkpoint, environment=restored)
            manage("demo", environment=restored)
            manage("seal", "--verify", "--checkpoint", checkpoint, environment=restored)


if __name__ == "__main__":
    main()
