"""What each movement on the players' account is: a payout, a player's transfer, or something for an operator.

Who knows of payouts is named in settings.BANK_ENTRIES: dotted paths of functions
``entry(*, entry: BankEntry, at: datetime) -> bool`` that say whether it is theirs, and call ``take`` and ``done`` in
the transaction that does what follows.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from games.models import Player, User
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.bank import references, sealed
from wagering.cashier.bank.models import BankEntry, Clearance, Proposal
from wagering.cashier.bank.rules import names
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import account_of
from wagering.notices import services as notices
from wagering.protection import gate
from wagering.protection.identity import selectors as identities
from wagering.protection.refusals import Protected
from wagering.rest.gains import gained
from wagering.rest.retries import outermost
from wagering.vault import services as vault

State = BankEntry.State


class NotToBeCleared(ValueError):
    """The entry does not wait for an operator, or not for this. ``field`` is what is wrong."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field


def handle(*, entry: UUID, at: datetime) -> None:
    """Find out what an entry is, if nobody has yet."""
    found = BankEntry.objects.get(pk=entry)
    if found.state != State.NEW:
        return
    for path in settings.BANK_ENTRIES:
        if import_string(path)(entry=found, at=at):
            return
    outermost(_received if found.is_credit else _unexplained)(entry, at)


def take(entry: UUID) -> BankEntry | None:
    """The entry, locked, if nothing was done about it yet."""
    return BankEntry.objects.select_for_update(of=("self",)).filter(pk=entry, state=State.NEW).first()


def done(entry: BankEntry, *, state: str, at: datetime) -> None:
    """It is known what it is: whose it is, is told. Of a payout's entry nothing personal is kept."""
    entry.state, entry.done_at = state, at
    if state in (State.PAYOUT, State.RETURN):
        entry.told = None
    entry.save()
    if state in (State.RECEIVED, State.ASSIGNED):
        data = {"transfer": entry.pk, "amount": entry.amount, "currency": entry.currency}
        notices.tell(kind="transfer_received", data=data, player=entry.player, at=at)
        gained(players=[_owner(entry)], currency=entry.currency)


@transaction.atomic
def clear(*, entry: UUID, player: Player | None, reason: str, by: User, at: datetime) -> Clearance | None:
    """An operator's word on what waits: to the ``player``, or for None back, or explained.

    Of more than settings.WRITE_OFF_ALONE it waits for the same word of another, and None is given. What their
    protection does not let in is assigned to nobody, by no operator; of what by the bank's word came back it is not
    asked, since that is no deposit. Raises NotToBeCleared.
    """
    if player is not None:
        _check_receiver(player, by)
    found = _waiting(entry, reason, by)
    if player is not None and not found.is_credit:
        raise NotToBeCleared("player", "money that left is nobody's to receive")
    if player is not None and not found.returned and (refusal := _refusal(player, found, at)):
        raise NotToBeCleared("player", refusal)
    made = _agreed(Clearance(entry=found, player=player, reason=reason.strip(), by=by, at=at))
    if made is None:
        return None
    if player is not None:
        _is_of(found, player)
        done(found, state=State.ASSIGNED, at=at)
    else:
        done(found, state=State.SENT_BACK if found.is_credit else State.EXPLAINED, at=at)
    if found.is_credit:
        book.post(vouchers(found)[-1])
    return made


@transaction.atomic
def settle(*, entry: UUID, provider: str, fee: Decimal, reason: str, by: User, at: datetime) -> Clearance | None:
    """An operator's word, by the provider's own report: it pays with this what it owes, less its ``fee``.

    Nothing on a transfer proves that it is a provider's, nor what its fee was, so nobody else says it. None as in
    ``clear``. Raises NotToBeCleared, also for more than the provider owes by the book, and InvalidAmount.
    """
    if provider not in registry.KNOWN:
        raise NotToBeCleared("provider", f"{provider!r} is none of {', '.join(registry.KNOWN)}")
    found = _waiting(entry, reason, by)
    if not found.is_credit:
        raise NotToBeCleared("provider", "money that left settles nothing")
    fee = money.exact(fee, found.currency, field="fee")
    _one_by_one(provider)
    owes = book.balance(chart.clearing(account_of(provider), found.currency))
    if found.amount + fee > owes:
        raise NotToBeCleared("fee", f"with it {found.amount + fee} are settled, and by the book {owes} are owed")
    made = _agreed(Clearance(entry=found, provider=provider, fee=fee, reason=reason.strip(), by=by, at=at))
    if made is not None:
        done(found, state=State.SETTLED, at=at)
        book.post(vouchers(found)[-1])
    return made


def agree(*, proposal: UUID, by: User, at: datetime) -> Clearance | None:
    """Another operator says the same as who proposed it. Raises as ``clear`` and ``settle``."""
    said = Proposal.objects.select_related("player").get(pk=proposal)
    word: dict[str, Any] = {"entry": said.entry_id, "reason": said.reason, "by": by, "at": at}
    if said.provider:
        return settle(provider=said.provider, fee=Decimal(said.fee or 0), **word)
    return clear(player=said.player, **word)


def vouchers(entry: BankEntry) -> list[Voucher]:
    """What the entry moved in the book by itself, in order. A payout's own rows tell of the payout's."""
    assert entry.done_at is not None, f"{entry} moved nothing yet"
    moved: dict[str, Any] = {"amount": entry.amount, "currency": entry.currency, "at": entry.done_at}
    waited = postings.transfer_unidentified(entry=entry.pk, **moved)
    match entry.state:
        case State.RECEIVED:
            return [postings.transfer_received(deposit=entry.pk, player=_owner(entry), **moved)]
        case State.SUSPENSE:
            return [waited]
        case State.ASSIGNED if entry.returned:
            return [waited, postings.suspense_credited(item=entry.pk, player=_owner(entry), **moved)]
        case State.ASSIGNED:
            return [waited, postings.transfer_assigned(entry=entry.pk, player=_owner(entry), **moved)]
        case State.SETTLED:
            said = entry.clearance
            fee, provider = money.exact(said.fee, entry.currency), account_of(said.provider)
            return [waited, postings.provider_settled(settlement=entry.pk, provider=provider, fee=fee, **moved)]
        case State.SENT_BACK:
            return [waited, postings.suspense_sent_back(item=entry.pk, **moved)]
        case _:
            return []


def _check_receiver(player: Player, by: User) -> None:
    """Locks the player, who is somebody else than the operator, and known."""
    gate.locked(player)
    if player.user_id == by.pk:
        raise NotToBeCleared("player", "nobody gives it to themselves")
    if vault.is_erased(player=player):
        raise NotToBeCleared("player", "was erased")


def _waiting(entry: UUID, reason: str, by: User) -> BankEntry:
    """The entry, locked, which an operator may say something of."""
    if not (by.is_active and by.is_staff):
        raise NotToBeCleared("by", "movements at the bank are placed by operators who are active")
    if not reason.strip():
        raise NotToBeCleared("reason", "say how that is known")
    found = BankEntry.objects.select_for_update(of=("self",)).get(pk=entry)
    if found.state not in (State.SUSPENSE, State.UNEXPLAINED):
        raise NotToBeCleared("entry", f"it is {found.get_state_display()}")
    return found


def _agreed(word: Clearance) -> Clearance | None:
    """The word kept as what is done, if its operator says so much alone or another has said the same; else proposed."""
    entry, said = word.entry, {"player": word.player, "provider": word.provider, "fee": word.fee}
    if entry.amount > settings.WRITE_OFF_ALONE.get(entry.currency, 0):
        same = Proposal.objects.filter(entry=entry, **said).order_by("at", "id")
        other = same.exclude(by=word.by).first()
        if other is None:
            if not same.exists():
                Proposal.objects.create(entry=entry, reason=word.reason, by=word.by, at=word.at, **said)
            return None
        word.by, word.reason, word.confirmed_by = other.by, other.reason, word.by
    word.save(force_insert=True)
    return word


def _one_by_one(provider: str) -> None:
    """A provider's account takes no lock; two that settle at once would both see what only one of them may take."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"settlements of {provider}"])


@transaction.atomic
def _received(entry: UUID, at: datetime) -> None:
    """To whose reference stands on it, if they pay it themselves and their protection lets it in; else to suspense."""
    seen = BankEntry.objects.get(pk=entry)
    told = sealed.opened(seen)
    player, note = references.owner(told.text if told else "", currency=seen.currency)
    if player is not None:
        gate.locked(player)
    found = take(entry)
    if found is None:
        return
    if player is not None:
        note = _doubt(found, told.name if told else "", player) or _refusal(player, found, at)
    if player is not None and not note:
        _is_of(found, player)
    found.note = note[:300]
    done(found, state=State.RECEIVED if found.player_id else State.SUSPENSE, at=at)
    for voucher in vouchers(found):
        book.post(voucher)


def _doubt(entry: BankEntry, payer: str, player: Player) -> str:
    """Why an operator has to look before it is the player's; empty if nobody has to."""
    if not entry.whole:
        return f"for {player.pk}: the bank gives it no reference, so it may be one that was told of before"
    name = identities.verified_name_of(player)
    if name is not None and not names.are_one(name, payer):
        return f"for {player.pk}: the payer's name is not the one that was verified"
    return ""


def _refusal(player: Player, entry: BankEntry, at: datetime) -> str:
    """Why the player's protection does not let it in; empty if it does. What may still come by card counts too."""
    pending = deposits.pending_sum(player, entry.currency)
    try:
        gate.check_deposit(player=player, amount=entry.amount, currency=entry.currency, pending=pending, at=at)
    except Protected as refusal:
        return f"for {player.pk}: {refusal}"
    return ""


@transaction.atomic
def _unexplained(entry: UUID, at: datetime) -> None:
    if found := take(entry):
        found.note = "left the account by no payout of ours that waits for it"
        done(found, state=State.UNEXPLAINED, at=at)


def _is_of(entry: BankEntry, player: Player) -> None:
    """From now on it is the player's, and sealed as such."""
    told = sealed.opened(entry)
    entry.player = player
    entry.told = None if told is None else sealed.shut(told, player=player)


def _owner(entry: BankEntry) -> UUID:
    assert entry.player_id is not None, f"{entry} is nobody's"
    return entry.player_id
