"""A tariff file is read whole or refused with the place (cases 40)."""

import pytest

from wagering.commission import schedule

GOOD = """
name = "trial"
version = 2
valid_from = 2026-02-01
currencies = ["USD", "EUR"]

[[single.tiers]]
up_to = "20"
rate = "0.049"

[[single.tiers]]
over = "20"
rate = "0.039"

[[series.tiers]]
under = "20"
rate = "0.049"
each_further_point = "0.005"
at_most = "0.099"

[[series.tiers]]
from = "20"
rate = "0.044"

[series.ratings]
floor = "1400"

[series.ratings.either_under]
rating = "1600"
increase = "0.15"

[[series.ratings.differences]]
from = "100"
under = "200"
increase = "0.50"

[[series.ratings.differences]]
from = "200"
increase = "1.00"

[series.ratings.no_increase]
both_over = "1650"

[series.ratings.discount]
both_over = "1700"
decrease = "0.50"

[series.ratings.limit]
both_over = "1650"
a_player = "5.00"
"""


def problems(text: str) -> list[str]:
    try:
        schedule.load(text, source="trial.toml")
    except schedule.InvalidTariff as error:
        return list(error.problems)
    return []


def changed(old: str, new: str, *, place: int = 0) -> str:
    parts = GOOD.split(old)
    assert len(parts) > place + 1, f"{old!r} is not in the file {place + 1} times"
    return old.join(parts[: place + 1]) + new + old.join(parts[place + 1 :])


def test_the_file_that_the_refusals_below_are_made_from_is_good() -> None:
    tariff = schedule.load(GOOD, source="trial.toml")
    assert (tariff.name, tariff.version, str(tariff.valid_from)) == ("trial", 2, "2026-02-01")
    assert [str(tier.bracket) for tier in tariff.single] == ["up to and with 20", "over 20"]
    assert [str(tier.bracket) for tier in tariff.series] == ["under 20", "20 and over"]


REFUSED = {
    # cases 40: 4.9 meant as per cent
    'rate = "0.049"|rate = "4.9"': 'trial.toml, [[single.tiers]] number 1, rate: "4.9" is not under 1: '
    'a rate is a fraction, 4.9 % is "0.049"',
    'rate = "0.049"|rate = "1"': "[[single.tiers]] number 1, rate",
    'rate = "0.049"|rate = "1.000000"': "[[single.tiers]] number 1, rate",
    'rate = "0.044"|rate = "4.4"': "[[series.tiers]] number 2, rate",
    'at_most = "0.099"|at_most = "9.9"': "[[series.tiers]] number 1, at_most",
    'each_further_point = "0.005"|each_further_point = "5"': "[[series.tiers]] number 1, each_further_point",
    'decrease = "0.50"|decrease = "50"': "[series.ratings.discount], decrease",
    'increase = "0.15"|increase = "15"': '[series.ratings.either_under], increase: "15" is +1500 %: '
    'an increase is a fraction, 15 % is "0.15"',
    'increase = "0.50"|increase = "50"': "[[series.ratings.differences]] number 1, increase",
    # numbers that are none
    'rate = "0.049"|rate = 0.049': '[[single.tiers]] number 1, rate: 0.049 is a float: write it in quotes, "0.049"',
    'rate = "0.049"|rate = nan': "is a float",
    'rate = "0.049"|rate = 0': "0 is no text in quotes",
    'rate = "0.049"|rate = true': "True is no text in quotes",
    'rate = "0.049"|rate = "-0.049"': "[[single.tiers]] number 1, rate: '-0.049' is no number in plain digits",
    'rate = "0.049"|rate = "NaN"': "no number in plain digits",
    'rate = "0.049"|rate = "1e-2"': "no number in plain digits",
    'rate = "0.049"|rate = ".049"': "no number in plain digits",
    'rate = "0.049"|rate = "0,049"': "no number in plain digits",
    'rate = "0.049"|rate = "4.9 %"': "no number in plain digits",
    'rate = "0.049"|rate = "0.0490000"': "no number in plain digits",
    'rate = "0.049"|rate = "٠.٠٤٩"': "no number in plain digits",
    'rate = "0.049"|rate = "0.049\\n"': "no number in plain digits",
    'rate = "0.049"|rate = ""': "no number in plain digits",
    'rate = "0.049"|': "[[single.tiers]] number 1, rate: is missing",
    'a_player = "5.00"|a_player = "-5.00"': "[series.ratings.limit], a_player",
    'a_player = "5.00"|a_player = "0.00"': '[series.ratings.limit], a_player: "0" is no amount above 0',
    'a_player = "5.00"|a_player = 5.00': "[series.ratings.limit], a_player: 5.00 is a float",
    'a_player = "5.00"|a_player = "5.005"': '[series.ratings.limit], a_player: "5.005" is finer than USD\'s 0.01',
    'up_to = "20"|up_to = "20.005"': '[[single.tiers]] number 1, up_to: "20.005" is finer than EUR\'s 0.01',
    'up_to = "20"|up_to = "-20"': "[[single.tiers]] number 1, up_to",
    'up_to = "20"|up_to = 20.0': "[[single.tiers]] number 1, up_to: 20.0 is a float",
    'rating = "1600"|rating = "16000"': '[series.ratings.either_under], rating: "16000" is no rating',
    'both_over = "1700"|both_over = "-1"': "[series.ratings.discount], both_over",
    # tiers
    'over = "20"|from = "20"': "[[single.tiers]] numbers 1 and 2: overlap at 20: up to and with 20; 20 and over",
    'over = "20"|over = "19.99"': "[[single.tiers]] numbers 1 and 2: overlap",
    'over = "20"|over = "20.01"': "[[single.tiers]] numbers 1 and 2: leave a hole between 20 and 20.01",
    'over = "20"|': "[[single.tiers]] numbers 1 and 2: overlap",
    'up_to = "20"|under = "20"': "[[single.tiers]] numbers 1 and 2: leave a hole at 20: under 20; over 20",
    'up_to = "20"|': "[[single.tiers]] numbers 1 and 2: overlap",
    'up_to = "20"|from = "1"\nup_to = "20"': "[[single.tiers]] number 1: begins at 1 to up to and with 20",
    'up_to = "20"|from = "30"\nup_to = "20"': "[[single.tiers]] number 1, up_to: 20 leaves nothing",
    'up_to = "20"|over = "20"\nup_to = "20"': "[[single.tiers]] number 1, up_to: 20 leaves nothing",
    'up_to = "20"|up_to = "20"\nunder = "20"': "[[single.tiers]] number 1, under: stands beside up_to",
    'over = "20"|over = "20"\nfrom = "20"': "[[single.tiers]] number 2, over: stands beside from",
    'over = "20"|over = "20"\nup_to = "100"': "[[single.tiers]] number 2: ends at over 20, up to and with 100",
    'from = "20"|over = "20"': "[[series.tiers]] numbers 1 and 2: leave a hole at 20",
    'under = "20"|up_to = "20"': "[[series.tiers]] numbers 1 and 2: overlap at 20",
    'at_most = "0.099"|': "[[series.tiers]] number 1, at_most: is missing",
    'at_most = "0.099"|at_most = "0.04"': "[[series.tiers]] number 1, at_most: 4 % is under the rate for 1 point",
    'under = "200"|under = "150"': "[[series.ratings.differences]] numbers 1 and 2: leave a hole between 150 and 200",
    'from = "200"|from = "200"\nunder = "300"': "[[series.ratings.differences]] number 2: ends at",
    # currencies
    'currencies = ["USD", "EUR"]|': "trial.toml, currencies: is missing",
    'currencies = ["USD", "EUR"]|currencies = []': "trial.toml, currencies",
    'currencies = ["USD", "EUR"]|currencies = "USD"': "trial.toml, currencies",
    'currencies = ["USD", "EUR"]|currencies = ["USD", "XXX"]': "trial.toml, currencies: number 2, 'XXX', is no ISO",
    'currencies = ["USD", "EUR"]|currencies = ["usd"]': "trial.toml, currencies: number 1, 'usd'",
    'currencies = ["USD", "EUR"]|currencies = ["USD", "USD"]': "trial.toml, currencies: USD is named twice",
    'currencies = ["USD", "EUR"]|currencies = [1]': "trial.toml, currencies: number 1, 1,",
    'currencies = ["USD", "EUR"]|currencies = "any"': 'up_to: "20" is an amount of no currency',
    # keys and tables
    'version = 2|version = 2\nrates = "x"': "trial.toml, rates: is unknown here; known are name, version",
    'up_to = "20"|upto = "20"': "trial.toml, [[single.tiers]] number 1, upto: is unknown here",
    'over = "20"|over = "20"\nat_most = "0.1"': "trial.toml, [[single.tiers]] number 2, at_most: is unknown here",
    'floor = "1400"|flor = "1400"': "trial.toml, [series.ratings], flor: is unknown here",
    "[series.ratings.limit]|[series.ratings.limits]": "trial.toml, [series.ratings], limits: is unknown here",
    'both_over = "1650"|both_above = "1650"': "trial.toml, [series.ratings.no_increase], both_above: is unknown here",
    'name = "trial"|': "trial.toml, name: is missing",
    'name = "trial"|name = "Trial Tariff"': "trial.toml, name: 'Trial Tariff' is no name",
    "version = 2|": "trial.toml, version: is missing",
    'version = 2|version = "2"': "trial.toml, version: '2' is no whole number from 1",
    "version = 2|version = 2.0": "trial.toml, version: '2.0' is no whole number from 1",
    "version = 2|version = 0": "trial.toml, version: 0 is no whole number from 1",
    "version = 2|version = true": "trial.toml, version: True is no whole number from 1",
    "valid_from = 2026-02-01|": "trial.toml, valid_from: is missing",
    'valid_from = 2026-02-01|valid_from = "2026-02-01"': "trial.toml, valid_from: 2026-02-01 is no date",
    "valid_from = 2026-02-01|valid_from = 2026-02-01T00:00:00Z": "trial.toml, valid_from:",
    'floor = "1400"|floor = "1400"\nexperience_of_both = -1': "trial.toml, [series.ratings], experience_of_both: -1",
    # TOML itself
    'name = "trial"|name = "trial': "trial.toml: is no TOML",
    'name = "trial"|name = "trial"\nname = "again"': "trial.toml: is no TOML",
}


@pytest.mark.parametrize(("change", "message"), REFUSED.items(), ids=[change.replace("\n", " ") for change in REFUSED])
def test_refused_with_the_place(change: str, message: str) -> None:
    """Case 40 and its kind: rate over 1, overlap, hole, currency, unknown key, bad number."""
    old, _, new = change.partition("|")
    found = problems(changed(old, new))
    assert any(message in problem for problem in found), found
    assert all(problem.startswith("trial.toml") for problem in found)


@pytest.mark.parametrize("table", ["single", "series"])
def test_a_missing_table_is_refused(table: str) -> None:
    text = GOOD.replace(f"[[{table}.tiers]]", f"[[{table}.tears]]")
    assert any(f"[{table}], tiers: is missing" in problem for problem in problems(text))


def test_a_table_that_is_a_value_is_refused() -> None:
    text = (
        'name = "trial"\nversion = 1\nvalid_from = 2026-02-01\ncurrencies = "any"\nsingle = 5\nseries = {tiers = [1]}'
    )
    assert problems(text) == [
        "trial.toml, single: is no table [single]",
        "trial.toml, [single], tiers: is missing: at least one [[single.tiers]]",
        "trial.toml, [series], tiers: is no list of [[series.tiers]]",
    ]


def test_everything_wrong_is_told_at_once() -> None:
    text = changed('rate = "0.049"', 'rate = "4.9"').replace('["USD", "EUR"]', '["USD", "XXX"]')
    assert len(problems(text)) == 2


def test_an_empty_file_is_refused() -> None:
    assert [problem.split(":")[0] for problem in problems("")][:4] == [
        "trial.toml, name",
        "trial.toml, version",
        "trial.toml, valid_from",
        "trial.toml, currencies",
    ]


def test_the_shipped_tariffs_are_called_as_their_files() -> None:
    assert list(schedule.shipped()) == ["gammonempire", "sgames"]
    assert [schedule.shipped_tariff(name).name for name in schedule.shipped()] == ["gammonempire", "sgames"]
    assert schedule.shipped_tariff("gammonempire").currencies == ("USD", "PLAY")
    assert schedule.shipped_tariff("sgames").currencies is None


def test_an_unknown_tariff_names_those_that_exist() -> None:
    with pytest.raises(schedule.UnknownTariff, match="'nosuch' is unknown; there are gammonempire, sgames"):
        schedule.shipped_tariff("nosuch")
