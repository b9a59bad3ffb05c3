"""Windows are durations, and a refusal names the very first instant at which the same passes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wagering.protection.limits.rules import Bound, Kind, Moved, Window, is_decrease, judge, judge_all

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ZONES = ["UTC", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"]
CLOCKS_CHANGE = [  # at midnight UTC of these days or a few hours later, in one of the zones
    datetime(2026, 3, 8, tzinfo=UTC),
    datetime(2026, 3, 29, tzinfo=UTC),
    datetime(2026, 10, 25, tzinfo=UTC),
    datetime(2026, 11, 1, tzinfo=UTC),
]
TINY = timedelta(microseconds=1)

amounts = st.integers(1, 10_000).map(lambda cents: Decimal(cents).scaleb(-2))
instants = st.builds(
    lambda day, us, zone: (day + timedelta(microseconds=us)).astimezone(ZoneInfo(zone)),
    st.sampled_from([NOON, *CLOCKS_CHANGE]),
    st.integers(-36 * 3_600_000_000, 36 * 3_600_000_000),
    st.sampled_from(ZONES),
)
windows = st.sampled_from(Window)
moves = st.lists(st.builds(Moved, instants, amounts), max_size=8)
swings = st.lists(st.builds(Moved, instants, st.one_of(amounts, amounts.map(lambda amount: -amount))), max_size=8)


def passes(bounds: Sequence[Bound], amount: Decimal, at: datetime) -> bool:
    """By the words of the rule, and in another way than it is computed."""
    for bound in bounds:
        since = at.astimezone(UTC) - bound.window.lasts
        counted = [each.amount for each in bound.moved if each.at.astimezone(UTC) > since]
        if bound.standing + sum(counted, Decimal(0)) + amount > bound.limit:
            return False
    return True


@pytest.mark.parametrize(
    ("window", "later", "left"),
    [
        (Window.DAY, timedelta(hours=24) - TINY, "40"),
        (Window.DAY, timedelta(hours=24), "100"),
        (Window.WEEK, timedelta(days=7) - TINY, "40"),
        (Window.WEEK, timedelta(days=7), "100"),
        (Window.MONTH, timedelta(days=30) - TINY, "40"),
        (Window.MONTH, timedelta(days=30), "100"),
    ],
)
def test_what_was_moved_counts_until_exactly_a_window_later(window: Window, later: timedelta, left: str) -> None:
    bound = Bound(Kind.DEPOSIT, window, Decimal(100), [Moved(NOON, Decimal(60))])
    assert bound.left(at=NOON + later) == Decimal(left)


def test_all_of_a_limit_may_be_used() -> None:
    moved = [Moved(NOON, Decimal(60))]
    asked = {"limit": Decimal(100), "window": Window.DAY, "movements": moved, "at": NOON, "kind": Kind.DEPOSIT}
    assert judge(**asked, amount=Decimal("40.00")) is None  # type: ignore[arg-type]
    refused = judge(**asked, amount=Decimal("40.01"))  # type: ignore[arg-type]
    assert refused and refused.frees_at == NOON + timedelta(hours=24)


def test_more_than_the_limit_is_never_allowed() -> None:
    refused = judge(
        limit=Decimal(100), window=Window.DAY, movements=[], amount=Decimal(101), at=NOON, kind=Kind.DEPOSIT
    )
    assert refused and refused.frees_at is None


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/London", (2026, 3, 29)),  # 23 hours long
        ("Europe/London", (2026, 10, 25)),  # 25 hours long
        ("America/New_York", (2026, 3, 8)),
        ("America/New_York", (2026, 11, 1)),
    ],
)
def test_a_day_is_24_hours_on_the_days_when_the_clocks_change(zone: str, day: tuple[int, int, int]) -> None:
    midnight = datetime(*day, tzinfo=ZoneInfo(zone))
    refused = judge(
        limit=Decimal(100), window=Window.DAY, movements=[Moved(midnight, Decimal(100))], amount=Decimal(1),
        at=midnight, kind=Kind.DEPOSIT,
    )  # fmt: skip
    assert refused and refused.frees_at
    assert refused.frees_at.astimezone(UTC) - midnight.astimezone(UTC) == timedelta(hours=24)


def test_of_several_the_one_is_named_that_frees_last() -> None:
    moved = [Moved(NOON, Decimal(90))]
    day = Bound(Kind.DEPOSIT, Window.DAY, Decimal(100), moved)
    week = Bound(Kind.DEPOSIT, Window.WEEK, Decimal(95), moved)
    refused = judge_all([day, week], amount=Decimal(20), at=NOON)
    assert refused and (refused.bound, refused.frees_at) == (week, NOON + timedelta(days=7))


def test_a_win_that_leaves_the_window_takes_its_room_along() -> None:
    """Won 50, then lost 60: net 10 today; when the win is a day old, 60 were lost."""
    moved = [Moved(NOON, Decimal(-50)), Moved(NOON + timedelta(hours=1), Decimal(60))]
    bound = Bound(Kind.LOSS, Window.DAY, Decimal(50), moved)
    at = NOON + timedelta(hours=2)
    assert judge_all([bound], amount=Decimal(40), at=at) is None
    refused = judge_all([bound], amount=Decimal(41), at=at)
    assert refused and refused.frees_at == NOON + timedelta(hours=25)


@given(st.lists(st.builds(Bound, st.just(Kind.LOSS), windows, amounts, swings, amounts), min_size=1, max_size=3),
       amounts, instants)  # fmt: skip
def test_a_refusal_names_the_first_instant_at_which_the_same_passes(
    bounds: list[Bound], amount: Decimal, at: datetime
) -> None:
    judged = judge_all(bounds, amount=amount, at=at)
    assert (judged is None) == passes(bounds, amount, at)
    if judged is None:
        return
    changes = sorted({each.at.astimezone(UTC) + b.window.lasts for b in bounds for each in b.moved})
    later = [instant for instant in changes if instant > at.astimezone(UTC)]
    first = next((instant for instant in later if passes(bounds, amount, instant)), None)
    assert judged.frees_at == first
    if first:
        assert not passes(bounds, amount, first - TINY)
    assert not passes([judged.bound], amount, at)


@given(moves, amounts, amounts, instants, windows, st.sampled_from(ZONES))
def test_nothing_changes_with_the_zone_in_which_times_are_told(
    moved: list[Moved], limit: Decimal, amount: Decimal, at: datetime, window: Window, zone: str
) -> None:
    told = [Moved(each.at.astimezone(ZoneInfo(zone)), each.amount) for each in moved]
    one = judge(limit=limit, window=window, movements=moved, amount=amount, at=at, kind=Kind.DEPOSIT)
    other = judge(
        limit=limit, window=window, movements=told, amount=amount, at=at.astimezone(ZoneInfo(zone)), kind=Kind.DEPOSIT
    )
    assert (one and one.frees_at) == (other and other.frees_at)


@given(st.lists(st.tuples(st.integers(0, 40 * 86_400), amounts), max_size=30), amounts, windows)
def test_whatever_was_let_through_is_within_the_limit_in_every_window(
    asked: list[tuple[int, Decimal]], limit: Decimal, window: Window
) -> None:
    let_through: list[Moved] = []
    for second, amount in sorted(asked):
        at = NOON + timedelta(seconds=second)
        if judge(limit=limit, window=window, movements=let_through, amount=amount, at=at, kind=Kind.DEPOSIT) is None:
            let_through.append(Moved(at, amount))
    for last in let_through:
        within = [each.amount for each in let_through if last.at - window.lasts < each.at <= last.at]
        assert sum(within) <= limit


@given(moves, amounts, amounts, amounts, instants, windows)
def test_a_lower_limit_never_lets_more_through(
    moved: list[Moved], one: Decimal, other: Decimal, amount: Decimal, at: datetime, window: Window
) -> None:
    low, high = sorted((one, other))
    assume(judge(limit=high, window=window, movements=moved, amount=amount, at=at, kind=Kind.DEPOSIT) is not None)
    assert judge(limit=low, window=window, movements=moved, amount=amount, at=at, kind=Kind.DEPOSIT) is not None


@pytest.mark.parametrize(
    ("new", "old", "is_one"),
    [("50", "100", True), ("100", "100", True), ("100.01", "100", False), (None, "100", False), ("100", None, True)],
)
def test_a_decrease_allows_no_more_than_before(new: str | None, old: str | None, is_one: bool) -> None:
    assert is_decrease(new=new and Decimal(new), old=old and Decimal(old)) == is_one  # type: ignore[arg-type]
