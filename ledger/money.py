"""Currencies and exact amounts: from text to ``Decimal``, rounded once, split without a remainder.

An amount is a ``Decimal`` in the currency's major unit (dollars, not cents) and carries exactly the
currency's minor digits. Floats never enter: every function refuses them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final, Literal

Zone = Literal["professionals", "amateurs"]

LIMIT: Final = Decimal(10) ** 12
"""No amount reaches a million million; PostgreSQL checks the same bound."""

AMOUNT: Final = re.compile(r"[0-9]{1,12}(\.[0-9]+)?")
"""An amount as text: ASCII digits and one point. No sign, exponent, space, underscore or other digits."""


@dataclass(frozen=True, slots=True)
class Currency:
    """A unit of account: ISO 4217 ``code`` (or ``PLAY``), digits after the point, and the zone it lives in."""

    code: str
    minor_digits: int
    zone: Zone

    @property
    def minor_unit(self) -> Decimal:
        """The smallest amount: 0.01 in USD, 1 in JPY, 0.001 in KWD."""
        return Decimal(1).scaleb(-self.minor_digits)


class UnknownCurrency(ValueError):
    """No such currency in the book."""

    def __init__(self, code: object) -> None:
        super().__init__(f"currency: {code!r} is no ISO 4217 code that this book keeps, nor PLAY")
        self.code = code


class InvalidAmount(ValueError):
    """The value is no exact amount of its currency. ``field``, ``value`` and ``rule`` say which and why."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {str(value) if isinstance(value, Decimal) else repr(value)} {rule}")
        self.field, self.value, self.rule = field, value, rule


def _currencies() -> dict[str, Currency]:
    # ISO 4217, active national currencies by digits after the point; funds, metals and test codes left out.
    by_digits = {
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        2: """AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
              CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
              HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
              MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
              SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
              USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG""",
    }
    real = {
        code: Currency(code, digits, "professionals") for digits, codes in by_digits.items() for code in codes.split()
    }
    return real | {"PLAY": Currency("PLAY", 2, "amateurs")}


CURRENCIES: Final = _currencies()


def currency(code: str) -> Currency:
    """The currency named ``code``. Raises UnknownCurrency."""
    try:
        return CURRENCIES[code]
    except (KeyError, TypeError):
        raise UnknownCurrency(code) from None


def parse(text: str, code: str, *, field: str = "amount") -> Decimal:
    """The amount written in ``text``, in currency ``code``, with the currency's minor digits.

    Raises InvalidAmount for anything but plain digits within the minor unit ("0.999" and "5.005" are no USD),
    UnknownCurrency for the code.
    """
    unit = currency(code)
    if not isinstance(text, str):
        raise InvalidAmount(field=field, value=text, rule='must be text in quotes, such as "5.00"')
    if not AMOUNT.fullmatch(text):
        raise InvalidAmount(
            field=field, value=text, rule="is no amount: up to 12 digits, then a point and digits if any"
        )
    digits = len(text.partition(".")[2])
    if digits > unit.minor_digits:
        raise InvalidAmount(field=field, value=text, rule=f"has {digits} decimals, {code} has {unit.minor_digits}")
    return Decimal(text).quantize(unit.minor_unit)


def exact(amount: Decimal, code: str, *, field: str = "amount") -> Decimal:
    """``amount`` itself at the currency's minor digits. Raises InvalidAmount if that would change its value.

    For amounts computed inside the service. A float, NaN, an infinity, a negative amount, too many digits or
    1e12 and over are refused; 5 and 5.000 become 5.00 in USD.
    """
    unit = currency(code)
    if not isinstance(amount, Decimal):
        raise InvalidAmount(field=field, value=amount, rule=f"is a {type(amount).__name__}, amounts are Decimal")
    if not amount.is_finite() or amount.is_signed() or amount >= LIMIT:
        raise InvalidAmount(field=field, value=amount, rule="is not from 0 to under 1000000000000")
    rounded = amount.quantize(unit.minor_unit)
    if rounded != amount:
        raise InvalidAmount(field=field, value=amount, rule=f"is finer than {code}'s {unit.minor_unit}")
    return rounded


def round_half_even(amount: Decimal, code: str) -> Decimal:
    """``amount`` at the currency's minor digits, ties to the even digit. Round once, at the very end."""
    return amount.quantize(currency(code).minor_unit, rounding=ROUND_HALF_EVEN)


def share_out(total: Decimal, shares: Sequence[Decimal], code: str) -> tuple[Decimal, ...]:
    """``total`` split by ``shares``, which sum to 1; each part rounded half-even, the last takes what is left.

    The parts always sum to ``total`` (T-3). The last may be a little more or less than its own share, never
    below zero. Raises ValueError if the shares do not sum to exactly 1 or the last part would be negative.
    """
    decimal = all(isinstance(share, Decimal) for share in shares)
    if not decimal or sum(shares) != 1 or any(share < 0 for share in shares):
        raise ValueError(f"shares: {[str(share) for share in shares]} are not fractions that sum to exactly 1")
    total = exact(total, code, field="total")
    parts = [round_half_even(total * share, code) for share in shares[:-1]]
    rest = total - sum(parts)
    if rest < 0:
        raise ValueError(f"shares: rounding the first {len(parts)} of {total} {code} leaves {rest} for the last")
    return (*parts, rest)
