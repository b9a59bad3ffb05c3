"""A room's own server and what it has played: records with the dice that prove them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count, product
from typing import Any, Final
from uuid import uuid4

from games.access.models import Scope
from games.models import Player, Room
from games.rules.actions import OpeningThrow, PlayCheckers, Roll
from games.rules.dice import Seeds, hash_of, throw
from games.rules.dice_json import transcript_as_json
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
from games.rules.game import Phase
from games.rules.record import MatchRecord
from games.rules.record_writing import write
from games.rules.terms import Terms
from tests.access.callers import RoomClient, room_client
from tests.factories import RoomFactory, person
from tests.games.scribe import Scribe
from tests.seamless.callers import let_in

SEEDS: Final = Seeds(server=b"s" * 32, clients=(b"a" * 32, b"b" * 32))


@dataclass
class Server:
    """One room's server, and two players of the operator who have money."""

    room: Room
    client: RoomClient
    players: tuple[Player, Player]
    table: str = field(default="")

    def post(self, word: str, body: dict[str, Any] | None = None, *, key: str | None = None, **where: Any) -> Any:
        """The answer to a word about the table that was opened last."""
        return self.client.post(
            self.url(word, **where), body or {}, format="json", headers={"Idempotency-Key": key or uuid4().hex}
        )

    def url(self, word: str = "", *, table: Any = None, slug: str | None = None) -> str:
        address = f"/v1/rooms/{slug or self.room.slug}/tables/{table or self.table}"
        return f"{address}/{word}" if word else address

    def open(self, *, key: str | None = None, slug: str | None = None, **terms: Any) -> Any:
        body = {
            "reference": "4711",
            "players": [str(player.pk) for player in self.players],
            "match_length": 0,
            "stake": {"amount": "5.00", "currency": "USD"},
            "cap": {"amount": "15.00", "currency": "USD"},
            **terms,
        }
        answer = self.client.post(
            f"/v1/rooms/{slug or self.room.slug}/tables",
            {name: value for name, value in body.items() if value is not None},
            format="json",
            headers={"Idempotency-Key": key or uuid4().hex},
        )
        if answer.status_code == 201:
            self.table = answer.json()["id"]
        return answer

    def opened(self, **terms: Any) -> dict[str, Any]:
        answer = self.open(**terms)
        assert answer.status_code == 201, answer.content
        told: dict[str, Any] = answer.json()
        return told

    def told(self) -> dict[str, Any]:
        answer = self.client.get(self.url())
        assert answer.status_code == 200, answer.content
        told: dict[str, Any] = answer.json()
        return told


def server(*scopes: Scope, charges: str | None = "gammonempire", funds: str = "100.00") -> Server:
    """A new room with a key for ``scopes``, or all of them, which both players have let in."""
    players = person("ann", funds), person("bob", funds)
    room = RoomFactory.create(charges=charges)
    for player, currency in product(players, ("USD", "EUR")):
        let_in(room, player, currency=currency)
    return Server(room, room_client(room, *scopes), players)


def played(*, seeds: Seeds = SEEDS) -> tuple[str, dict[str, Any]]:
    """A money game by players who play the first play they see, with dice that ``seeds`` throw: record, transcript."""
    scribe, throws, counters = Scribe(Terms()), [], count()

    def thrown(kind: ThrowKind) -> tuple[int, int]:
        counter = next(counters)
        dice = throw(seeds, counter=counter)
        throws.append(Throw(counter, kind, dice))
        return dice

    while scribe.game.phase is not Phase.OVER:
        game = scribe.game
        if game.turn is None:
            scribe.do(OpeningThrow(thrown(ThrowKind.OPENING)))
        elif game.phase is Phase.TO_PLAY:
            scribe.do(PlayCheckers(game.turn, game.plays[0].position))
        else:
            scribe.do(Roll(game.turn, thrown(ThrowKind.ROLL)))
    return write(MatchRecord(length=0, games=(scribe.record(),))), transcript(throws, seeds=seeds)


def transcript(throws: list[Throw], *, seeds: Seeds = SEEDS) -> dict[str, Any]:
    one, two = seeds.clients
    events: list[Event] = [
        Commitment(hash_of(seed=seeds.server)),
        ClientHash(1, hash_of(seed=one)),
        ClientHash(2, hash_of(seed=two)),
        ClientSeed(1, one),
        ClientSeed(2, two),
        *throws,
        ServerSeed(seeds.server),
    ]
    return transcript_as_json(Transcript(tuple(events)))
