"""Real records: those shipped with the project always, the large collection where it lies beside the project."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.rules.endings import Ending, Outcome, Win
from games.rules.record import MatchRecord
from games.rules.record_reading import decoded, read
from games.rules.record_writing import write
from games.rules.replay import GameReplay, Replay, replay_match
from games.rules.series import Series

PROJECT = Path(__file__).parents[2]
SHIPPED = PROJECT / "games" / "records"
COLLECTION = PROJECT.parent / "shared" / "matches"

# Where the collection contradicts itself: file, game, line, and how.
CONTRADICTIONS = {
    ("03pt-135.txt", 1, 49): "both sides",
    ("05pt-220.txt", 4, 127): "both sides",
    ("07pt-044.txt", 4, 119): "both sides",
    ("13pt-010.txt", 10, 215): "4016 points",
}


def matches_in(file: Path) -> tuple[MatchRecord, ...]:
    return read(decoded(file.read_bytes()))


def replay_of(name: str) -> Replay:
    (match,) = matches_in(SHIPPED / name)
    return replay_match(match)


def test_every_shipped_record_replays_and_is_told_of_in_its_readme() -> None:
    readme = (SHIPPED / "README.md").read_text()
    files = sorted(SHIPPED.glob("*.txt"))
    assert len(files) == 5
    for file in files:
        assert f"`{file.name}`" in readme
        assert replay_of(file.name).refused == ()
    assert "MIT License" in (SHIPPED / "LICENSE").read_text()


@pytest.mark.parametrize(
    ("name", "outcome", "plays"),
    [
        ("money-single.txt", Outcome(1, Win.SINGLE, 2, 2, Ending.BORNE_OFF), 32),
        ("money-gammon-cube-2.txt", Outcome(1, Win.GAMMON, 2, 4, Ending.BORNE_OFF), 48),
        # B-11: the cube was never turned, so with Jacoby the gammon is one point.
        ("money-gammon-undoubled.txt", Outcome(2, Win.GAMMON, 1, 1, Ending.BORNE_OFF), 43),
    ],
)
def test_shipped_money_games(name: str, outcome: Outcome, plays: int) -> None:
    (game,) = replay_of(name).games
    assert isinstance(game, GameReplay)
    assert (game.outcome, game.plays, game.recorded_points) == (outcome, plays, outcome.points)
    assert (game.match_length, game.jacoby) == (0, True)


@pytest.mark.parametrize(
    ("name", "length", "score", "crawford_game", "games"),
    [("match-to-5.txt", 5, (4, 5), 5, 6), ("match-to-13.txt", 13, (4, 13), 7, 8)],
)
def test_shipped_matches(name: str, length: int, score: tuple[int, int], crawford_game: int, games: int) -> None:
    replay = replay_of(name)
    assert replay.series == Series(length=length, score=score, crawford_played=True)
    assert replay.winner == 2
    played = [game for game in replay.games if isinstance(game, GameReplay)]
    assert len(played) == games
    assert [game.number for game in played if game.crawford_game] == [crawford_game]


def collection() -> Iterator[tuple[str, MatchRecord]]:
    for file in sorted(COLLECTION.glob("*.txt")):
        for match in matches_in(file):
            yield file.name, match


@pytest.mark.parametrize("match", [match for file in sorted(SHIPPED.glob("*.txt")) for match in matches_in(file)])
def test_a_shipped_record_written_reads_back_equal(match: MatchRecord) -> None:
    assert read(write(match)) == (match,)
    assert replay_match(read(write(match))[0]).outcomes == replay_match(match).outcomes


needs_collection = pytest.mark.skipif(not COLLECTION.is_dir(), reason="the collection does not lie beside the project")


@needs_collection
def test_every_record_of_the_collection_written_reads_back_equal() -> None:
    for name, match in collection():
        assert read(write(match)) == (match,), name


@needs_collection
def test_every_result_of_the_collection_is_the_recorded_one_but_for_those_that_contradict_themselves() -> None:
    found: dict[tuple[str, int | None, int | None], str] = {}
    endings: Counter[Ending] = Counter()
    files = plays = 0
    for name, match in collection():
        files += 1
        for game in replay_match(match).games:
            if not isinstance(game, GameReplay):
                found[name, game.game, game.line] = game.reason
                continue
            outcome, recorded = game.outcome, game.recorded_points
            assert outcome is not None, name
            assert outcome.winner is not None, name
            # Clipped to the length of the match, or to what the winner still needed of it (B-14).
            assert recorded is not None, name
            clipped = recorded < outcome.points and recorded <= game.match_length
            assert recorded == outcome.points or clipped, (name, game)
            endings[outcome.ending] += 1
            plays += game.plays
    assert found.keys() == CONTRADICTIONS.keys()
    assert all(why in found[key] for key, why in CONTRADICTIONS.items())
    assert files == 247
    assert endings == {Ending.BORNE_OFF: 403, Ending.DROPPED: 298, Ending.RESIGNED: 73}
    assert plays == 32212
