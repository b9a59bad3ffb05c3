"""Streams on a real server: everyone is told of every change, whatever breaks in between."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from games.access.models import PlayerToken
from games.live import rows, selectors
from games.live.hub import BEAT_S
from games.live.models import Connection, Pulse
from games.live.services import CONNECTIONS_MAX
from games.rules.sides import Side
from tests.api.test_schema import check, schema
from tests.live.following import Crowd, Followed, Server, served, token_of
from tests.live.tables import Parlour, parlour

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 200
SOON_S = 5.0
"""In which what takes a tenth of a second has to be done, on a machine that has other things to do."""


def table_now() -> Parlour:
    """A table at the time of day that the server has, and nobody at it."""
    table = parlour(at=timezone.now())
    Connection.objects.all().delete()
    return table


def follow(crowd: Crowd, table: Parlour, side: Side, *, last_event_id: int | None = None) -> Followed:
    told = None if last_event_id is None else str(last_event_id)
    return crowd.follows(table.pk, token_of(table.table.seats[side - 1]), last_event_id=told)


def acts(table: Parlour) -> int:
    """Whoever has to act plays or rolls. The sequence of what happened last."""
    table.at = timezone.now()
    if table.stand.game.dice:
        return table.plays().sequence
    return table.does("roll").sequence


def becomes(what: Callable[[], Any], *, seconds: float = 15.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if it := what():
            return it
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s")


def is_away(table: Parlour, side: Side) -> bool:
    return selectors.stand(table=table.pk).is_away(side)


def told_up_to(followed: Followed, sequence: int, *, seconds: float = 15.0) -> None:
    followed.waits_for(lambda each: any(event.id == sequence for event in each.events), seconds=seconds)


def test_both_sides_are_told_of_a_change_each_in_its_own_words(crowd: Crowd) -> None:
    table = table_now()
    one, two = follow(crowd, table, 1), follow(crowd, table, 2)
    states = (one.state(), two.state())
    assert [event.data["viewer"] for event in states] == [1, 2]
    began = time.monotonic()
    sequence = acts(table)
    for side, followed in enumerate((one, two), start=1):
        told_up_to(followed, sequence)
        state = followed.named("state")[-1]
        assert state.came_at - began < SOON_S
        assert (state.id, state.data["sequence"], state.data["viewer"]) == (sequence, sequence, side)
        assert bool(state.data["actions"]) == (table.side == side)
    assert one.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert one.headers["x-request-id"]
    assert 500 <= one.retry_ms <= 3000


def test_whoever_comes_or_goes_is_seen_by_the_other(crowd: Crowd) -> None:
    table = table_now()
    one, two = follow(crowd, table, 1), follow(crowd, table, 2)
    one.state()
    two.state()
    two.leaves()
    went = one.waits_for(lambda each: each.named("presence"))[0]
    assert is_away(table, 2)
    assert (went.id, went.data["sequence"]) == (table.live.sequence, table.live.sequence)
    assert [seat["present"] for seat in went.data["presence"]] == [True, False]
    assert went.data["due"]["what"] in ("absence", "time_out")
    follow(crowd, table, 2, last_event_id=went.id).state()
    came = one.waits_for(lambda each: each.named("presence")[1:])[0]
    assert [seat["present"] for seat in came.data["presence"]] == [True, True]
    assert not is_away(table, 2)
    assert one.named("state")[1:] == []


def test_each_event_is_as_described(crowd: Crowd) -> None:
    table = table_now()
    one, two = follow(crowd, table, 1, last_event_id=0), follow(crowd, table, 2)
    one.state()
    two.state()
    two.leaves()
    one.waits_for(lambda each: each.named("presence"))
    table.at = timezone.now()
    table.does("resign", concession="backgammon")
    one.ends()
    assert {event.name for event in one.events} == {"actions", "state", "presence", "end"}
    for event in one.events:
        check(event.data, schema()["components"]["schemas"][f"Stream{event.name.title()}"])


def test_one_of_two_streams_of_a_side_may_go(crowd: Crowd) -> None:
    table = table_now()
    one, again = follow(crowd, table, 1), follow(crowd, table, 1)
    one.state()
    again.state()
    one.leaves()
    becomes(lambda: Connection.objects.filter(live=table.pk).count() == 1)
    assert not is_away(table, 1)


def test_whoever_was_cut_off_is_told_what_was_missed(crowd: Crowd) -> None:
    table = table_now()
    one = follow(crowd, table, 1)
    seen = one.state().id
    one.leaves()
    becomes(lambda: is_away(table, 1))
    last = acts(table)
    back = follow(crowd, table, 1, last_event_id=seen)
    back.state()
    told = [event.name for event in back.events]
    missed = [action for event in back.named("actions") for action in event.data["actions"]]
    assert told[: told.index("state")] == ["actions"]
    assert seen is not None
    assert [action["sequence"] for action in missed][: last - seen] == list(range(seen + 1, last + 1))


def test_a_token_that_was_revoked_sees_nothing_of_what_comes_after(crowd: Crowd) -> None:
    table = table_now()
    thief, owner = follow(crowd, table, 1), follow(crowd, table, 1)
    thief.state()
    owner.state()
    PlayerToken.objects.filter(user=table.table.player_1.user).order_by("created").first().delete()  # type: ignore[union-attr]
    sequence = acts(table)
    told_up_to(owner, sequence)
    assert thief.ends() == "credential"
    assert [event.id for event in thief.named("state")] == [sequence - 1]
    assert not is_away(table, 1)  # the owner is there


def test_a_token_that_expires_ends_the_stream_within_seconds(crowd: Crowd) -> None:
    table = table_now()
    one = follow(crowd, table, 1)
    one.state()
    PlayerToken.objects.filter(user=table.table.player_1.user).update(expiry=timezone.now())
    assert one.ends(seconds=BEAT_S + SOON_S) == "credential"
    becomes(lambda: is_away(table, 1))


def test_a_process_listens_by_one_connection_and_outlives_its_loss(
    crowd: Crowd, superuser_connection: psycopg.Connection
) -> None:
    table, other = table_now(), table_now()
    followed = [follow(crowd, table, 1), follow(crowd, table, 2), follow(crowd, other, 1)]
    for each in followed:
        each.state()
    listeners = "FROM pg_stat_activity WHERE application_name = 'live listener' AND datname = current_database()"
    (before,) = superuser_connection.execute(f"SELECT pid {listeners}").fetchall()
    superuser_connection.execute(f"SELECT pg_terminate_backend(pid) {listeners}")
    # Nobody hears these two.
    sequences = [acts(table), acts(other)]
    told_up_to(followed[1], sequences[0], seconds=2 * SOON_S)
    told_up_to(followed[2], sequences[1], seconds=2 * SOON_S)
    (after,) = becomes(lambda: superuser_connection.execute(f"SELECT pid {listeners}").fetchall())
    assert after != before
    told_up_to(followed[0], acts(table))


def test_a_word_that_was_never_sent_is_made_up_for_by_the_heartbeat(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_now()
    one = follow(crowd, table, 1)
    one.state()
    monkeypatch.setattr(rows, "_tell", lambda payload: None)
    told_up_to(one, acts(table), seconds=2 * BEAT_S + SOON_S)


def test_words_of_others_on_the_channel_are_passed_over(crowd: Crowd, app_dsn: str) -> None:
    table = table_now()
    one = follow(crowd, table, 1)
    one.state()
    with psycopg.connect(app_dsn, autocommit=True) as anybody:
        for word in ("", "x", "a b c", f"{table.pk} x 1", f"{table.pk} 9999999999 1", f"{table.pk}"):
            anybody.execute("SELECT pg_notify(%s, %s)", [rows.CHANNEL, word])
    told_up_to(one, acts(table))
    assert len(one.named("state")) == 2


def test_the_end_of_a_contest_ends_its_streams(crowd: Crowd) -> None:
    table = table_now()
    followed = [follow(crowd, table, 1), follow(crowd, table, 2)]
    for each in followed:
        each.state()
    table.at = timezone.now()
    table.does("resign", concession="backgammon")
    for each in followed:
        assert each.ends() == "over"
        assert each.named("state")[-1].data["status"] == "over"
        assert each.named("state")[-1].id == table.live.sequence


def test_the_heart_beats_while_players_are_served(server: Server) -> None:
    first = becomes(Pulse.objects.first)
    second = becomes(lambda: Pulse.objects.filter(beat_at__gt=first.beat_at).first())
    assert second.beat_at - first.beat_at < timedelta(seconds=SOON_S)


def test_a_server_that_stops_says_so_and_takes_nobody_for_away(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    table = table_now()
    with served(child_environment, tmp_path / "log") as server:
        crowd = Crowd(server.address)
        followed = [follow(crowd, table, 1), follow(crowd, table, 2)]
        for each in followed:
            each.state()
        began = time.monotonic()
        server.process.terminate()
        assert [each.ends() for each in followed] == ["restart", "restart"]
        assert server.process.wait(timeout=15) in (0, -15)
        assert time.monotonic() - began < SOON_S
        crowd.close()
    assert not is_away(table, 1)
    assert not is_away(table, 2)
    assert "Traceback" not in server.log.read_text()


def test_many_streams_of_one_process_are_told_at_once(crowd: Crowd, server: Server) -> None:
    first, *others = [table_now() for _ in range(-(-MANY // (2 * CONNECTIONS_MAX)))]
    followed = [follow(crowd, first, 1)]
    followed[0].state()
    before_mb, threads = server.memory_mb(), server.threads()
    for table, few in ((first, CONNECTIONS_MAX - 1), *((other, CONNECTIONS_MAX) for other in others)):
        for side, many in ((1, few), (2, CONNECTIONS_MAX)):
            token = token_of(table.table.seats[side - 1])
            some = [crowd.follows(table.pk, token) for _ in range(many)]
            for each in some:
                each.state()
            followed += some
    assert len(followed) >= MANY
    # All tables change, and the last of the changes is timed.
    for table in others:
        acts(table)
    began = time.monotonic()
    sequence = acts(first)
    for each in followed[: 2 * CONNECTIONS_MAX]:
        told_up_to(each, sequence)
    for each in followed:
        each.state(2)
    reached_s = max(each.events[-1].came_at for each in followed) - began
    more_mb = server.memory_mb() - before_mb
    print(f"{len(followed)} streams: {reached_s:.2f} s to reach all, {more_mb:.0f} MB more than {before_mb:.0f} MB")
    assert reached_s < SOON_S
    assert more_mb < 0.2 * MANY
    assert server.threads() < threads + 20  # a stream holds no thread
