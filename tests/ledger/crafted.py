"""``ledger_post`` called with SQL of any sort for its parameters, as whoever may call it can."""

from typing import Any, Final

from django.db import connection

from tests.ledger.people import PROVIDER

HONEST: Final = {
    "keys": "ARRAY['crafted:1']",
    "events": "ARRAY['crafted']",
    "fingerprints": "ARRAY[pg_catalog.sha256("
    "E'crafted\\nCR wallet {ann_is} USD 7.00\\nDR clearing {provider} USD 7.00'::bytea)]",
    "occurred": "ARRAY[now()]",
    "details": "ARRAY['{{}}'::jsonb]",
    "reverse_of": "ARRAY[NULL::bigint]",
    "line_voucher": "ARRAY[1, 1]",
    "line_code": "ARRAY['clearing', 'wallet']",
    "line_owner": "ARRAY['{provider}', '{ann_is}']::uuid[]",
    "line_currency": "ARRAY['USD', 'USD']",
    "line_side": "ARRAY['DR', 'CR']",
    "line_amount": "ARRAY[7.00, 7.00]",
    "open_voucher": "ARRAY[]::int[]",
    "open_id": "ARRAY[]::uuid[]",
    "open_owner": "ARRAY[]::uuid[]",
    "open_currency": "ARRAY[]::text[]",
    "open_amount": "ARRAY[]::numeric[]",
    "close_voucher": "ARRAY[]::int[]",
    "close_id": "ARRAY[]::uuid[]",
    "close_state": "ARRAY[]::text[]",
}
"""A deposit of 7.00 dollars to ann, in the names of the small book."""


def called(changes: dict[str, str], names: dict[str, Any]) -> list[str]:
    """The outcomes of the honest call with some of its parameters changed."""
    arguments = ", ".join(f"{name} => {sql}" for name, sql in {**HONEST, **changes}.items())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT outcome FROM public.ledger_post({arguments})".format(**names, provider=PROVIDER))
        return [outcome for (outcome,) in cursor.fetchall()]
