"""Players who have won and are verified: each asks for three payouts, to a bank account and to a card in turns.

Nothing speaks against any of them, and no two ask for the same. It is written as cheaply as can be, many rows at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from stdnum import iban

from games.models import Player
from ledger import book, postings
from ledger.vouchers import Voucher
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import accounts, services
from wagering.cashier.payouts.models import Payout
from wagering.cashier.sandbox import payments, server
from wagering.cashier.sandbox.house import Asked, House
from wagering.cashier.sandbox.mischief import Mischief
from wagering.protection import persons
from wagering.protection.identity.digests import digest_of
from wagering.protection.identity.selectors import ADDRESS, BIRTH_DATE, NAME
from wagering.protection.models import Identity
from wagering.vault import services as vault

CARD: Final = "4242424242424242"
CALLED: Final = "Ann Miller"
ASK: Final = 3
"""As many a day as are usual."""


@transaction.atomic
def ask(how_many: int, *, record: str) -> None:
    """So many payouts; ``record`` is the file that the sandbox will have."""
    at = timezone.now()
    players = Player.objects.bulk_create(
        Player(name="ann", key=f"ann {number}") for number in range(-(-how_many // ASK))
    )
    _posted(voucher for player in players for voucher in _given(player, at))
    persons.made(players)
    Identity.objects.bulk_create(_known(player, number, at) for number, player in enumerate(players))
    to_accounts = [_account(player, number, at) for number, player in enumerate(players)]
    to_cards = Method.objects.bulk_create(_cards(players, record, at))
    wishes = [
        each for number, both in enumerate(zip(to_accounts, to_cards, strict=True)) for each in _turns(*both, number)
    ]
    payouts = [
        Payout(
            player=method.player, method=method, currency="EUR", amount=Decimal(1000 + number).scaleb(-2), asked_at=at
        )
        for number, method in enumerate(wishes[:how_many])
    ]
    Payout.objects.bulk_create(payouts)
    _posted(services.held(services.opened(payout, number=1, at=at)) for payout in payouts)


def _turns(account: Method, card: Method, number: int) -> tuple[Method, Method, Method]:
    """Where one of the players asks for; over two of them as often to accounts as to cards."""
    return (account, card, card) if number % 2 else (card, account, account)


def _posted(vouchers: Iterable[Voucher]) -> None:
    assert not [each for each in book.post_many(vouchers) if isinstance(each, book.Refused)]


def _given(player: Player, at: datetime) -> Iterator[Voucher]:
    """Money that nobody paid in, so that none of it has to be played first."""
    for event in (postings.bonus_granted, postings.bonus_released):
        yield event(bonus=player.pk, player=player.pk, amount=Decimal(100), currency="EUR", at=at)


def _known(player: Player, number: int, at: datetime) -> Identity:
    born = date(1960, 1, 1) + timedelta(days=number)
    told = {"name": (CALLED, NAME), "birth_date": (born.isoformat(), BIRTH_DATE), "address": ("1 Row", ADDRESS)}
    return Identity(
        person_id=player.pk,
        state=Identity.State.VERIFIED,
        country="DE",
        digest=digest_of(name=CALLED, birth_date=born),
        told_at=at,
        judged_at=at,
        **{field: vault.seal(text, player=player, purpose=purpose) for field, (text, purpose) in told.items()},
    )


def _account(player: Player, number: int, at: datetime) -> Method:
    account = f"37040044{number:010}"
    there = f"DE{iban.calc_check_digits(f'DE00{account}')}{account}"
    return accounts.add(player=player, iban=there, holder=CALLED, at=at)


def _cards(players: Iterable[Player], record: str, at: datetime) -> list[Method]:
    """The provider knows each by a payment, of which it tells nobody."""
    house = server.open_house(path=record, secret=settings.SANDBOX_SECRET)
    house.mischief = Mischief(often={"lose": 100})
    with house.record.transaction():
        found = [_card(player, house, at) for player in players]
    house.record.close()
    return found


def _card(player: Player, house: House, at: datetime) -> Method:
    asked = {"reference": uuid4().hex, "amount": 100, "currency": "EUR", "customer": str(player.pk)}
    begun = payments.create(house, Asked("POST", "/v1/payments", body=json.dumps(asked).encode()))
    payments.pay(house, json.loads(begun.body)["id"], CARD)
    card = house.record.one("SELECT token, brand, last4 FROM instrument WHERE customer = ?", str(player.pk))
    assert card
    return Method(player=player, provider="sandbox", can_receive=True, added_at=at, **card)
