"""The dice of a contest as a transcript that proves them, from what was written down (F)."""

from collections.abc import Iterable

from games.live.rules.events import Event, Kind
from games.rules.dice_transcript import ClientHash, ClientSeed, Commitment, ServerSeed, Throw, ThrowKind, Transcript
from games.rules.dice_transcript import Event as DiceEvent


def transcript(events: Iterable[Event]) -> Transcript:
    """All that happened to the dice, in order. Before the contest is over the server's seed is not in it."""
    return Transcript(tuple(told for event in events if (told := _told(event)) is not None))


def _told(event: Event) -> DiceEvent | None:
    payload = event.payload
    match event.kind:
        case Kind.COMMITMENT:
            return Commitment(bytes.fromhex(payload["hash"]))
        case Kind.SEED_HASH:
            assert event.side is not None
            return ClientHash(event.side, bytes.fromhex(payload["hash"]))
        case Kind.SEED:
            assert event.side is not None
            return ClientSeed(event.side, bytes.fromhex(payload["seed"]))
        case Kind.OPENING_THROW | Kind.ROLL:
            kind = ThrowKind.OPENING if event.kind is Kind.OPENING_THROW else ThrowKind.ROLL
            first, second = payload["dice"]
            return Throw(payload["counter"], kind, (first, second))
        case Kind.SERVER_SEED:
            return ServerSeed(bytes.fromhex(payload["seed"]))
        case _:
            return None
