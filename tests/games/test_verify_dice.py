"""A transcript proves its dice, or each tampering is named with its place; and what is no transcript is refused (F)."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import assume, given
from hypothesis import strategies as st

from games.management.commands import verify_dice
from games.rules.dice import Malformed, Seeds, hash_of, throw
from games.rules.dice_json import EVENTS_MAX, read_transcript, transcript_as_json, write_transcript
from games.rules.dice_transcript import (
    ClientHash,
    ClientSeed,
    Commitment,
    Event,
    ServerSeed,
    Throw,
    ThrowKind,
    Transcript,
    verify,
)
from tests.games import sha256_by_hand
from tests.games.dice_box import SEEDS, exchange, honest, thrown

HONEST = honest()
OTHER = sha256_by_hand.sha256(b"another seed")
ANN, BOB = SEEDS.clients
EVENTS = HONEST.events
LAST = len(EVENTS) - 1

seed = st.binary(min_size=32, max_size=32)


def faults(*events: Event) -> list[tuple[str, str]]:
    return [(fault.kind.value, fault.where) for fault in verify(Transcript(events))]


def spoilt(place: int, **changes: Any) -> tuple[Event, ...]:
    """The honest events with one of them changed."""
    return (*EVENTS[:place], replace(EVENTS[place], **changes), *EVENTS[place + 1 :])


def moved(place: int, to: int) -> tuple[Event, ...]:
    rest = [*EVENTS[:place], *EVENTS[place + 1 :]]
    return (*rest[:to], EVENTS[place], *rest[to:])


def without(place: int) -> tuple[Event, ...]:
    return (*EVENTS[:place], *EVENTS[place + 1 :])


def again(place: int, event: Event) -> tuple[Event, ...]:
    return (*EVENTS[:place], event, *EVENTS[place:])


def counter_at(place: int, counter: int) -> tuple[Event, ...]:
    """A server that throws by another counter, and honestly says by which."""
    return spoilt(place, counter=counter, dice=throw(SEEDS, counter=counter))


# --- Proving -------------------------------------------------------------------------------------------------


def test_an_honest_transcript_has_no_fault() -> None:
    assert verify(HONEST) == []
    assert [event.dice for event in HONEST.throws[:2]] == [(4, 1), (4, 2)]
    assert HONEST.seeds == SEEDS


@given(server=seed, first=seed, second=seed, rolls=st.integers(0, 30), games=st.integers(0, 3), later=st.booleans())
def test_every_honest_transcript_has_no_fault_and_comes_back_from_its_text(
    server: bytes, first: bytes, second: bytes, rolls: int, games: int, later: bool
) -> None:
    """Contests of no game at all, of one, and of several that count on; side 2 may well be the earlier one."""
    assume(len({server, first, second}) == 3)
    seeds = Seeds(server=server, clients=(first, second))
    events = exchange(seeds)
    if later:
        events[1:] = [events[2], events[1], events[4], events[3]]
    for _ in range(games):
        counter = sum(isinstance(event, Throw) for event in events)
        events += thrown(seeds, rolls=rolls, counter=counter)
    transcript = Transcript((*events, ServerSeed(server)))
    assert verify(transcript) == []
    assert read_transcript(write_transcript(transcript)) == transcript
    assert read_transcript(json.dumps(transcript_as_json(transcript)).encode()) == transcript


def test_a_table_nobody_joined_has_no_fault_and_no_throws() -> None:
    assert faults(EVENTS[0], EVENTS[LAST]) == []
    assert faults(*EVENTS[:2], EVENTS[LAST]) == []


@pytest.mark.parametrize("events", [EVENTS[:count] for count in (1, 3, 5, 12, LAST)])
def test_nothing_is_proved_before_the_servers_seed_is_given(events: tuple[Event, ...]) -> None:
    assert faults(*events) == [("not_revealed", "events")]


# --- Each tampering is found ---------------------------------------------------------------------------------

TAMPERINGS: dict[str, tuple[tuple[Event, ...], list[tuple[str, str]]]] = {
    "nothing was given at all": ((), [("no_commitment", "events"), ("not_revealed", "events")]),
    "the server never committed itself": (without(0), [("no_commitment", "events")]),
    "the server committed itself after a hash": (moved(0, 1), [("committed_late", "events[1]")]),
    "the server committed itself after the seeds": (moved(0, 4), [("committed_late", "events[4]")]),
    "the server committed itself anew": (
        again(5, Commitment(hash_of(seed=OTHER))),
        [("given_twice", "events[5]")],
    ),
    "the commitment was exchanged": (
        spoilt(0, hash=hash_of(seed=OTHER)),
        [("server_seed_changed", f"events[{LAST}].seed")],
    ),
    "the server's seed was given twice": (
        (*EVENTS, ServerSeed(SEEDS.server)),
        [("given_twice", f"events[{LAST + 1}]"), ("after_the_reveal", f"events[{LAST + 1}]")],
    ),
    "a hash was exchanged": (spoilt(1, hash=hash_of(seed=OTHER)), [("client_seed_changed", "events[3].seed")]),
    "a side hides behind the other's hash": (
        (*EVENTS[:2], ClientHash(2, hash_of(seed=ANN)), *EVENTS[3:]),
        [("hash_copied", "events[2].hash"), ("client_seed_changed", "events[4].seed")],
    ),
    "a side hides behind the server's hash": (
        spoilt(1, hash=hash_of(seed=SEEDS.server)),
        [("hash_copied", "events[1].hash"), ("client_seed_changed", "events[3].seed")],
    ),
    "a side gave a second hash": (
        again(3, ClientHash(1, hash_of(seed=OTHER))),
        [("given_twice", "events[3]")],
    ),
    "a side gave a second seed": (
        again(5, ClientSeed(1, OTHER)),
        [("given_twice", "events[5]"), ("client_seed_changed", "events[5].seed")],
    ),
    "a side gave its seed before the other's hash": (
        moved(3, 2),
        [("seed_before_hashes", "events[2]")],
    ),
    "a side gave its hash after the throws": (
        moved(2, 12),
        [
            ("seed_before_hashes", "events[2]"),
            ("seed_before_hashes", "events[3]"),
            ("thrown_before_hashes", "events[4]"),
        ],
    ),
    "a side gave no hash": (
        without(2),
        [
            ("seed_before_hashes", "events[2]"),
            ("seed_before_hashes", "events[3]"),
            ("thrown_before_hashes", "events[4]"),
        ],
    ),
    "a throw was made before a seed was in": (moved(4, 5), [("thrown_before_seeds", "events[4]")]),
    "a throw was made before both hashes were in": (
        moved(5, 2),
        [("thrown_before_hashes", "events[2]"), ("thrown_before_seeds", "events[2]")],
    ),
    "a side gave no seed": (without(3), [("thrown_before_seeds", "events[4]")]),
    "the server's seed was known before the last throw": (
        moved(LAST, LAST - 1),
        [("after_the_reveal", f"events[{LAST}]")],
    ),
    "a counter was used again": (again(9, EVENTS[8]), [("counter_reused", "events[9].counter")]),
    "a counter was used again in the next one's place": (
        counter_at(9, 3),
        [("counter_reused", "events[9].counter"), ("counter_skipped", "events[10].counter")],
    ),
    "a counter was left out": (
        without(9),
        [("counter_skipped", "events[9].counter")],
    ),
    "the first counter was left out": (
        (*EVENTS[:5], *thrown(SEEDS, rolls=3, counter=1), EVENTS[LAST]),
        [("counter_skipped", "events[5].counter")],
    ),
    "two throws changed places": (
        moved(9, 10),
        [("counter_skipped", "events[9].counter"), ("counter_went_back", "events[10].counter")],
    ),
    "the opening throw was left out": (
        (*EVENTS[:5], *EVENTS[6:]),
        [("counter_skipped", "events[5].counter"), ("opening_missing", "events[5].kind")],
    ),
    "the first throw was no opening": (
        spoilt(5, kind=ThrowKind.ROLL),
        [("opening_missing", "events[5].kind")],
    ),
    "the dice were exchanged": (spoilt(9, dice=(6, 6)), [("dice_differ", "events[9].dice")]),
    "the opening dice changed sides": (spoilt(5, dice=(1, 4)), [("dice_differ", "events[5].dice")]),
}


@pytest.mark.parametrize(("events", "found"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_each_tampering_is_found(events: tuple[Event, ...], found: list[tuple[str, str]]) -> None:
    assert faults(*events) == found


def test_a_seed_swapped_after_the_commitment_is_found_even_when_all_dice_follow_from_it() -> None:
    swapped = Seeds(server=OTHER, clients=SEEDS.clients)
    events = (*EVENTS[:5], *thrown(swapped, rolls=20), ServerSeed(OTHER))
    assert faults(*events) == [("server_seed_changed", f"events[{len(events) - 1}].seed")]


@pytest.mark.parametrize("side", [0, 1])
def test_a_clients_seed_changed_is_found_even_when_all_dice_follow_from_it(side: int) -> None:
    clients = (OTHER, BOB) if side == 0 else (ANN, OTHER)
    changed = Seeds(server=SEEDS.server, clients=clients)
    events = (*EVENTS[:3], *exchange(changed)[3:], *thrown(changed, rolls=20), EVENTS[LAST])
    assert faults(*events) == [("client_seed_changed", f"events[{3 + side}].seed")]


def test_a_seed_changed_under_the_dice_is_found_in_the_dice_too() -> None:
    found = faults(*spoilt(LAST, seed=OTHER))
    assert ("server_seed_changed", f"events[{LAST}].seed") in found
    assert len(found) > len(HONEST.throws) // 2


def test_equal_opening_dice_that_were_not_thrown_again_are_found_b_2() -> None:
    twice = next(
        seeds
        for number in range(1000)
        if len(thrown(seeds := Seeds(server=number.to_bytes(32, "big"), clients=SEEDS.clients), rolls=0)) == 2
    )
    transcript = honest(twice)
    assert verify(transcript) == []
    again = replace(transcript.throws[1], kind=ThrowKind.ROLL)
    assert faults(*transcript.events[:6], again, *transcript.events[7:]) == [("opening_missing", "events[6].kind")]


def test_a_fault_says_what_is_wrong_in_a_sentence() -> None:
    (fault,) = verify(Transcript(spoilt(9, dice=(6, 6))))
    dice = throw(SEEDS, counter=4)
    assert str(fault) == f"events[9].dice: counter 4 gives {dice[0]}-{dice[1]}, not 6-6 (dice_differ)"


def test_faults_come_in_the_order_of_the_events_and_the_whole_first() -> None:
    events = (*spoilt(5, dice=(1, 4))[:9], *EVENTS[10:LAST])
    assert faults(*events) == [
        ("not_revealed", "events"),
        ("counter_skipped", "events[9].counter"),
    ]
    assert faults(*events, EVENTS[LAST]) == [
        ("dice_differ", "events[5].dice"),
        ("counter_skipped", "events[9].counter"),
    ]


@given(data=st.data())
def test_no_change_of_a_hash_a_seed_a_counter_or_a_die_passes(data: st.DataObject) -> None:
    whole = transcript_as_json(HONEST)
    event = whole["events"][data.draw(st.integers(0, LAST), label="event")]
    key = data.draw(st.sampled_from([key for key in event if key not in ("event", "kind", "side")]), label="field")
    match event[key]:
        case str(digits):
            place = data.draw(st.integers(0, 63), label="digit")
            new = data.draw(st.sampled_from("0123456789abcdef".replace(digits[place], "")), label="new digit")
            event[key] = digits[:place] + new + digits[place + 1 :]
        case int(counter):
            event[key] = data.draw(st.integers(0, 2**53 - 1).filter(lambda other: other != counter), label="counter")
        case dice:
            event[key] = data.draw(
                st.lists(st.integers(1, 6), min_size=2, max_size=2).filter(lambda other: other != dice), label="dice"
            )
    assert verify(read_transcript(json.dumps(whole))) != []


@given(place=st.integers(0, LAST), to=st.integers(0, LAST))
def test_no_change_of_order_passes_but_between_two_hashes_and_between_two_seeds(place: int, to: int) -> None:
    assume(place != to and {place, to} not in ({1, 2}, {3, 4}))
    assert faults(*moved(place, to)) != []


@given(place=st.integers(0, LAST), to=st.integers(0, LAST))
def test_no_event_told_twice_passes(place: int, to: int) -> None:
    assert faults(*again(to, EVENTS[place])) != []


# --- What is no transcript is refused ------------------------------------------------------------------------


def with_event(place: int, **changes: Any) -> str:
    """The text of the honest transcript with keys of one event changed, or left out where the value is ``...``."""
    whole = transcript_as_json(HONEST)
    event = whole["events"][place] | changes
    whole["events"][place] = {key: value for key, value in event.items() if value is not ...}
    return json.dumps(whole)


def with_whole(**changes: Any) -> str:
    whole = transcript_as_json(HONEST) | changes
    return json.dumps({key: value for key, value in whole.items() if value is not ...})


HEX = hash_of(seed=OTHER).hex()
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "file: 'line 1 column 1' is no JSON"),
    "no JSON": ("{", "file: 'line 1 column 2' is no JSON"),
    "more after it": (write_transcript(HONEST) + "x", "file: .* is no JSON: Extra data"),
    "no text": (b"\xff\xfe", "file: 'byte 0' is not UTF-8"),
    "a list": ("[]", r"file: \[\] is no object"),
    "null": ("null", "file: None is no object"),
    "too deep": ("[" * 100_000, "file: 'a value' is nested too deeply"),
    "no format": (with_whole(format=...), "file: 'format' is missing"),
    "another format": (with_whole(format="backgammon-room/dice/2"), "format: .* is not 'backgammon-room/dice/1'"),
    "a number for a format": (with_whole(format=1), "format: 1 is not"),
    "no events": (with_whole(events=...), "file: 'events' is missing"),
    "an object of events": (with_whole(events={}), "events: {} is no list"),
    "too many events": (with_whole(events=[0] * (EVENTS_MAX + 1)), "events: 100001 events are over 100000"),
    "an unknown key": (with_whole(note="fair"), "file: 'note' is no key that belongs here"),
    "a key twice": ('{"format": "a", "format": "b"}', "key: 'format' is given twice in one object"),
    "an event that is none": (with_whole(events=[7]), r"events\[0\]: 7 is no object"),
    "an event without a name": (with_event(3, event=...), r"events\[3\]\.event: None is none of commitment, "),
    "an unknown event": (with_event(3, event="shuffle"), r"events\[3\]\.event: 'shuffle' is none of commitment, "),
    "a list for a name": (with_event(3, event=[]), r"events\[3\]\.event: \[\] is none of"),
    "an event with an unknown key": (with_event(0, at="noon"), r"events\[0\]: 'at' is no key that belongs here"),
    "an event that lacks a key": (with_event(1, hash=...), r"events\[1\]: 'hash' is missing"),
    "a short hash": (with_event(0, hash=HEX[:-1]), r"events\[0\]\.hash: .* is not 64 lower-case hexadecimal digits"),
    "a long hash": (with_event(0, hash=HEX + "0"), r"events\[0\]\.hash: .* is not 64 lower-case"),
    "a hash in capitals": (with_event(1, hash=HEX.upper()), r"events\[1\]\.hash: .* is not 64 lower-case"),
    "a hash with a line's end": (with_event(1, hash=HEX + "\n"), r"events\[1\]\.hash: .* is not 64 lower-case"),
    "digits of another script": (with_event(1, hash="٣" * 64), r"events\[1\]\.hash: .* is not 64 lower-case"),
    "a number for a seed": (with_event(3, seed=7), r"events\[3\]\.seed: 7 is not 64 lower-case"),
    "no seed": (with_event(LAST, seed=None), rf"events\[{LAST}\]\.seed: None is not 64 lower-case"),
    "a third side": (with_event(1, side=3), r"events\[1\]\.side: 3 is neither 1 nor 2"),
    "a truth value for a side": (with_event(1, side=True), r"events\[1\]\.side: True is neither 1 nor 2"),
    "text for a side": (with_event(4, side="1"), r"events\[4\]\.side: '1' is neither 1 nor 2"),
    "a counter below zero": (with_event(5, counter=-1), r"events\[5\]\.counter: -1 is no whole number from 0 to"),
    "a counter too high": (with_event(5, counter=2**53), r"events\[5\]\.counter: 9007199254740992 is no whole"),
    "a truth value for a counter": (with_event(5, counter=False), r"events\[5\]\.counter: False is no whole number"),
    "text for a counter": (with_event(5, counter="0"), r"events\[5\]\.counter: '0' is no whole number"),
    "a fraction": (with_event(5, counter=0.5), "number: '0.5' is no whole number"),
    "a whole number with a point": (with_event(5, counter=1.0), "number: '1.0' is no whole number"),
    "not a number": (with_event(5, counter=float("nan")), "number: 'NaN' is no whole number"),
    "endless": (with_event(5, counter=float("-inf")), "number: '-Infinity' is no whole number"),
    "ten thousand digits": (
        with_event(5, counter=0).replace('"counter": 0', f'"counter": {"9" * 10_000}'),
        "number: '9{79}… is longer than any number here",
    ),
    "another kind": (with_event(5, kind="re-roll"), r"events\[5\]\.kind: 're-roll' is neither opening nor roll"),
    "a list of kinds": (with_event(5, kind=[]), r"events\[5\]\.kind: \[\] is neither opening nor roll"),
    "three dice": (with_event(5, dice=[1, 2, 3]), r"events\[5\]\.dice: \(1, 2, 3\) are not two"),
    "text for dice": (with_event(5, dice="41"), r"events\[5\]\.dice: '41' is no list"),
    "a die of seven": (with_event(5, dice=[4, 7]), r"events\[5\]\.dice\[1\]: 7 is no whole number from 1 to 6"),
    "a die of zero": (with_event(5, dice=[0, 1]), r"events\[5\]\.dice\[0\]: 0 is no whole number from 1 to 6"),
    "a truth value for a die": (with_event(5, dice=[4, True]), r"events\[5\]\.dice\[1\]: True is no whole number"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_transcript_is_refused_by_field_value_and_rule(text: str | bytes, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        read_transcript(text)


def test_a_mark_of_byte_order_is_passed_over() -> None:
    assert read_transcript(b"\xef\xbb\xbf" + write_transcript(HONEST).encode()) == HONEST


@pytest.mark.parametrize(
    "made",
    [
        lambda: Commitment(b""),
        lambda: ClientHash(1, bytes(31)),
        lambda: ClientHash(0, bytes(32)),  # type: ignore[arg-type]
        lambda: ClientSeed(True, bytes(32)),  # type: ignore[arg-type]
        lambda: ServerSeed("0" * 32),  # type: ignore[arg-type]
        lambda: Throw(-1, ThrowKind.ROLL, (1, 2)),
        lambda: Throw(0, "roll", (1, 2)),  # type: ignore[arg-type]
        lambda: Throw(0, ThrowKind.ROLL, [1, 2]),  # type: ignore[arg-type]
        lambda: Throw(0, ThrowKind.ROLL, (1, 7)),
    ],
)
def test_an_event_that_cannot_be_is_not_made(made: Callable[[], Event]) -> None:
    with pytest.raises(Malformed):
        made()


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_whatever_is_read_is_a_transcript_or_refused(text: str | bytes) -> None:
    with pytest.raises(Malformed):
        read_transcript(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([HEX, 1, 0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(place=st.integers(0, LAST), data=st.data(), value=json_values)
def test_whatever_stands_in_a_field_is_read_or_refused(place: int, data: st.DataObject, value: object) -> None:
    key = data.draw(st.sampled_from([*transcript_as_json(HONEST)["events"][place]]))
    text = with_event(place, **{key: value})
    try:
        transcript = read_transcript(text)
    except Malformed:
        return
    assert json.loads(text) == transcript_as_json(transcript)
    verify(transcript)


# --- The command ---------------------------------------------------------------------------------------------


def run(file: Path, *arguments: str) -> tuple[str, int]:
    out = io.StringIO()
    try:
        call_command("verify_dice", str(file), *arguments, stdout=out)
    except SystemExit as status:
        return out.getvalue(), int(str(status.code))
    return out.getvalue(), 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dice.json"


def test_the_command_says_what_was_proved(file: Path) -> None:
    file.write_text(write_transcript(HONEST), "utf-8")
    printed, status = run(file)
    assert status == 0
    assert hash_of(seed=SEEDS.server).hex() in printed
    assert "Counters run from 0 to 20, none left out" in printed
    assert "Proved: 21 throws, 1 of them opening." in printed
    printed, status = run(file, "--json")
    assert status == 0
    assert printed.count("\n") == 1
    commitment = hash_of(seed=SEEDS.server).hex()
    assert json.loads(printed) == {"proved": True, "throws": 21, "commitment": commitment, "faults": []}


def test_the_command_says_that_nothing_was_thrown(file: Path) -> None:
    file.write_text(write_transcript(Transcript((EVENTS[0], EVENTS[LAST]))), "utf-8")
    printed, status = run(file)
    assert status == 0
    assert "Proved: nothing was thrown." in printed
    assert "hashes were in" not in printed


def test_the_command_names_each_fault_and_has_status_1(file: Path) -> None:
    file.write_text(write_transcript(Transcript(spoilt(9, dice=(6, 6)))), "utf-8")
    printed, status = run(file)
    assert status == 1
    assert "events[9].dice: counter 4 gives " in printed
    assert printed.endswith("Not proved: 1 fault in 21 throws.\n")
    printed, status = run(file, "--json")
    assert status == 1
    found = json.loads(printed)
    assert (found["proved"], found["faults"][0]["fault"], found["faults"][0]["where"]) == (
        False, "dice_differ", "events[9].dice",
    )  # fmt: skip
    file.write_text(write_transcript(Transcript(())), "utf-8")
    printed, status = run(file, "--json")
    assert (status, json.loads(printed)["commitment"]) == (1, None)


def test_the_command_refuses_what_is_no_transcript_with_status_2(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(with_event(5, dice=[4, 7]), "utf-8")
    with pytest.raises(CommandError, match=r"no transcript: events\[5\]\.dice\[1\]: 7 is no whole number") as refusal:
        run(file)
    assert refusal.value.returncode == 2
    for missing in (file.parent / "missing", file.parent, Path("a\0b")):
        with pytest.raises(CommandError, match="cannot be read") as refusal:
            run(missing)
        assert refusal.value.returncode == 2
    file.write_text(write_transcript(HONEST), "utf-8")
    monkeypatch.setattr(verify_dice, "SIZE_MAX", file.stat().st_size)
    assert run(file)[1] == 0
    monkeypatch.setattr(verify_dice, "SIZE_MAX", file.stat().st_size - 1)
    with pytest.raises(CommandError, match="bytes are more than any transcript has"):
        run(file)


@pytest.mark.parametrize(
    ("text", "status", "out", "error"),
    [
        (write_transcript(HONEST), 0, "Proved: 21 throws", ""),
        (write_transcript(Transcript(spoilt(9, dice=(6, 6)))), 1, "(dice_differ)", ""),
        (with_event(5, kind="\ud800\x1b[2J"), 2, "", r"events[5].kind: '\ud800\x1b[2J' is neither"),
    ],
)
def test_scripts_see_the_status_and_nobody_a_traceback(
    file: Path, text: str, status: int, out: str, error: str
) -> None:
    """Without a database, too."""
    file.write_text(text, "utf-8")
    ran = subprocess.run(
        [sys.executable, "manage.py", "verify_dice", str(file)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status
    assert out in ran.stdout
    assert error in ran.stderr
    assert "Traceback" not in ran.stderr
