"""The SECRET_KEY of an installation that was given none."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wagering.config.embedded import secret


def test_it_is_made_once_and_kept_from_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret, "state_folder", lambda: tmp_path)
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: secret.kept_secret(), range(8)))
    assert len(found) == 1
    assert len(found.pop()) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"secret_key", "secret_key.lock"}
