"""The dice of a live table are those of three seeds, of which nobody could choose his own late (F)."""

import json

import pytest

from games.live import selectors, services
from games.live.models import Secret
from games.live.rules.seeding import (
    GivenOtherwise,
    HashCopied,
    NotHexadecimal,
    SeedBeforeHashes,
    SeedIsNotOfItsHash,
)
from games.models import Table
from games.rules.dice import hash_of
from games.rules.dice_json import read_transcript
from games.rules.dice_transcript import FaultKind, Transcript, verify
from games.rules.game import GameOver
from games.rules.sides import SIDES
from tests.live.tables import SEEDS, Parlour, parlour

pytestmark = pytest.mark.django_db

HASHES = tuple(hash_of(seed=seed).hex() for seed in SEEDS)


def commit(table: Parlour, side: int, digest: str) -> services.Done:
    return services.commit_seed(table=table.pk, side=1 if side == 1 else 2, digest=digest, now=table.now)


def reveal(table: Parlour, side: int, seed: bytes) -> services.Done:
    return services.reveal_seed(table=table.pk, side=1 if side == 1 else 2, seed=seed.hex(), now=table.now)


def transcript_of(table: Table) -> Transcript:
    return read_transcript(json.dumps(selectors.dice(table=table.pk)))


def test_both_hashes_come_before_either_seed() -> None:
    table = parlour(seeded=False)
    assert [table.state(side)["actions"] for side in SIDES] == [["seed_hash"], ["seed_hash"]]
    commit(table, 1, HASHES[0])
    with pytest.raises(SeedBeforeHashes):
        reveal(table, 1, SEEDS[0])
    assert [table.state(side)["actions"] for side in SIDES] == [[], ["seed_hash"]]
    commit(table, 2, HASHES[1])
    assert table.state(1)["actions"] == ["seed"]
    done = reveal(table, 1, SEEDS[0])
    assert (done.version, done.state["phase"]) == (0, "seeds")
    done = reveal(table, 2, SEEDS[1])
    assert (done.version, done.state["phase"]) == (1, "to_play")


def test_nobody_changes_what_he_gave_nor_takes_anothers() -> None:
    table = parlour(seeded=False)
    commitment = table.state()["dice_proof"]["commitment"]
    for digest, refusal in ((commitment, HashCopied), ("AB" * 32, NotHexadecimal), ("ab" * 31, NotHexadecimal)):
        with pytest.raises(refusal):
            commit(table, 1, digest)
    commit(table, 1, HASHES[0])
    assert commit(table, 1, HASHES[0]).replayed
    with pytest.raises(GivenOtherwise):
        commit(table, 1, HASHES[1])
    with pytest.raises(HashCopied):
        commit(table, 2, HASHES[0])
    commit(table, 2, HASHES[1])
    with pytest.raises(SeedIsNotOfItsHash):
        reveal(table, 1, SEEDS[1])
    reveal(table, 1, SEEDS[0])
    assert reveal(table, 1, SEEDS[0]).replayed
    with pytest.raises(GivenOtherwise):
        reveal(table, 1, SEEDS[1])


def test_the_servers_seed_is_told_when_the_contest_is_over_and_proves_the_dice() -> None:
    table = parlour()
    secret = Secret.objects.get(live=table.pk).seed
    for _ in range(3):
        table.plays()
        table.does("roll")
        if table.stand.game.dice is None:
            break
    told = [selectors.dice(table=table.pk), selectors.actions(table=table.pk), table.live.snapshot, table.live.recent]
    told += [table.state(viewer) for viewer in (None, *SIDES)]
    assert secret not in json.dumps([*told, selectors.record(table=table.pk)])
    assert [fault.kind for fault in verify(transcript_of(table.table))] == [FaultKind.NOT_REVEALED]

    side = table.side
    done = table.does("resign", concession="backgammon") if table.state(side)["resignations"] else None
    done = table.does("accept_resignation") if done is None or done.contest_over is None else done
    assert done.contest_over is not None
    assert done.state["dice_proof"]["server_seed"] == secret
    assert hash_of(seed=bytes.fromhex(secret)).hex() == done.state["dice_proof"]["commitment"]
    assert verify(transcript_of(table.table)) == []


def test_the_dice_of_an_abandoned_contest_prove_themselves_too() -> None:
    table = parlour()
    table.goes(1)
    table.wait(minutes=5)
    table.expires()
    assert verify(transcript_of(table.table)) == []
    with pytest.raises(GivenOtherwise):
        reveal(table, 2, SEEDS[0])


def test_a_contest_that_ended_takes_no_seeds() -> None:
    table = parlour(seeded=False)
    table.wait(minutes=2)
    table.expires()
    with pytest.raises(GameOver):
        commit(table, 1, HASHES[0])
