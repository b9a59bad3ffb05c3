"""Who is protected, in tests."""

from datetime import UTC, date, datetime

from games.models import Player, User
from tests.factories import seated, terms
from wagering.protection.identity import services as identity
from wagering.protection.identity.rules import Told
from wagering.protection.models import Identity
from wagering.stakes.models import Stake


def now() -> datetime:
    return datetime.now(UTC)


def stake_of(stake: str, *, cap: str) -> Stake:
    """ann and bob at a table, with money in their wallets."""
    return seated(terms(stake, cap=cap))


def told(name: str = "Ann Example", *, born: str = "1990-05-17", country: str = "CH") -> Told:
    """What somebody says of themselves."""
    return Told(name=name, birth_date=date.fromisoformat(born), country=country, address="1 Backgammon Row, Bern")


def known(player: Player, name: str = "Ann Example", *, born: str = "1990-05-17", country: str = "CH") -> Identity:
    """The player has told who they are."""
    return identity.tell(player=player, told=told(name, born=born, country=country), at=now())


def verified(player: Player, **who: str) -> Identity:
    """An operator has seen the documents."""
    return identity.judge(
        identity=known(player, **who), verified=True, reason="seen", documents="file 7", by=operator(), at=now()
    )


def operator(name: str = "operator") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_staff": True})[0]
