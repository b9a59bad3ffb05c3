"""What the lobby's addresses take and give, as the API's page shows it; a test makes the same by asking them."""

from typing import Any, Final

TABLE: Final = "1a4c081d-9ca4-4299-bdfa-ce829fb39135"
OFFER: Final = "5a0e3c0e-8f0b-4f39-9f2f-1d3a3c5f7b10"
COUNTER: Final = "c2b9a0f4-41a7-4a2e-9b58-7f6f0f6f3f21"
ANN: Final = {
    "id": "7f1c3a52-6c0e-4f5e-9d2b-0a4f8f6d3c11",
    "name": "ann",
    "rating": "1500.00",
    "experience": 0,
}
BOB: Final = {
    "id": "af7d28ba-ec35-423f-87d9-f5af57877ed2",
    "name": "bob",
    "rating": "1512.41",
    "experience": 9,
}


def usd(amount: str) -> dict[str, str]:
    """Money as it goes over the wire."""
    return {"amount": amount, "currency": "USD"}


ASKED_TERMS: Final[dict[str, Any]] = {
    "stake": usd("5.00"),
    "cap": usd("15.00"),
    "match_length": 0,
    "beavers": True,
    "move_s": 15,
    "reserve_s": 120,
}
ASKED: Final = {"room": "emerald", **ASKED_TERMS, "rating_min": "1400.00"}
ASKED_MATCH: Final = {
    "room": "emerald",
    "stake": usd("10.00"),
    "match_length": 3,
    "days_a_move": 3,
    "abandonment": "forfeit",
}

TERMS: Final[dict[str, Any]] = {
    **ASKED_TERMS,
    "cube": True,
    "crawford": True,
    "jacoby": False,
    "automatic_doubles": 0,
    "days_a_move": None,
    "abandonment": "split",
    "penalty": "0.0000",
    "hold": usd("15.00"),
}
SINGLE: Final = {
    "won": "single",
    "lost": usd("5.00"),
    "commission": usd("0.49"),
    "winner_net": usd("4.51"),
    "loser_net": usd("-5.00"),
}
GAMMON: Final = {
    "won": "gammon",
    "lost": usd("10.00"),
    "commission": usd("0.98"),
    "winner_net": usd("9.02"),
    "loser_net": usd("-10.00"),
}
MOST: Final = {
    "won": "most",
    "lost": usd("15.00"),
    "commission": usd("1.47"),
    "winner_net": usd("13.53"),
    "loser_net": usd("-15.00"),
}
LISTED: Final[dict[str, Any]] = {
    "id": OFFER,
    "state": "open",
    "room": {"slug": "emerald", "name": "Emerald"},
    "zone": "professionals",
    "tariff": {"name": "gammonempire", "version": 1},
    "maker": ANN,
    "opponent": None,
    "rematch_of": None,
    "terms": TERMS,
    "rating_min": "1400.00",
    "rating_max": None,
    "made_at": "2026-11-30T10:00:00Z",
    "expires_at": "2026-12-01T10:00:00Z",
    "taker": None,
    "table": None,
}
OPEN: Final = {**LISTED, "quote": [SINGLE, GAMMON, MOST], "counter": None, "agreed": None}
AGREED: Final = {
    **OPEN,
    "state": "agreed",
    "taker": BOB,
    "table": TABLE,
    "agreed": {"terms": TERMS, "quote": OPEN["quote"]},
}
COUNTERED: Final = {
    **OPEN,
    "state": "countered",
    "counter": {
        "id": COUNTER,
        "state": "pending",
        "player": BOB,
        "terms": {**TERMS, "cap": usd("10.00"), "hold": usd("10.00")},
        "quote": [
            SINGLE,
            GAMMON,
            {**GAMMON, "won": "most"},
        ],
        "made_at": "2026-11-30T10:01:00Z",
    },
}
REMATCH: Final = {**OPEN, "opponent": BOB, "rematch_of": TABLE, "rating_min": None}
