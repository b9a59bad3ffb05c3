"""Fair dice: the construction, held against two others, and what a million rolls look like (F)."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.dice import COUNTER_MAX, Malformed, Seeds, dice_from, hash_of, opening_throws, throw
from tests.games import sha256_by_hand
from tests.games.dice_box import SEEDS

GOLDEN: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "dice.json").read_text("utf-8"))[
    "throws"
]
OPENING = [row for row in GOLDEN if row["name"].startswith("an opening")]

seed = st.binary(min_size=32, max_size=32)
counter = st.integers(min_value=0, max_value=COUNTER_MAX)


def seeds_of(row: dict[str, Any]) -> Seeds:
    server, first, second = (bytes.fromhex(row[name]) for name in ("server_seed", "seed_1", "seed_2"))
    return Seeds(server=server, clients=(first, second))


# --- The construction ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["name"])
def test_the_throw_is_the_one_openssl_gives(row: dict[str, Any]) -> None:
    seeds = seeds_of(row)
    assert seeds.digest(counter=row["counter"], block=0).hex() == row["digest"]
    assert list(throw(seeds, counter=row["counter"])) == row["dice"]
    assert hash_of(seed=seeds.server).hex() == row["commitment"]
    assert [hash_of(seed=client).hex() for client in seeds.clients] == [row["hash_1"], row["hash_2"]]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["name"])
def test_the_throw_is_the_one_the_definitions_give(row: dict[str, Any]) -> None:
    seeds = seeds_of(row)
    assert sha256_by_hand.sha256(seeds.server).hex() == row["commitment"]
    assert sha256_by_hand.digest(seeds.server, *seeds.clients, row["counter"]).hex() == row["digest"]
    assert list(sha256_by_hand.dice(seeds.server, *seeds.clients, row["counter"])) == row["dice"]


@given(server=seed, first=seed, second=seed, counter=counter, block=st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_any_throw_is_the_one_the_definitions_give(
    server: bytes, first: bytes, second: bytes, counter: int, block: int
) -> None:
    seeds = Seeds(server=server, clients=(first, second))
    assert throw(seeds, counter=counter) == sha256_by_hand.dice(server, first, second, counter)
    by_hand = sha256_by_hand.digest(server, first, second, counter, block)
    assert seeds.digest(counter=counter, block=block) == by_hand
    assert hash_of(seed=first) == sha256_by_hand.sha256(first)


@pytest.mark.parametrize(
    ("digests", "dice"),
    [
        ([[0, 1]], (1, 2)),
        ([[251, 250, 9]], (6, 5)),
        ([[252, 0, 253, 254, 255, 5]], (1, 6)),
        ([[255] * 31 + [2], [255, 7, 8]], (3, 2)),
        ([[255] * 32, [255] * 32, [10] + [252] * 31, [11]], (5, 6)),
    ],
)
def test_bytes_from_252_on_are_dropped_and_a_digest_that_runs_out_is_continued(
    digests: list[list[int]], dice: tuple[int, int]
) -> None:
    assert dice_from(map(bytes, digests)) == dice


def test_a_throw_asks_for_one_block_after_the_other_and_for_no_more_than_it_needs() -> None:
    asked: list[tuple[int, int]] = []

    class Unlucky(Seeds):
        def digest(self, *, counter: int, block: int) -> bytes:
            asked.append((counter, block))
            assert len(asked) < 10, "the same block again and again"
            return bytes([255] * 31 + [block + 1]) if block else bytes([255] * 32)

    assert throw(Unlucky(server=SEEDS.server, clients=SEEDS.clients), counter=7) == (3, 4)
    assert asked == [(7, 0), (7, 1), (7, 2)]


def test_digests_that_end_too_soon_are_refused() -> None:
    with pytest.raises(Malformed, match="digests: 1 dice are not two"):
        dice_from([bytes([255, 3]), b"\xfc"])


def test_equal_opening_dice_are_thrown_again_by_the_next_counter_b_2() -> None:
    expected = [(row["counter"], tuple(row["dice"])) for row in OPENING]
    assert [dice for _, dice in expected] == [(1, 1), (5, 5), (5, 5), (5, 3)]
    assert list(opening_throws(SEEDS, counter=expected[0][0])) == expected
    assert list(opening_throws(SEEDS, counter=29)) == expected[-1:]


@given(server=seed, first=seed, second=seed, start=st.integers(0, COUNTER_MAX - 1000))
def test_an_opening_ends_with_its_first_unequal_dice_b_2(
    server: bytes, first: bytes, second: bytes, start: int
) -> None:
    seeds = Seeds(server=server, clients=(first, second))
    throws = list(islice(opening_throws(seeds, counter=start), 1000))
    assert [n for n, _ in throws] == list(range(start, start + len(throws)))
    assert [first == second for _, (first, second) in throws] == [True] * (len(throws) - 1) + [False]
    assert all(dice == throw(seeds, counter=n) for n, dice in throws)


# --- What is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("server", "clients", "field"),
    [
        (bytes(31), (bytes(32), bytes(32)), "server seed: 31 bytes are not 32"),
        (bytes(32), (bytes(33), bytes(32)), "seed of side 1: 33 bytes are not 32"),
        (bytes(32), (bytes(32), b""), "seed of side 2: 0 bytes are not 32"),
        ("0" * 32, (bytes(32), bytes(32)), "server seed: 'str' is not bytes"),
        (bytearray(32), (bytes(32), bytes(32)), "server seed: 'bytearray' is not bytes"),
    ],
)
def test_a_seed_of_another_length_is_refused(server: Any, clients: Any, field: str) -> None:
    with pytest.raises(Malformed, match=field):
        Seeds(server=server, clients=clients)


@pytest.mark.parametrize("wrong", [-1, COUNTER_MAX + 1, True, 1.0, "1", None])
def test_what_is_no_counter_is_refused(wrong: Any) -> None:
    with pytest.raises(Malformed, match=r"counter: .* is no whole number from 0 to 2\^53 - 1"):
        throw(SEEDS, counter=wrong)


def test_no_seed_of_the_server_is_told_by_accident() -> None:
    assert SEEDS.server.hex() not in repr(SEEDS)
    assert repr(SEEDS.server) not in repr(SEEDS)
    with pytest.raises(Malformed) as refusal:
        hash_of(seed=b"a secret that is too short")
    assert "secret" not in str(refusal.value)


# --- What holds for all seeds --------------------------------------------------------------------------------


@given(server=seed, first=seed, second=seed, counter=counter)
def test_every_seed_and_counter_gives_two_dice_from_1_to_6(
    server: bytes, first: bytes, second: bytes, counter: int
) -> None:
    seeds = Seeds(server=server, clients=(first, second))
    dice = throw(seeds, counter=counter)
    assert len(dice) == 2
    assert all(type(die) is int and 1 <= die <= 6 for die in dice)
    assert dice == throw(seeds, counter=counter)


@given(server=seed, first=seed, second=seed, counters=st.sets(counter, min_size=2, max_size=20))
def test_each_counter_and_each_block_has_bytes_of_its_own(
    server: bytes, first: bytes, second: bytes, counters: set[int]
) -> None:
    seeds = Seeds(server=server, clients=(first, second))
    digests = {seeds.digest(counter=n, block=block) for n in counters for block in range(3)}
    assert len(digests) == 3 * len(counters)


@given(
    seeds=st.tuples(seed, seed, seed),
    changed=st.integers(0, 2),
    bit=st.integers(0, 255),
    counters=st.lists(counter, min_size=1, max_size=5),
)
def test_each_of_the_three_seeds_counts_to_its_last_bit(
    seeds: tuple[bytes, bytes, bytes], changed: int, bit: int, counters: list[int]
) -> None:
    others = list(seeds)
    others[changed] = (int.from_bytes(seeds[changed], "big") ^ 1 << bit).to_bytes(32, "big")
    one = Seeds(server=seeds[0], clients=(seeds[1], seeds[2]))
    other = Seeds(server=others[0], clients=(others[1], others[2]))
    assert all(one.digest(counter=n, block=0) != other.digest(counter=n, block=0) for n in counters)


# --- A million rolls -----------------------------------------------------------------------------------------
#
# The seeds are fixed, so each of these holds always or never. The bounds are those within which an honest die stays
# 9,999 times in 10,000, above and below: dice that are too even are no dice either.

CONTESTS, THROWS = 5_000, 200
Z = 3.89


def chi_square(counts: Sequence[int], chances: Sequence[float] | None = None) -> float:
    total = sum(counts)
    expected = [total * chance for chance in chances] if chances else [total / len(counts)] * len(counts)
    return sum((count - due) ** 2 / due for count, due in zip(counts, expected, strict=True))


def quantile(freedom: int, z: float) -> float:
    """The chi-square of ``freedom`` degrees at ``z`` standard deviations (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * max(0.0, 1 - spread + z * sqrt(spread)) ** 3


def is_even(counts: Sequence[int], chances: Sequence[float] | None = None) -> bool:
    freedom = len(counts) - 1
    return quantile(freedom, -Z) <= chi_square(counts, chances) <= quantile(freedom, Z)


def tally(values: Iterable[int], cells: int) -> list[int]:
    found = Counter(values)
    assert set(found) <= set(range(cells))
    return [found[cell] for cell in range(cells)]


@pytest.fixture(scope="module")
def rolls() -> bytes:
    """A million rolls, each 6 x first + second with faces from 0: five thousand contests of two hundred throws."""

    def codes() -> Iterator[int]:
        for contest in range(CONTESTS):
            server, first, second = (hashlib.sha256(f"{name} {contest}".encode()).digest() for name in "sab")
            seeds = Seeds(server=server, clients=(first, second))
            for n in range(THROWS):
                one, two = throw(seeds, counter=n)
                yield 6 * one + two - 7

    found = bytes(codes())
    assert len(found) == 1_000_000
    return found


def test_all_faces_come_equally_often(rolls: bytes) -> None:
    first, second = tally((code // 6 for code in rolls), 6), tally((code % 6 for code in rolls), 6)
    assert is_even(first)
    assert is_even(second)
    assert is_even([one + two for one, two in zip(first, second, strict=True)])


def test_all_thirty_six_rolls_come_equally_often(rolls: bytes) -> None:
    assert is_even(tally(rolls, 36))


def test_a_roll_says_nothing_of_the_next(rolls: bytes) -> None:
    assert is_even(tally((36 * one + two for one, two in zip(rolls[::2], rolls[1::2], strict=True)), 1296))


@pytest.mark.parametrize("apart", [1, 2, 3, 7, THROWS])
def test_equal_rolls_follow_each_other_once_in_thirty_six(rolls: bytes, apart: int) -> None:
    """Next to each other, further apart, and at the same counter of the next contest."""
    pairs = len(rolls) - apart
    equal = sum(one == two for one, two in zip(rolls, rolls[apart:], strict=False))
    assert abs(equal - pairs / 36) <= Z * sqrt(pairs * 35 / 36**2)


def test_high_and_low_dice_make_as_many_runs_as_chance_does(rolls: bytes) -> None:
    """The runs test of Wald and Wolfowitz on two million dice, high from 4 on."""
    high = [face >= 3 for code in rolls for face in (code // 6, code % 6)]
    highs, lows = sum(high), len(high) - sum(high)
    runs = 1 + sum(one != two for one, two in pairwise(high))
    expected = 1 + 2 * highs * lows / len(high)
    variance = (expected - 1) * (expected - 2) / (len(high) - 1)
    assert abs(runs - expected) <= Z * sqrt(variance)


def test_doubles_keep_the_distances_of_chance(rolls: bytes) -> None:
    """The gap test: between two doubles lie n other rolls with a chance of 1/6 x (5/6)^n."""
    places = [place for place, code in enumerate(rolls) if code % 7 == 0]
    gaps = tally((min(40, after - place - 1) for place, after in pairwise(places)), 41)
    assert is_even(gaps, [(5 / 6) ** n / 6 for n in range(40)] + [(5 / 6) ** 40])


def test_the_same_tests_find_dice_that_keep_all_bytes() -> None:
    """From 252 on, bytes make 1 to 4 come one time in two hundred and fifty-six more often: enough to be seen."""
    stream = hashlib.shake_256(b"dice").digest(2_000_000)
    assert is_even(tally((byte % 6 for byte in stream if byte < 252), 6))
    assert not is_even(tally((byte % 6 for byte in stream), 6))


def test_the_same_tests_find_dice_that_are_too_even_or_depend_on_the_last() -> None:
    assert not is_even(tally((n % 6 for n in range(1_000_000)), 6))
    stream = [byte % 36 for byte in hashlib.shake_256(b"dice").digest(1_100_000) if byte < 252][:1_000_000]
    assert is_even(tally((36 * one + two for one, two in zip(stream[::2], stream[1::2], strict=True)), 1296))
    stream[1::200] = stream[::200]
    assert not is_even(tally((36 * one + two for one, two in zip(stream[::2], stream[1::2], strict=True)), 1296))
