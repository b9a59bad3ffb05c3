"""Proofs about what the book and the rounds say of each other; ``prove_book`` runs them after the book's own."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from ledger import book, chart
from ledger.chart import AccountRef
from ledger.proofs import Proof
from ledger.vouchers import Hold
from wagering.commission import selectors as commission
from wagering.seamless import rules
from wagering.seamless.models import Message, Round
from wagering.seamless.selectors import OK, UNDOING, Standing, standing


def open_wagers_are_held() -> Proof:
    """What stands in open rounds is what the book's open holds set aside, bet by bet; and no bet holds that should not.

    The bets of a closed round whose payment was reversed are held again.
    """
    name = "open_wagers_are_held"
    bets = {bet.pk: bet.hold for bet in _bets()}
    held = {hold.id: hold for hold in book.open_holds()}
    expected = {bet.pk: bet.hold for round_ in Round.objects.filter(closed_at=None) for bet in standing(round_).bets}
    figure = f"{len(expected)} bets"
    for wager, hold in expected.items():
        if held.get(wager) != hold:
            return Proof(
                name, figure, f"bet {wager} sets {hold.amount} {hold.currency} aside, the book holds otherwise"
            )
    if stray := next((wager for wager in bets if wager in held and wager not in expected), None):
        return Proof(name, figure, f"bet {stray} is over and the book still holds it")
    again = [hold for hold in reopened() if held.get(hold.id) != hold]
    lost = f"hold {again[0].id} was reopened and is not held" if again else None
    return Proof(name, figure, lost)


def wagers_are_told() -> Proof:
    """Every bet, give-back and payment of a round that is in the book was said, and the other way round."""
    name = "wagers_are_told"
    told = {f"wager_held:{bet.pk}" for bet in _bets()}
    bets = {(bet.room_id, bet.transaction): bet for bet in _bets()}
    for undo in Message.objects.filter(kind__in=UNDOING, status=OK):
        if undo.reference and (bet := bets.get((undo.room_id, undo.reference))):
            told.add(f"wager_released:{bet.pk}")
    told |= {f"round_settled:{round_.pk}" for round_ in _paid()}
    booked = set(book.keys_of(("wager_held", "wager_released", "round_settled")))
    fault = None
    if untold := min(booked - told, default=None):
        fault = f"the book has {untold}, no message tells of it"
    elif unbooked := min(told - booked, default=None):
        fault = f"a message tells of {unbooked}, the book does not have it"
    return Proof(name, f"{len(bets)} bets", fault)


def rounds_compute_again() -> Proof:
    """Every closed round computes again to what was paid: all it held into its wins and a commission by its tariff."""
    name = "rounds_compute_again"
    count = 0
    for round_ in Round.objects.exclude(closed_at=None).select_related("tariff"):
        count += 1
        stands = standing(round_)
        try:
            settled = rules.settle(
                holds=stands.holds,
                wins=stands.due,
                tariff=commission.tariff_of(round_.tariff),
                currency=round_.currency,
            )
        except ValueError as refused:
            return Proof(name, f"{count} rounds", f"round {round_.pk}: {refused}")
        if settled.commission != round_.commission:
            fault = f"round {round_.pk}: leaves {settled.commission} to the room, not {round_.commission}"
            return Proof(name, f"{count} rounds", fault)
        posted = book.find(f"round_settled:{round_.pk}")
        moved = {line.account: (line.side, line.amount) for line in posted.lines} if posted else {}
        if moved != _expected(round_, settled):
            return Proof(name, f"{count} rounds", f"round {round_.pk}: the book moved something else")
    return Proof(name, f"{count} rounds")


def reopened() -> Iterator[Hold]:
    """The holds that took the place of closed ones, when a round's payment was reversed."""
    for round_ in _paid():
        posted = book.find(f"round_settled:{round_.pk}")
        if posted and posted.reversed:
            for hold in standing(round_).holds:
                yield replace(hold, id=book.reopened(hold.id))


def bets(holds: Iterable[UUID]) -> Iterator[UUID]:
    """Those of ``holds`` that are of bets."""
    return Message.objects.filter(kind=Message.Kind.BET, pk__in=list(holds)).values_list("pk", flat=True).iterator()


def _expected(round_: Round, settled: rules.Settled) -> dict[AccountRef, tuple[chart.Side, Decimal]]:
    totals: dict[AccountRef, Decimal] = {}
    for hold in settled.holds:
        account = chart.escrow(hold.owner, hold.currency)
        totals[account] = totals.get(account, Decimal(0)) + hold.amount
    moves: dict[AccountRef, tuple[chart.Side, Decimal]] = {account: ("DR", held) for account, held in totals.items()}
    paid: dict[AccountRef, Decimal] = {chart.commission(round_.room_id, round_.currency): settled.commission}
    for win in settled.wins:
        account = chart.wallet(win.player, round_.currency)
        paid[account] = paid.get(account, Decimal(0)) + win.amount
    moves |= {account: ("CR", amount) for account, amount in paid.items() if amount}
    return moves


def _bets() -> Iterator[Message]:
    return Message.objects.filter(kind=Message.Kind.BET).select_related("round").iterator()


def _paid() -> Iterator[Round]:
    """Closed rounds in which something stood."""
    for round_ in Round.objects.exclude(closed_at=None):
        stands: Standing = standing(round_)
        if stands.bets:
            yield round_
