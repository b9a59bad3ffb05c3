"""Every attack of ``attacks.py`` three ways: as the service, as the owner, and as a superuser with triggers off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError

from ledger import proofs, seals
from tests.ledger import small_book
from tests.ledger.attacks import ATTACKS, CHECKPOINT, Attack

every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
CHECKS = {check.__name__: check for check in proofs.PROOFS}


@pytest.fixture(scope="module")
def checkpoint(committed: dict[str, Any]) -> seals.Checkpoint:
    """Kept outside the database before anybody attacks."""
    kept = seals.checkpoint()
    assert kept is not None
    return kept


@pytest.fixture(scope="module")
def service(app_dsn: str, committed: dict[str, Any]) -> Iterator[psycopg.Connection]:
    with psycopg.connect(app_dsn, autocommit=True) as connection:
        yield connection


@every_attack
def test_the_service_may_not(attack: Attack, committed: dict[str, Any], service: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        service.execute(attack.sql.format(**committed))


@every_attack
def test_the_owner_is_refused_by_name(
    attack: Attack, committed: dict[str, Any], owner_dsn: str, checkpoint: seals.Checkpoint
) -> None:
    if attack.refused_by is None:
        _is_found(attack, committed, dsn=owner_dsn, checkpoint=checkpoint, first="")
        return
    with small_book.acting_as(owner_dsn), pytest.raises(IntegrityError, match=rf"\b{attack.refused_by}\b"):
        small_book.run_sql(attack.sql.format(**committed) + ";SET CONSTRAINTS ALL IMMEDIATE")


@every_attack
def test_what_triggers_do_not_stop_is_found_by_name(
    attack: Attack, committed: dict[str, Any], superuser_dsn: str, checkpoint: seals.Checkpoint
) -> None:
    first = "SET LOCAL session_replication_role = replica;" + (attack.loosen and attack.loosen + ";")
    _is_found(attack, committed, dsn=superuser_dsn, checkpoint=checkpoint, first=first)


def test_before_and_after_all_attacks_everything_proves(
    committed: dict[str, Any], checkpoint: seals.Checkpoint
) -> None:
    assert small_book.failing() == {}
    assert seals.verify(against=checkpoint).fault is None


def _is_found(attack: Attack, committed: dict[str, Any], *, dsn: str, checkpoint: seals.Checkpoint, first: str) -> None:
    with small_book.acting_as(dsn):
        small_book.run_sql(first + attack.sql.format(**committed))
        if attack.found_by == CHECKPOINT:
            fault = seals.verify(against=checkpoint).fault
        else:
            fault = CHECKS[attack.found_by]().fault
    assert fault is not None, f"{attack.found_by} holds"
    assert attack.reports.format(**committed) in fault
