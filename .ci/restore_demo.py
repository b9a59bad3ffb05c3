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

DATABASE = "backgammon"


def manage(*words: str, environment: dict[str, str] | None = None) -> None:
    print("$ manage.py", *words, flush=True)
    subprocess.run([sys.executable, "manage.py", *words], check=True, env={**os.environ, **(environment or {})})


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
                "SECRET_KEY": "only-here",
            }
            manage("check", "--database", "default", "--fail-level", "ERROR", environment=restored)
            manage("prove_book", environment=restored)
            manage("seal", "--verify", "--checkpoint", checkpoint, environment=restored)
            manage("demo", environment=restored)
            manage("seal", "--verify", "--checkpoint", checkpoint, environment=restored)


if __name__ == "__main__":
    main()
