"""The embedded Valkey: shared, stopped by the last one out, and nothing that it took is lost when it is killed."""

from __future__ import annotations

import os

import redis

from tests.workers.conftest import Run, happens
from wagering.config.embedded import broker, warden
from wagering.config.embedded.install import server_ids

# Joins the users of a broker, says so, and stays until it is killed.
USER = """
import sys, time
from pathlib import Path
from wagering.config.embedded import broker
broker.Broker(Path(sys.argv[1])).start()
print("in", flush=True)
time.sleep(600)
"""


def client(valkey: broker.Broker) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(valkey.address))


def test_it_runs_unprivileged_keeps_a_file_and_evicts_nothing(valkey: broker.Broker) -> None:
    found = client(valkey).config_get("appendonly", "maxmemory-policy", "port", "save")
    assert found == {"appendonly": "yes", "maxmemory-policy": "noeviction", "port": "0", "save": ""}
    pid = warden.server_pid(valkey.folder)
    assert os.stat(f"/proc/{pid}").st_uid == server_ids()[0] != 0  # noqa: PTH116 - of a process


def test_a_killed_broker_keeps_what_it_took(valkey: broker.Broker) -> None:
    for number in range(3):
        client(valkey).rpush("default", number)
        valkey.kill()
        assert not valkey.running()
        valkey.start()
    assert client(valkey).lrange("default", 0, -1) == [b"0", b"1", b"2"]


def test_the_last_one_out_stops_it_even_when_it_was_killed(valkey: broker.Broker, run: Run) -> None:
    second = run("-c", USER, str(valkey.folder), environment=dict(os.environ))
    assert second.says("in")
    valkey.leave()
    assert valkey.running()  # the second is still in
    second.kill()
    assert happens(lambda: not valkey.folder.exists())
    assert not valkey.running()
    assert not valkey.socket.exists()


def test_a_stale_one_is_swept(valkey: broker.Broker) -> None:
    stale = valkey.folder.with_name("scratch-stale")
    stale.mkdir()
    (stale / "throwaway").touch()
    with broker.scratch() as another:
        assert another.folder.exists()
        assert not stale.exists()
    assert valkey.running()
