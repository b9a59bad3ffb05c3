"""How often a client may ask, and be wrong about who it is: so many times a minute, for every process together.

A row keeps the instant at which the client's allowance is whole again; each request moves it on by its share
(GCRA). One statement on an unlogged table: a crash forgets the counts, and nobody waits for a disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.access import signatures
from games.prepared import Statement
from wagering.config.http.clients import at_address, client_of

if TYPE_CHECKING:
    from rest_framework.views import APIView

# The insert gives way to the update; the update writes nothing, and returns nothing, when the allowance is used up.
TAKE: Final = Statement(
    name="rates_take",
    text="""
    INSERT INTO config_allowance AS a (client, rate, whole_at)
    VALUES ($1, $2, clock_timestamp() + $4::int * interval '1 second' / $3::int)
    ON CONFLICT (client, rate) DO UPDATE
    SET whole_at = greatest(a.whole_at, clock_timestamp()) + $4::int * interval '1 second' / $3::int
    WHERE greatest(a.whole_at, clock_timestamp()) + $4::int * interval '1 second' / $3::int
          <= clock_timestamp() + $4::int * interval '1 second'
    RETURNING true
    """,
)

WAIT: Final = """
    SELECT ceil(extract(epoch FROM whole_at + %(period_s)s * interval '1 second' / %(number)s
                                   - clock_timestamp() - %(period_s)s * interval '1 second'))
    FROM config_allowance WHERE client = %(client)s AND rate = %(rate)s
"""

PURGE: Final = "DELETE FROM config_allowance WHERE whole_at < clock_timestamp()"


class TooManyRequests(Exception):
    """The client has used its allowance up. ``limit`` says which, ``wait_s`` in how many seconds to ask again."""

    def __init__(self, *, rate: str, limit: str, wait_s: int) -> None:
        super().__init__(f"Too many requests: {limit} are allowed. Ask again in {wait_s} s.")
        self.rate, self.limit, self.wait_s = rate, limit, wait_s


class Throttle(BaseThrottle):
    """Of each view: the rate that its ``throttle_scope`` names in settings.RATES, else "client" or "anonymous".

    ``throttle_scope = {"post": "log_in"}`` names that of one method.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        client = client_of(request)
        usual = "anonymous" if client.startswith("at:") else "client"
        rate = getattr(view, "throttle_scope", usual)
        if isinstance(rate, Mapping):
            rate = rate.get(str(request.method).lower(), usual)
        take(client=client, rate=rate)
        return True


def count_guess(request: HttpRequest) -> None:
    """Count a token or a signature that was refused, against the address and against the key that it claims.

    What is right is neither counted nor hindered, so that nobody is kept out by the guesses of others. It need not be:
    there are 256 bits to guess, and only what guessing costs the service has to be limited. Raises TooManyRequests.
    """
    take(client=at_address(request), rate="guesses", of="wrong credentials")
    try:
        key = signatures.parse(request.headers.get("Authorization", "")).key
    except signatures.SignatureMalformed:
        return
    take(client=f"key:{key}", rate="guesses", of="wrong credentials")


def take(*, client: str, rate: str, of: str = "requests") -> None:
    """Count one request of ``client`` against ``rate``; a rate that the settings do not name has no limit.

    Raises TooManyRequests.
    """
    if rate not in settings.RATES:
        return
    number, period_s = settings.RATES[rate]
    if TAKE.one(client, rate, number, period_s):
        return
    with connection.cursor() as cursor:
        cursor.execute(WAIT, {"client": client, "rate": rate, "number": number, "period_s": period_s})
        found = cursor.fetchone()
    wait_s = max(1, int(found[0])) if found else 1
    raise TooManyRequests(rate=rate, limit=f"{number} {of} in {period_s} s", wait_s=wait_s)


def purge() -> int:
    """Forget the clients whose allowance is whole; how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(PURGE)
        return int(cursor.rowcount)
