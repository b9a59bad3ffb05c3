"""The JSON form of a dice transcript, written and read strictly.

    {"format": "backgammon-room/dice/1",
     "events": [
      {"event": "commitment",  "hash": "<64 digits>"},
      {"event": "client_hash", "side": 2, "hash": "<64 digits>"},
      {"event": "client_hash", "side": 1, "hash": "<64 digits>"},
      {"event": "client_seed", "side": 1, "seed": "<64 digits>"},
      {"event": "client_seed", "side": 2, "seed": "<64 digits>"},
      {"event": "throw", "counter": 0, "kind": "opening", "dice": [4, 4]},
      {"event": "throw", "counter": 1, "kind": "opening", "dice": [2, 5]},
      {"event": "throw", "counter": 2, "kind": "roll",    "dice": [6, 1]},
      {"event": "server_seed", "seed": "<64 digits>"}]}

The events stand in the order in which they happened; what each means is told in ``dice_transcript``, how hashes and
dice are computed in ``dice``. Digits are lower-case hexadecimal. Sides are 1 and 2, counters whole numbers from 0
to 2^53 - 1, dice from 1 to 6 in the order in which they fell. Every key is required, and no other is read: a reader
that passes over what it does not know would prove another file than the one it was given.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from games.rules.dice import SEED_BYTES, TAG, Malformed
from games.rules.dice_transcript import (
    ClientHash,
    ClientSeed,
    Commitment,
    Event,
    ServerSeed,
    Throw,
    ThrowKind,
    Transcript,
)

FORMAT: Final = TAG.decode()

EVENTS_MAX: Final = 100_000
"""Far more throws than any contest has."""


def transcript_as_json(transcript: Transcript) -> dict[str, Any]:
    """The transcript as an object of JSON."""
    return {"format": FORMAT, "events": [_event_as_json(event) for event in transcript.events]}


def write_transcript(transcript: Transcript) -> str:
    """The transcript as text, an event a line."""
    events = ",\n".join(f"  {json.dumps(_event_as_json(event))}" for event in transcript.events)
    return f'{{"format": {json.dumps(FORMAT)},\n "events": [\n{events}]}}\n'


def read_transcript(text: str | bytes) -> Transcript:
    """The transcript that ``text`` holds; bytes are UTF-8. Raises Malformed, which names the field as a path."""
    whole = _object(_parsed(text), place="", keys=("format", "events"))
    if whole["format"] != FORMAT:
        raise Malformed(field="format", value=whole["format"], rule=f"is not {FORMAT!r}")
    events = whole["events"]
    if type(events) is not list:
        raise Malformed(field="events", value=events, rule="is no list")
    if len(events) > EVENTS_MAX:
        raise Malformed(field="events", value=len(events), rule=f"events are over {EVENTS_MAX}")
    return Transcript(events=tuple(_event(value, place=f"events[{n}]") for n, value in enumerate(events)))


# --- Writing -------------------------------------------------------------------------------------------------


def _event_as_json(event: Event) -> dict[str, Any]:
    match event:
        case Commitment(hash=digest):
            return {"event": "commitment", "hash": digest.hex()}
        case ClientHash(side=side, hash=digest):
            return {"event": "client_hash", "side": side, "hash": digest.hex()}
        case ClientSeed(side=side, seed=seed):
            return {"event": "client_seed", "side": side, "seed": seed.hex()}
        case Throw(counter=counter, kind=kind, dice=dice):
            return {"event": "throw", "counter": counter, "kind": kind.value, "dice": list(dice)}
        case ServerSeed(seed=seed):
            return {"event": "server_seed", "seed": seed.hex()}


# --- Reading: from text to values of JSON, from these to events ----------------------------------------------


def _parsed(text: str | bytes) -> object:
    """The value of JSON in ``text``: no key twice, no number but whole ones of a length that is read exactly."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(
            text, object_pairs_hook=_once, parse_int=_whole, parse_float=_not_whole, parse_constant=_not_whole
        )
    except UnicodeDecodeError as error:
        raise Malformed(field="file", value=f"byte {error.start}", rule="is not UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise Malformed(field="file", value=where, rule=f"is no JSON: {error.msg}") from None
    except RecursionError:
        raise Malformed(field="file", value="a value", rule="is nested too deeply") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise Malformed(field="key", value=key, rule="is given twice in one object")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > 20:
        raise Malformed(field="number", value=digits, rule="is longer than any number here")
    return int(digits)


def _not_whole(digits: str) -> NoReturn:
    raise Malformed(field="number", value=digits, rule="is no whole number")


def _object(value: object, *, place: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """``value``, an object with these keys and no others."""
    if not isinstance(value, dict):
        raise Malformed(field=place or "file", value=value, rule="is no object")
    for key in keys:
        if key not in value:
            raise Malformed(field=place or "file", value=key, rule="is missing")
    for key in value:
        if key not in keys:
            raise Malformed(field=place or "file", value=key, rule="is no key that belongs here")
    return value


def _event(value: object, *, place: str) -> Event:
    if not isinstance(value, dict):
        raise Malformed(field=place, value=value, rule="is no object")
    name = value.get("event")
    if not isinstance(name, str) or name not in _EVENTS:
        raise Malformed(field=f"{place}.event", value=name, rule=f"is none of {', '.join(_EVENTS)}")
    make, readers = _EVENTS[name]
    fields = _object(value, place=place, keys=("event", *readers))
    try:
        return make(**{key: read(fields[key], key) for key, read in readers.items()})
    except Malformed as bad:
        raise Malformed(field=f"{place}.{bad.field}", value=bad.value, rule=bad.rule) from None


def _bytes(value: object, field: str) -> bytes:
    digits = SEED_BYTES * 2
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{digits}}}", value):
        raise Malformed(field=field, value=value, rule=f"is not {digits} lower-case hexadecimal digits")
    return bytes.fromhex(value)


def _kind(value: object, field: str) -> ThrowKind:
    if not isinstance(value, str) or value not in {kind.value for kind in ThrowKind}:
        raise Malformed(field=field, value=value, rule=f"is neither {' nor '.join(ThrowKind)}")
    return ThrowKind(value)


def _list(value: object, field: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise Malformed(field=field, value=value, rule="is no list")
    return tuple(value)


def _as_it_is(value: object, field: str) -> object:
    """Left to the event itself, which takes no text or truth value for a number."""
    return value


Readers = Mapping[str, Callable[[object, str], object]]

_EVENTS: Final[dict[str, tuple[Callable[..., Event], Readers]]] = {
    "commitment": (Commitment, {"hash": _bytes}),
    "client_hash": (ClientHash, {"side": _as_it_is, "hash": _bytes}),
    "client_seed": (ClientSeed, {"side": _as_it_is, "seed": _bytes}),
    "throw": (Throw, {"counter": _as_it_is, "kind": _kind, "dice": _list}),
    "server_seed": (ServerSeed, {"seed": _bytes}),
}
