"""What happened to the dice of a contest, in order, and whether it proves them fair (F).

A transcript is the list of what was given and thrown. ``verify`` holds it against the construction in ``dice`` and
names each fault with its place. It reads nothing else, so it cannot see

* a throw left out at the end, or an opening throw told as another game's: hold the throws against the game's record;
* a commitment or a hash that a side was told otherwise: each client keeps what it was told and compares.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.rules.dice import Dice, Malformed, Seeds, check_bytes, check_counter, hash_of, throw
from games.rules.sides import SIDES, Side

# --- What happened -------------------------------------------------------------------------------------------


class ThrowKind(StrEnum):
    """What a throw is for."""

    OPENING = "opening"
    """Side 1's die, then side 2's; equal dice are thrown again (B-2)."""
    ROLL = "roll"


@dataclass(frozen=True, slots=True)
class Commitment:
    """The server gave the hash of its seed. Raises Malformed, as do the others."""

    hash: bytes

    def __post_init__(self) -> None:
        check_bytes(self.hash, field="hash")


@dataclass(frozen=True, slots=True)
class ClientHash:
    """``side`` gave the hash of its seed."""

    side: Side
    hash: bytes

    def __post_init__(self) -> None:
        _check_side(self.side)
        check_bytes(self.hash, field="hash")


@dataclass(frozen=True, slots=True)
class ClientSeed:
    """``side`` gave its seed."""

    side: Side
    seed: bytes

    def __post_init__(self) -> None:
        _check_side(self.side)
        check_bytes(self.seed, field="seed")


@dataclass(frozen=True, slots=True)
class Throw:
    """The server threw ``dice``, saying by which counter."""

    counter: int
    kind: ThrowKind
    dice: Dice

    def __post_init__(self) -> None:
        check_counter(self.counter)
        if type(self.kind) is not ThrowKind:
            raise Malformed(field="kind", value=self.kind, rule="is neither an opening throw nor a roll")
        if type(self.dice) is not tuple or len(self.dice) != 2:
            raise Malformed(field="dice", value=self.dice, rule="are not two")
        for place, die in enumerate(self.dice):
            if type(die) is not int or not 1 <= die <= 6:
                raise Malformed(field=f"dice[{place}]", value=die, rule="is no whole number from 1 to 6")


@dataclass(frozen=True, slots=True)
class ServerSeed:
    """The server gave its seed: the contest is over."""

    seed: bytes

    def __post_init__(self) -> None:
        check_bytes(self.seed, field="seed")


Event = Commitment | ClientHash | ClientSeed | Throw | ServerSeed


@dataclass(frozen=True, slots=True)
class Transcript:
    """All that happened to the dice of one contest, in the order in which it happened.

    The properties tell what was given first, None where nothing was.
    """

    events: tuple[Event, ...]

    @property
    def commitment(self) -> bytes | None:
        """The hash to which the server committed itself."""
        return next((event.hash for event in self.events if isinstance(event, Commitment)), None)

    @property
    def server_seed(self) -> bytes | None:
        """The server's seed, which is given at the end."""
        return next((event.seed for event in self.events if isinstance(event, ServerSeed)), None)

    @property
    def throws(self) -> tuple[Throw, ...]:
        """The throws, in order."""
        return tuple(event for event in self.events if isinstance(event, Throw))

    def client_hash(self, side: Side) -> bytes | None:
        """The hash of ``side``'s seed."""
        return next((e.hash for e in self.events if isinstance(e, ClientHash) and e.side == side), None)

    def client_seed(self, side: Side) -> bytes | None:
        """``side``'s seed."""
        return next((e.seed for e in self.events if isinstance(e, ClientSeed) and e.side == side), None)

    @property
    def seeds(self) -> Seeds | None:
        """The three seeds, when all have been given."""
        server, first, second = self.server_seed, self.client_seed(1), self.client_seed(2)
        if server is None or first is None or second is None:
            return None
        return Seeds(server=server, clients=(first, second))


# --- What can be wrong with it -------------------------------------------------------------------------------


class FaultKind(StrEnum):
    """The ways in which a transcript fails to prove its dice."""

    NO_COMMITMENT = "no_commitment"
    COMMITTED_LATE = "committed_late"
    """Something was known or thrown before the server was bound."""
    GIVEN_TWICE = "given_twice"
    HASH_COPIED = "hash_copied"
    SEED_BEFORE_HASHES = "seed_before_hashes"
    """A side could have chosen its seed after seeing the other's."""
    THROWN_BEFORE_HASHES = "thrown_before_hashes"
    THROWN_BEFORE_SEEDS = "thrown_before_seeds"
    CLIENT_SEED_CHANGED = "client_seed_changed"
    SERVER_SEED_CHANGED = "server_seed_changed"
    NOT_REVEALED = "not_revealed"
    """The contest is not over, or the server keeps its seed: nothing is proved."""
    AFTER_THE_REVEAL = "after_the_reveal"
    """Everybody could know this throw beforehand."""
    COUNTER_REUSED = "counter_reused"
    COUNTER_SKIPPED = "counter_skipped"
    COUNTER_WENT_BACK = "counter_went_back"
    """A counter that was skipped, used after a later one."""
    OPENING_MISSING = "opening_missing"
    DICE_DIFFER = "dice_differ"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where: ``place`` counts the events from 0; None is the transcript as a whole."""

    kind: FaultKind
    place: int | None
    reason: str
    field: str = ""

    @property
    def where(self) -> str:
        """The place as a path into the JSON form."""
        path = "events" if self.place is None else f"events[{self.place}]"
        return f"{path}.{self.field}" if self.field else path

    def __str__(self) -> str:
        return f"{self.where}: {self.reason} ({self.kind})"


def verify(transcript: Transcript) -> list[Fault]:
    """What keeps ``transcript`` from proving its dice, in the order of the events; nothing, if it proves them.

    A seed that does not match its hash is one fault; whether the dice follow from it is another.
    """
    faults = [fault for check in CHECKS for fault in check(transcript)]
    return sorted(faults, key=lambda fault: -1 if fault.place is None else fault.place)


# --- The checks, each of one promise -------------------------------------------------------------------------


def committed_first(transcript: Transcript) -> Iterator[Fault]:
    """The server is bound before anything else is known."""
    place = _places(transcript).get("commitment")
    if place is None:
        yield Fault(FaultKind.NO_COMMITMENT, None, "the server did not commit itself to a seed")
    elif place > 0:
        yield Fault(FaultKind.COMMITTED_LATE, place, "the server's commitment does not come before all else")


def given_once(transcript: Transcript) -> Iterator[Fault]:
    """Nobody gives anything anew. What was given first counts."""
    places = _places(transcript)
    for place, event in enumerate(transcript.events):
        first = places.get(_given(event), place)
        if first != place:
            yield Fault(FaultKind.GIVEN_TWICE, place, f"the {_given(event)} was given before, in events[{first}]")


def hashes_before_seeds(transcript: Transcript) -> Iterator[Fault]:
    """No side sees the other's seed before it is bound to its own."""
    places = _places(transcript)
    bound = _all_in(places, "hash")
    for side in SIDES:
        place = places.get(f"seed of side {side}")
        if place is not None and not (bound is not None and bound < place):
            yield Fault(FaultKind.SEED_BEFORE_HASHES, place, f"side {side}'s seed was given before both hashes were in")


def all_in_before_throws(transcript: Transcript) -> Iterator[Fault]:
    """No throw before both hashes and both seeds are in; the first one is named."""
    places = _places(transcript)
    first = next((place for place, event in enumerate(transcript.events) if isinstance(event, Throw)), None)
    if first is None:
        return
    for what, kind in (("hash", FaultKind.THROWN_BEFORE_HASHES), ("seed", FaultKind.THROWN_BEFORE_SEEDS)):
        bound = _all_in(places, what)
        if bound is None or bound > first:
            late = [side for side in SIDES if places.get(f"{what} of side {side}", first + 1) > first]
            sides = " and ".join(f"side {side}'s" for side in late)
            yield Fault(kind, first, f"thrown before {sides} {what} was in")


def hashes_differ(transcript: Transcript) -> Iterator[Fault]:
    """Nobody hides behind another's hash."""
    seen: dict[bytes, int] = {}
    places = _places(transcript)
    for given in ("commitment", "hash of side 1", "hash of side 2"):
        place = places.get(given)
        event = None if place is None else transcript.events[place]
        if place is not None and isinstance(event, Commitment | ClientHash):
            other = seen.setdefault(event.hash, place)
            if other != place:
                yield Fault(FaultKind.HASH_COPIED, max(other, place), "the hash is another's, given again", "hash")


def seeds_match_hashes(transcript: Transcript) -> Iterator[Fault]:
    """Each seed is the one of which the hash was given."""
    for place, event in enumerate(transcript.events):
        if isinstance(event, ClientSeed):
            promised = transcript.client_hash(event.side)
            if promised is not None and hash_of(seed=event.seed) != promised:
                reason = f"side {event.side}'s seed is not the one of its hash"
                yield Fault(FaultKind.CLIENT_SEED_CHANGED, place, reason, "seed")
        elif isinstance(event, ServerSeed):
            promised = transcript.commitment
            if promised is not None and hash_of(seed=event.seed) != promised:
                reason = "the server's seed is not the one to which it committed itself"
                yield Fault(FaultKind.SERVER_SEED_CHANGED, place, reason, "seed")


def revealed_last(transcript: Transcript) -> Iterator[Fault]:
    """The server gives its seed, and nothing comes after it."""
    revealed = _places(transcript).get("server's seed")
    if revealed is None:
        yield Fault(FaultKind.NOT_REVEALED, None, "the server's seed has not been given, so nothing is proved yet")
        return
    for place in range(revealed + 1, len(transcript.events)):
        yield Fault(FaultKind.AFTER_THE_REVEAL, place, "this came after the server's seed was known")


def counters_run_on(transcript: Transcript) -> Iterator[Fault]:
    """Counters are 0, 1, 2, …: a server that may leave some out or take one again can choose its dice."""
    used: dict[int, int] = {}
    due = 0
    for place, event in enumerate(transcript.events):
        if not isinstance(event, Throw):
            continue
        if event.counter in used:
            reason = f"counter {event.counter} was used before, in events[{used[event.counter]}]"
            yield Fault(FaultKind.COUNTER_REUSED, place, reason, "counter")
        elif event.counter > due:
            yield Fault(FaultKind.COUNTER_SKIPPED, place, f"counter {event.counter}, but {due} was due", "counter")
        elif event.counter < due:
            reason = f"counter {event.counter} comes after {due - 1}"
            yield Fault(FaultKind.COUNTER_WENT_BACK, place, reason, "counter")
        used.setdefault(event.counter, place)
        due = max(due, event.counter + 1)


# B-2: Opening: each side throws one die; equal dice are thrown again.
def opened(transcript: Transcript) -> Iterator[Fault]:
    """A game begins with an opening throw, and equal dice are thrown again (B-2)."""
    before: Throw | None = None
    for place, event in enumerate(transcript.events):
        if not isinstance(event, Throw):
            continue
        if event.kind is ThrowKind.ROLL:
            if before is None:
                yield Fault(FaultKind.OPENING_MISSING, place, "the first throw is not an opening throw", "kind")
            elif before.kind is ThrowKind.OPENING and before.dice[0] == before.dice[1]:
                yield Fault(FaultKind.OPENING_MISSING, place, "equal opening dice were not thrown again", "kind")
        before = event


def dice_follow(transcript: Transcript) -> Iterator[Fault]:
    """The dice are those of the seeds and the counter, in that order."""
    seeds = transcript.seeds
    if seeds is None:
        return
    for place, event in enumerate(transcript.events):
        if isinstance(event, Throw):
            dice = throw(seeds, counter=event.counter)
            if dice != event.dice:
                reason = f"counter {event.counter} gives {dice[0]}-{dice[1]}, not {event.dice[0]}-{event.dice[1]}"
                yield Fault(FaultKind.DICE_DIFFER, place, reason, "dice")


CHECKS: Final[tuple[Callable[[Transcript], Iterator[Fault]], ...]] = (
    committed_first,
    given_once,
    hashes_before_seeds,
    all_in_before_throws,
    hashes_differ,
    seeds_match_hashes,
    revealed_last,
    counters_run_on,
    opened,
    dice_follow,
)


def _given(event: Event) -> str:
    """What an event gives, in words; nothing for a throw."""
    match event:
        case Commitment():
            return "commitment"
        case ClientHash(side=side):
            return f"hash of side {side}"
        case ClientSeed(side=side):
            return f"seed of side {side}"
        case ServerSeed():
            return "server's seed"
        case Throw():
            return ""


def _places(transcript: Transcript) -> dict[str, int]:
    """Where each thing was given first."""
    places: dict[str, int] = {}
    for place, event in enumerate(transcript.events):
        if given := _given(event):
            places.setdefault(given, place)
    return places


def _all_in(places: dict[str, int], what: str) -> int | None:
    """Where the later of the sides' two hashes or seeds was given; None while one is missing."""
    given = [places.get(f"{what} of side {side}") for side in SIDES]
    return None if None in given else max(place for place in given if place is not None)


def _check_side(side: Side) -> None:
    if type(side) is not int or side not in SIDES:
        raise Malformed(field="side", value=side, rule="is neither 1 nor 2")
