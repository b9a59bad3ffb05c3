"""Who is protected, in tests."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from games.models import Player, User
from tests.factories import person, seated, terms
from wagering.protection import aml, dormancy
from wagering.protection.exclusion import register
from wagering.protection.exclusion import services as exclusion
from wagering.protection.identity import services as identity
from wagering.protection.identity.rules import Told
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
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
    return verdict(known(player, **who))


def verdict(told: Identity) -> Identity:
    return identity.judge(identity=told, verified=True, reason="seen", documents="file 7", by=operator(), at=now())


def rejected(told: Identity) -> Identity:
    return identity.judge(identity=told, verified=False, reason="forged", documents="", by=operator(), at=now())


def operator(name: str = "who protects") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_staff": True})[0]


def everything() -> None:
    """Something of all that is kept to protect players."""
    ann, again = person("ann"), person("ann")
    known(again)
    verified(ann)
    sort = Sort(Kind.DEPOSIT, Window.DAY, "USD")
    limits.set_limit(player=ann, sort=sort, amount=Decimal(50), at=now())
    exclusion.exclude(player=again, months=6, at=now())
    aml.lock(player=again, by=operator(), reason="the same person", at=now())
    register.import_register(source="national", text="name,birth_date\nAnn Other,1990-05-17\n", at=now())
    dormancy.look(player=ann, at=now() + timedelta(days=366))
