"""The auditor's page: every event of ledger/postings.py with worked amounts, as tests/golden/postings.txt shows it.

A change of any posting changes that page, and the change is to be read and signed. To write it anew:

    python -m tests.ledger.test_postings
"""

import inspect
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, Literal
from uuid import UUID

import pytest

from ledger import book, chart, money, postings
from ledger.chart import HOUSE, KINDS, AccountRef, UnknownAccount
from ledger.postings import Seat, Win
from ledger.vouchers import Hold, UnbalancedVoucher, Voucher
from tests.ledger.people import ANN, BOB, NOON, OPERATOR, PROVIDER, ROOM

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "postings.txt"
WIDTH: Final = 100

NAMES: Final = {ANN: "ann", BOB: "bob", ROOM: "the room", PROVIDER: "the provider", HOUSE: "the house"}


@dataclass(frozen=True)
class Worked:
    """One event with amounts that a reader can check by hand, and what they are."""

    story: str
    voucher: Voucher
    names: dict[UUID, str]


# --- The worked amounts -------------------------------------------------------------------------------------------


def _id(number: int) -> UUID:
    return UUID(f"00000000-0000-4000-8000-{number:012d}")


def _at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def _two(first: int, ann: str, bob: str, *, currency: str = "USD") -> tuple[Hold, Hold]:
    return Hold(_id(first), ANN, currency, Decimal(ann)), Hold(_id(first + 1), BOB, currency, Decimal(bob))


def _seats(holds: tuple[Hold, Hold], *, returned: tuple[str, str]) -> list[Seat]:
    return [Seat(hold.owner, hold.id, hold.amount, Decimal(back)) for hold, back in zip(holds, returned, strict=True)]


def _sat_down(stake: int, holds: tuple[Hold, Hold], *, at: datetime) -> Voucher:
    return postings.stake_held(stake=_id(stake), holds=holds, at=at)


def _deposited(number: int, amount: str, currency: str) -> Voucher:
    return postings.deposit_confirmed(
        deposit=_id(number), player=ANN, provider=PROVIDER, amount=Decimal(amount), currency=currency, at=NOON
    )


def _adjusted(number: int, direction: Literal["credit", "debit"], currency: str, reason: str) -> Voucher:
    return postings.manual_adjustment(
        adjustment=_id(number),
        player=ANN,
        direction=direction,
        amount=Decimal("25.00"),
        currency=currency,
        reason=reason,
        operator=OPERATOR,
        at=_at(90),
    )


def _reversed(voucher: Voucher, *, journal: int, opens: tuple[Hold, ...] = (), reason: str) -> Voucher:
    """As ``book.reverse`` calls it, from what stands in the book."""
    return postings.reversal(
        journal=journal,
        lines=voucher.lines,
        opens=opens,
        reason=reason,
        at=_at(120),
    )


def worked() -> Iterator[Worked]:
    """The page, in the order of a player's day: in, down, up, decided, put right."""
    single, capped, series = _two(11, "30", "30"), _two(21, "15", "15"), _two(31, "10", "10")
    play = _two(41, "20", "20", currency="PLAY")
    early, void = _two(51, "960", "960"), _two(61, "15", "15")
    names = {
        hold.id: f"{what}, {NAMES[hold.owner]}"
        for what, pair in (
            ("the gammon", single),
            ("the capped gammon", capped),
            ("the match", series),
            ("the play-money game", play),
            ("the table that never began", early),
            ("the void game", void),
        )
        for hold in pair
    }
    again = tuple(Hold(book.reopened(hold.id), hold.owner, hold.currency, hold.amount) for hold in single)
    names |= {hold.id: f"{names[old.id]}, anew" for hold, old in zip(again, single, strict=True)}

    def page(story: str, voucher: Voucher) -> Worked:
        return Worked(story, voucher, names)

    deposit = _deposited(1, "100", "USD")
    yield page("Ann pays in 100.00 USD.", deposit)
    yield page("Ann pays in 500 JPY, which have no minor unit.", _deposited(2, "500", "JPY"))
    yield page("Ann pays in 1.234 KWD, which have three decimals.", _deposited(3, "1.234", "KWD"))
    yield page(
        "Ann is given 1,000.00 to play with.",
        postings.play_money_issued(issue=_id(4), player=ANN, amount=Decimal(1000), at=NOON),
    )

    yield page("S-4: a single game, stake 5, cap 30. Each can lose 30.00.", _sat_down(10, single, at=_at(5)))
    yield page("S-3: a single game, stake 5, cap 15. Each can lose 15.00.", _sat_down(20, capped, at=_at(25)))
    yield page("A match to 3 points, stake 10. Each can lose the stake.", _sat_down(30, series, at=_at(45)))
    yield page(
        "An uncapped table: stake 5, cap 192 x 5 = 960.00 (S-1). Both stand up before the first roll.",
        postings.stake_released(stake=_id(50), holds=early, at=_at(50)),
    )
    yield page(
        "The service failed and the game's state is lost: stake 5, cap 15.",
        postings.stake_voided(stake=_id(60), holds=void, at=_at(55)),
    )

    settled = postings.single_settled(
        stake=_id(10),
        seats=_seats(single, returned=("39.02", "20.00")),
        room=ROOM,
        commission=Decimal("0.98"),
        currency="USD",
        at=_at(20),
    )
    yield page(
        "C-1: stake 5, ann wins a gammon. Bob loses 10.00; 4.9 % of it from each is 0.98; "
        "ann gains 9.02 (30.00 + 10.00 - 0.98 = 39.02), bob keeps 20.00 of his 30.00.",
        settled,
    )
    yield page(
        "S-3 and C-10: stake 5, a gammon with the cube on 2 is 20.00, capped to 15.00; 5 % of it from each is 1.50; "
        "ann gains 13.50 (15.00 + 15.00 - 1.50 = 28.50), bob's escrow is used up.",
        postings.single_settled(
            stake=_id(20),
            seats=_seats(capped, returned=("28.50", "0")),
            room=ROOM,
            commission=Decimal("1.50"),
            currency="USD",
            at=_at(40),
        ),
    )
    yield page(
        "The same rules in play money: stake 5, bob wins a single game with the cube on 4, cap 20. Ann loses 20.00; "
        "4.9 % of it from each is 1.96; bob gains 18.04.",
        postings.single_settled(
            stake=_id(40),
            seats=_seats(play, returned=("0", "38.04")),
            room=ROOM,
            commission=Decimal("1.96"),
            currency="PLAY",
            at=_at(42),
        ),
    )
    yield page(
        "C-2: a match to 3 points, stake 10; 5.9 % of it from each is 1.18; ann gains 8.82, bob loses 10.00.",
        postings.series_settled(
            stake=_id(30),
            seats=_seats(series, returned=("18.82", "0")),
            room=ROOM,
            commission=Decimal("1.18"),
            currency="USD",
            at=_at(80),
        ),
    )

    bets = Hold(_id(91), ANN, "USD", Decimal(10)), Hold(_id(92), BOB, "USD", Decimal(10))
    raised = Hold(_id(93), BOB, "USD", Decimal(5))
    names |= {bets[0].id: "ann's bet", bets[1].id: "bob's bet", raised.id: "bob's second bet"}
    for bet, who in zip((*bets, raised), ("Ann", "Bob", "Bob"), strict=True):
        story = f"{who} bets {bet.amount} in a round at a room's own server."
        yield page(story, postings.wager_held(wager=bet.id, hold=bet, at=_at(81)))
    yield page(
        "Bob's second bet never reached the game and is rolled back.",
        postings.wager_released(wager=raised.id, hold=raised, at=_at(82)),
    )
    yield page(
        "The round closes: ann has won bob's 10.00; 4.9 % of it from each is 0.98; she is paid 20.00 - 0.98 = 19.02.",
        postings.round_settled(
            round=_id(90),
            holds=bets,
            wins=[Win(ANN, Decimal("19.02"))],
            room=ROOM,
            commission=Decimal("0.98"),
            currency="USD",
            at=_at(83),
        ),
    )

    left = _two(95, "15", "15")
    names |= {hold.id: f"the game that was left, {NAMES[hold.owner]}" for hold in left}
    kept = tuple(Hold(book.reopened(hold.id), hold.owner, hold.currency, hold.amount) for hold in left)
    names |= {hold.id: f"{names[old.id]}, anew" for hold, old in zip(kept, left, strict=True)}
    yield page(
        "A-5: stake 5, cap 15, cube 2; bob left a game that was worth 4.60 to ann. 4.9 % of it from each is 0.45; "
        "ann gains 4.15, bob keeps 10.40 of his 15.00.",
        postings.abandonment_settled(
            stake=_id(94),
            seats=_seats(left, returned=("19.15", "10.40")),
            room=ROOM,
            commission=Decimal("0.45"),
            currency="USD",
            at=_at(85),
        ),
    )
    yield page(
        "The split was reversed, since the room's line had failed. Two operators rule that 2.00 move; 4.9 % of it from "
        "each is 0.20 (0.1960 exactly).",
        postings.settlement_corrected(
            stake=_id(94),
            seats=_seats((kept[0], kept[1]), returned=("16.80", "13.00")),
            room=ROOM,
            commission=Decimal("0.20"),
            currency="USD",
            at=_at(125),
        ),
    )

    yield page("Ann is compensated with 25.00.", _adjusted(71, "credit", "USD", "the clock ran while we were down"))
    yield page("25.00 too much are taken back.", _adjusted(72, "debit", "USD", "compensated twice"))
    yield page("The same in play money.", _adjusted(73, "credit", "PLAY", "the clock ran while we were down"))
    yield page("And back.", _adjusted(74, "debit", "PLAY", "compensated twice"))
    yield page(
        "The room's commission of the three games above: 0.98 + 1.50 + 1.18 = 3.66.",
        postings.commission_swept(sweep=_id(80), room=ROOM, amount=Decimal("3.66"), currency="USD", at=_at(100)),
    )

    yield from _cashier(page)

    yield page(
        "The deposit was another player's. Ann's wallet must still hold it.",
        _reversed(deposit, journal=1, reason="credited to the wrong player"),
    )
    yield page(
        "The gammon was none: the settlement of C-1 is undone, the money waits in escrow again under new holds.",
        _reversed(settled, journal=10, opens=again, reason="the record was misread"),
    )


def _cashier(page: Callable[[str, Voucher], Worked]) -> Iterator[Worked]:
    """Money that comes in by the bank, is disputed, is paid out, comes back, lies idle."""
    usd: dict[str, Any] = {"currency": "USD"}
    mine: dict[str, Any] = {"player": ANN, **usd}
    theirs: dict[str, Any] = {**mine, "provider": PROVIDER}
    yield page(
        "A transfer of 40.00 with ann's reference is on the bank's statement.",
        postings.transfer_received(deposit=_id(100), amount=Decimal(40), at=_at(200), **mine),
    )
    yield page(
        "A transfer of 12.00 without any reference is on it too.",
        postings.transfer_unidentified(entry=_id(101), amount=Decimal(12), at=_at(200), **usd),
    )
    yield page(
        "It was ann's: her bank says so.",
        postings.transfer_assigned(entry=_id(101), amount=Decimal(12), at=_at(210), **mine),
    )
    yield page(
        "Another of 7.00 is nobody's, and goes back.",
        postings.suspense_sent_back(item=_id(102), amount=Decimal(7), at=_at(211), **usd),
    )
    yield page(
        "5.00 of ann's 100.00 are refunded.",
        postings.deposit_refunded(refund=_id(103), amount=Decimal(5), at=_at(220), **theirs),
    )
    parts: dict[str, Any] = {"wallet": Decimal("64.00"), "receivable": Decimal("36.00"), "difference": Decimal("0.37")}
    yield page(
        "P-3: a chargeback of 100.37 on a deposit of 100.00. Ann's wallet has 64.00; she owes 36.00, the operator "
        "bears 0.37.",
        postings.deposit_charged_back(dispute=_id(104), at=_at(230), **parts, **theirs),
    )
    yield page(
        "20.00 come back to ann from a table, and go to what she owes.",
        postings.receivable_collected(collection=_id(105), amount=Decimal(20), at=_at(240), **mine),
    )
    parts = {"wallet": Decimal("84.00"), "receivable": Decimal("16.00"), "difference": Decimal("0.37")}
    yield page(
        "The dispute is won after all: 16.00 of it are still owed, the rest is ann's again.",
        postings.chargeback_won(dispute=_id(104), at=_at(250), **parts, **theirs),
    )
    yield page(
        "Of another dispute 3.00 are given up.",
        postings.receivable_written_off(write_off=_id(106), amount=Decimal(3), at=_at(251), **mine),
    )
    yield page(
        "A split is overturned of which ann has spent 4.00 and bob has all.",
        postings.shortfall_owed(
            ruling=_id(108),
            shortfalls=[postings.Win(ANN, Decimal(4)), postings.Win(BOB, Decimal(0))],
            at=_at(253),
            **usd,
        ),
    )
    yield page(
        "Of another dispute the operator covers 0.37.",
        postings.dispute_difference_covered(cover=_id(107), amount=Decimal("0.37"), at=_at(252), **usd),
    )

    paid: dict[str, Any] = {"amount": Decimal(50), **mine}
    yield page("Ann asks for 50.00.", postings.payout_held(attempt=_id(110), at=_at(300), **paid))
    yield page("The bank refuses the account number.", postings.payout_released(attempt=_id(110), at=_at(310), **paid))
    yield page(
        "The second attempt is paid by the bank.",
        postings.payout_paid(attempt=_id(111), provider=None, at=_at(320), **paid),
    )
    yield page(
        "Another is paid through the provider.",
        postings.payout_paid(attempt=_id(112), provider=PROVIDER, at=_at(320), **paid),
    )
    yield page(
        "The one that the bank paid comes back three days later.",
        postings.payout_returned(attempt=_id(111), provider=None, amount=Decimal(50), at=_at(4640), **usd),
    )
    yield page(
        "Ann is told, and has it in her wallet.",
        postings.suspense_credited(item=_id(111), amount=Decimal(50), at=_at(4641), **mine),
    )
    yield page(
        "985.50 in suspense are what the provider owes, 1,000.00, less 14.50 for its work.",
        postings.provider_settled(
            settlement=_id(113), provider=PROVIDER, amount=Decimal("985.50"), fee=Decimal("14.50"), at=_at(400), **usd
        ),
    )

    idle: dict[str, Any] = {"spell": _id(114), "amount": Decimal(62), **mine}
    yield page("Ann has been away so long that 62.00 are set apart.", postings.balance_unclaimed(at=_at(500), **idle))
    yield page("She is back.", postings.unclaimed_recovered(at=_at(501), **idle))

    bonus: dict[str, Any] = {"bonus": _id(115), "amount": Decimal(10), **mine}
    yield page("Ann is given a bonus of 10.00.", postings.bonus_granted(at=_at(510), **bonus))
    yield page("She has played it: it is hers.", postings.bonus_released(at=_at(511), **bonus))
    yield page("Another she has not.", postings.bonus_forfeited(at=_at(512), **{**bonus, "bonus": _id(116)}))


# --- The page -----------------------------------------------------------------------------------------------------


def render() -> str:
    """The whole page as text."""
    parts = [_HEAD, _chart()]
    event = None
    for example in worked():
        if example.voucher.event != event:
            event = example.voucher.event
            parts.append(_heading(event))
        parts.append(_example(example))
    return "\n".join(parts)


_HEAD: Final = f"""THE POSTINGS
{"=" * WIDTH}

Every event that moves money, the lines it writes, and worked amounts. Nothing else can move any.
Debits (DR) equal credits (CR) in each currency. The last column says what a line does to its
account's balance, which grows on the side that the chart below gives it.

A hold is money set aside in escrow for one seat. It is opened once and closed once: captured when
the contest is decided, released when everything goes back. A settlement empties exactly what its
holds hold. A key makes an event happen once, however often it is asked for.
"""


def _chart() -> str:
    rows = ["", "the accounts", "-" * WIDTH, ""]
    for kind in KINDS.values():
        floor = "no overdraft" if kind.guarded else ""
        zone = "real money" if "amateurs" not in kind.zones else "play money" if len(kind.zones) == 1 else "both"
        rows.append(f"  {kind.code.replace('_', ' '):<20}{kind.grows_on}  {zone:<12}{floor:<14}{kind.meaning}")
    return "\n".join([*rows, ""])


def _heading(event: str) -> str:
    template = _templates()[event]
    meaning = (inspect.getdoc(template) or "").split("\n\n")[0].replace("``", "")
    return "\n".join(["", event, "-" * WIDTH, *wrap(meaning, WIDTH), ""])


def _example(example: Worked) -> str:
    voucher = example.voucher
    lines = wrap(example.story, WIDTH - 2, initial_indent="* ", subsequent_indent="  ")
    lines += ["", f"  key   {voucher.key}", f"  when  {voucher.occurred_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"]
    if "reason" in voucher.detail:
        lines.append(f"  why   {voucher.detail['reason']}")
    if "operator" in voucher.detail:
        lines.append(f"  by    operator {voucher.detail['operator']}")
    lines.append("")
    for currency in sorted({line.account.currency for line in voucher.lines}):
        lines += _table(voucher, currency)
        lines.append("")
    for word, holds in (("opens", [hold.id for hold in voucher.opens]), ("captures", voucher.captures),
                        ("releases", voucher.releases)):  # fmt: skip
        lines += [f"  {word:<9}{example.names[hold]:<42}{hold}" for hold in holds]
    if voucher.opens or voucher.captures or voucher.releases:
        lines.append("")
    return "\n".join(lines)


def _table(voucher: Voucher, currency: str) -> list[str]:
    """DR above CR, as an accountant writes it, and their totals."""
    lines = [line for line in voucher.lines if line.account.currency == currency]
    lines.sort(key=lambda line: (line.side == "CR", list(KINDS).index(line.account.code), NAMES[line.account.owner]))
    rows = [f"  {currency:<46}{'DR':>14}{'CR':>14}{'balance':>16}"]
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines:
        totals[line.side] += line.amount
        grows = KINDS[line.account.code].grows_on == line.side
        columns = {"DR": "", "CR": "", line.side: f"{line.amount:,}"}
        effect = f"{'+' if grows else '-'}{line.amount:,}"
        indent = "   " if line.side == "CR" else ""
        rows.append(f"  {indent + _called(line.account):<46}{columns['DR']:>14}{columns['CR']:>14}{effect:>16}")
    rule = "-" * max(len(f"{total:,}") for total in totals.values())
    rows.append(f"  {'':<46}{rule:>14}{rule:>14}")
    rows.append(f"  {'':<46}{totals['DR']:>14,}{totals['CR']:>14,}")
    return [row.rstrip() for row in rows]


def _called(account: AccountRef) -> str:
    name = account.code.replace("_", " ")
    return name if account.owner == HOUSE else f"{name} of {NAMES[account.owner]}"


def _templates() -> dict[str, Callable[..., Voucher]]:
    """The functions of ledger/postings.py that make a voucher, by name: an event is named after its function."""
    return {
        name: function
        for name, function in inspect.getmembers(postings, inspect.isfunction)
        if function.__module__ == postings.__name__ and not name.startswith("_")
    }


# --- Tests --------------------------------------------------------------------------------------------------------


def test_the_page_is_the_one_that_was_signed() -> None:
    assert render() == GOLDEN.read_text(encoding="utf-8"), "read the difference; python -m tests.ledger.test_postings"


def test_every_posting_is_on_the_page_and_nothing_else() -> None:
    assert {example.voucher.event for example in worked()} == set(_templates())


@pytest.mark.parametrize("example", list(worked()), ids=lambda example: example.voucher.key)
def test_a_posting_is_balanced_and_keyed_by_its_event(example: Worked) -> None:
    voucher = example.voucher
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for line in voucher.lines:
        sums[line.account.currency] += line.amount if line.side == "DR" else -line.amount
    assert set(sums.values()) == {Decimal(0)}
    assert voucher.key.partition(":")[0] == ("reverse" if voucher.event == "reversal" else voucher.event)


@pytest.mark.parametrize("example", list(worked()), ids=lambda example: example.voucher.key)
def test_a_posting_keeps_to_one_zone(example: Worked) -> None:
    """Z."""
    assert len({money.currency(line.account.currency).zone for line in example.voucher.lines}) == 1


@pytest.mark.parametrize("example", list(worked()), ids=lambda example: example.voucher.key)
def test_a_posting_keeps_customer_money_whole(example: Worked) -> None:
    """P-4: what is there less what is owed stays as it was, whatever happens."""
    ours = {
        **dict.fromkeys(("bank_customers", "clearing", "play_issued", "receivable", "dispute_differences"), 1),
        **dict.fromkeys(("wallet", "escrow", "payouts_pending", "bonus", "unclaimed", "suspense", "commission"), -1),
    }
    assert {code: kind.customers for code, kind in KINDS.items() if kind.customers} == ours
    whole: dict[str, Decimal] = defaultdict(Decimal)
    for line in example.voucher.lines:
        grows = KINDS[line.account.code].grows_on == line.side
        whole[line.account.currency] += ours.get(line.account.code, 0) * (line.amount if grows else -line.amount)
    assert set(whole.values()) == {Decimal(0)}


def test_every_kind_of_account_is_named_on_the_page() -> None:
    assert {line.account.code for example in worked() for line in example.voucher.lines} == set(KINDS)


@pytest.mark.parametrize(
    ("returned", "commission"),
    [
        (("39.02", "20.00"), "0.97"),  # a cent stays in escrow
        (("39.03", "20.00"), "0.98"),  # a cent too much
    ],
)
def test_a_settlement_that_does_not_empty_the_escrow_is_refused(returned: tuple[str, str], commission: str) -> None:
    """S-5."""
    with pytest.raises(UnbalancedVoucher, match=r"(-)?0\.01 USD"):
        postings.single_settled(
            stake=_id(10),
            seats=_seats(_two(11, "30", "30"), returned=returned),
            room=ROOM,
            commission=Decimal(commission),
            currency="USD",
            at=NOON,
        )


def test_a_settlement_without_commission_names_no_commission() -> None:
    voucher = postings.series_settled(
        stake=_id(30),
        seats=_seats(_two(31, "10", "10"), returned=("20", "0")),
        room=ROOM,
        commission=Decimal(0),
        currency="USD",
        at=NOON,
    )
    assert {line.account for line in voucher.lines} == {
        chart.escrow(ANN, "USD"), chart.escrow(BOB, "USD"), chart.wallet(ANN, "USD"),
    }  # fmt: skip


def test_play_money_is_neither_paid_in_nor_swept() -> None:
    with pytest.raises(UnknownAccount):
        _deposited(1, "5", "PLAY")
    with pytest.raises(UnknownAccount):
        postings.commission_swept(sweep=_id(80), room=ROOM, amount=Decimal("3.66"), currency="PLAY", at=NOON)


def test_an_adjustment_goes_one_way_or_the_other() -> None:
    with pytest.raises(ValueError, match="neither 'credit' nor 'debit'"):
        _adjusted(71, "up", "USD", "because")  # type: ignore[arg-type]


def test_a_reversal_is_the_mirror_of_what_it_undoes() -> None:
    deposit = _deposited(1, "100", "USD")
    undone = _reversed(deposit, journal=1, reason="because")
    assert [(line.account, line.amount) for line in undone.lines] == [
        (line.account, line.amount) for line in deposit.lines
    ]
    assert all(one.side != other.side for one, other in zip(undone.lines, deposit.lines, strict=True))
    assert undone.reverses == 1


if __name__ == "__main__":
    GOLDEN.write_text(render(), encoding="utf-8")
    sys.stdout.write(f"{GOLDEN} is written; read what changed before you sign it\n")
