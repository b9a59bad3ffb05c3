"""What the pages about people give, as the API's page shows it."""

from typing import Any, Final

ANN: Final = {"id": "7f1c3a52-6c0e-4f5e-9d2b-0a4f8f6d3c11", "name": "ann"}
BOB: Final = {"id": "af7d28ba-ec35-423f-87d9-f5af57877ed2", "name": "bob"}
TABLE: Final = "1a4c081d-9ca4-4299-bdfa-ce829fb39135"
PROFILE: Final = {"biography": "Plays too fast, and knows it."}

_NOTHING: Final[dict[str, Any]] = {
    "rating": "1500.00",
    "experience": 0,
    "contests": 0,
    "contests_won": 0,
    "contests_lost": 0,
    "games": 0,
    "games_won": 0,
    "gammons_won": 0,
    "backgammons_won": 0,
    "gammons_lost": 0,
    "backgammons_lost": 0,
}
PERSON: Final = {
    **ANN,
    **PROFILE,
    "zones": [
        {
            **_NOTHING,
            "zone": "professionals",
            "rating": "1522.36",
            "experience": 5,
            "contests": 1,
            "contests_won": 1,
            "games": 4,
            "games_won": 3,
            "gammons_won": 1,
        },
        {**_NOTHING, "zone": "amateurs"},
    ],
}
CONTEST: Final = {
    "table": TABLE,
    "room": "emerald",
    "zone": "professionals",
    "opponent": BOB,
    "match_length": 5,
    "opened_at": "2026-11-30T10:00:00Z",
    "ended_at": "2026-11-30T10:41:07Z",
    "result": "won",
    "ending": "borne_off",
    "games": 4,
}
MY_TABLE: Final = {
    **CONTEST,
    "match_length": 0,
    "ended_at": None,
    "result": None,
    "ending": None,
    "games": 0,
    "side": 1,
    "status": "playing",
    "your_turn": True,
    "due_at": "2026-11-30T10:02:35Z",
    "version": 12,
    "stake": {"amount": "5.00", "currency": "USD"},
    "hold": {"amount": "15.00", "currency": "USD"},
    "net": None,
}
RATED: Final = {"player": ANN, "rating": "1522.36", "experience": 5}
CHANGE: Final = {
    "table": TABLE,
    "at": "2026-11-30T10:41:07Z",
    "won": True,
    "length": 5,
    "before": "1500.00",
    "after": "1522.36",
    "experience_after": 5,
}
_ZONE: Final = {"contests": 1204, "contests_of_a_day": 31, "games": 3310, "gammons": 702, "backgammons": 18}
SERVER: Final = {
    "players": 412,
    "tables_now": 9,
    "offers_now": 14,
    "zones": [{**_ZONE, "zone": "professionals"}, {**_ZONE, "zone": "amateurs"}],
}
