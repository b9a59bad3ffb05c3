"""PostgreSQL's own measure: TPC-B by ``pgbench``, and our scripts by the same program.

Run as the service's role, in the same database and over the same sort of connection as the book.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from wagering.config import embedded
from wagering.config.bench.arithmetic import Measured, measured

HERE: Final = Path(__file__).parent
WARM_S: Final = 0.3
"""The first moments do not count: connections are made and plans are, which a service does once an hour."""


class PgbenchFailed(Exception):
    """pgbench said no, or one of its clients did; the message is its own."""


def initialise(*, dsn: str, scale: int) -> None:
    """TPC-B's tables, ``scale`` times 100,000 accounts; by the owner."""
    _run(dsn, "-i", "-q", "-s", str(scale))


def tpcb(*, dsn: str, clients: int, seconds: int) -> Measured:
    """One run of TPC-B: seven statements a transaction, prepared."""
    return _measure(dsn, clients, seconds, "-b", "tpcb-like")


def script(name: str, *, dsn: str, clients: int, seconds: int) -> Measured:
    """One run of the script ``name`` beside this file."""
    return _measure(dsn, clients, seconds, "-f", str(HERE / f"{name}.sql"))


def _measure(dsn: str, clients: int, seconds: int, *what: str) -> Measured:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        options = ["-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, 2)), "-T", str(seconds)]
        _run(dsn, *options, "-l", f"--log-prefix={folder}/log", *what)
        lines = [line.split() for file in sorted(Path(folder).iterdir()) for line in file.read_text().splitlines()]
    # client, number, latency in µs, script, end in s, µs of the end
    ended = [(int(words[4]) + int(words[5]) / 1e6, int(words[2]) / 1e6) for words in lines]
    if not ended:
        raise PgbenchFailed(f"{what[-1]}: not one transaction in {seconds} s")
    counted_from = min(end for end, _ in ended) + WARM_S
    until = max(end for end, _ in ended)
    counted = [latency for end, latency in ended if end > counted_from]
    return measured(latencies_s=counted, seconds=max(until - counted_from, 0.001))


def _run(dsn: str, *arguments: str) -> None:
    parameters = {name: str(value) for name, value in conninfo_to_dict(dsn).items() if value is not None}
    password = {"PGPASSWORD": parameters.pop("password")} if "password" in parameters else {}
    try:
        embedded.run("pgbench", *arguments, make_conninfo(**parameters), extra=password)
    except subprocess.CalledProcessError as error:
        raise PgbenchFailed(f"pgbench: {error.stderr.strip()[-500:]}") from error
