"""The main job on real records: two rooms, players with deposits, and contests played from sit-down to settlement.

Every game of these is a real one, shipped with the project in ``games/records``; then one is played here against the
machine, and one that a side leaves. Running it again adds new contests to the same rooms and players.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Final
from uuid import uuid4, uuid5

import games
from games.models import Player, Room, Table
from games.rules.record_reading import decoded
from games.services import open_table
from ledger import book, money, postings
from wagering.audit.trace import Sheet, trace
from wagering.config import demo_hosted
from wagering.config.first_rooms import NAMESPACE, open_first_rooms
from wagering.rest.retries import outermost
from wagering.settlement.services import settle_record
from wagering.stakes.rules import Terms
from wagering.stakes.services import sit_down

RECORDS: Final = Path(games.__file__).parent / "records"
PLAYERS: Final = {"ann": "Ann Ace", "bob": "Bob Bar", "cleo": "Cleo Cube", "dan": "Dan Dice"}
"""Their names have a space, so that whoever registers as ann is none of them."""
PROVIDER: Final = uuid5(NAMESPACE, "provider")
DEPOSIT: Final = {"USD": Decimal("200.00"), "EUR": Decimal("200.00"), "PLAY": Decimal("500.00")}


@dataclass(frozen=True, slots=True)
class Contest:
    """What two players sit down to, and the record that tells how it went; side 1 of the record is the first player."""

    room: str
    players: tuple[str, str]
    record: str
    currency: str
    stake: str
    cap: str | None = None
    match_length: int = 0

    @property
    def terms(self) -> Terms:
        return Terms(
            currency=self.currency,
            stake=money.parse(self.stake, self.currency, field="stake"),
            match_length=self.match_length,
            cap=money.parse(self.cap, self.currency, field="cap") if self.cap else None,
        )


CONTESTS: Final = (
    Contest("emerald", ("ann", "bob"), "money-single.txt", "USD", "5", cap="20"),
    Contest("emerald", ("ann", "bob"), "money-gammon-cube-2.txt", "USD", "5", cap="15"),
    Contest("emerald", ("cleo", "dan"), "money-gammon-undoubled.txt", "USD", "5", cap="30"),
    Contest("emerald", ("bob", "cleo"), "match-to-5.txt", "USD", "10", match_length=5),
    Contest("sapphire", ("ann", "dan"), "money-gammon-cube-2.txt", "EUR", "5", cap="15"),
    Contest("sapphire", ("cleo", "bob"), "match-to-13.txt", "PLAY", "25", match_length=13),
)


def run(*, at: Callable[[], datetime]) -> Iterator[str | Sheet]:
    """Do it all, step by step: a line for each step done, a sheet for each contest settled. ``at`` is the clock."""
    yield from open_first_rooms(at=at())
    for short, name in PLAYERS.items():
        player, _ = Player.objects.get_or_create(id=uuid5(NAMESPACE, short), defaults={"name": name})
        yield f"{name} has " + ", ".join(_deposit(player, code, at()) for code in DEPOSIT)
    for contest in CONTESTS:
        yield _play(contest, at)
    room = Room.objects.get(slug="emerald")
    ann, bob = (Player.objects.get(id=uuid5(NAMESPACE, name)) for name in ("ann", "bob"))
    yield demo_hosted.against_the_machine(room=room, player=ann, at=at)
    yield demo_hosted.left_behind(room=room, players=(ann, bob), at=at)


def _deposit(player: Player, code: str, at: datetime) -> str:
    amount = DEPOSIT[code]
    if code == "PLAY":
        voucher = postings.play_money_issued(issue=uuid4(), player=player.pk, amount=amount, at=at)
    else:
        voucher = postings.deposit_confirmed(
            deposit=uuid4(), player=player.pk, provider=PROVIDER, amount=amount, currency=code, at=at
        )
    (balance,) = outermost(book.post)(voucher).balances.values()
    return f"{balance} {code}"


def _play(contest: Contest, at: Callable[[], datetime]) -> Sheet:
    one, two = (Player.objects.get(id=uuid5(NAMESPACE, name)) for name in contest.players)
    single = contest.match_length == 0
    table = open_table(
        room=Room.objects.get(slug=contest.room),
        zone=Table.Zone(money.currency(contest.currency).zone),
        players=(one, two),
        match_length=contest.match_length,
        jacoby=single,
        beavers=single,
        at=at(),
    )
    outermost(sit_down)(table=table, terms=contest.terms, at=at())
    outermost(settle_record)(table=table, text=decoded((RECORDS / contest.record).read_bytes()), at=at())
    return trace(table)
