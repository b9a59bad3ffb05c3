"""Examples for the description of the API; tests check them against it."""

from typing import Any, Final

_AT: Final = "2026-03-01T12:00:24Z"
_HASHES: Final = [
    "3ba3f5f43b92602683c19aee62a20342b084dd5971ddd33808d81a328879a547",
    "bdb339768bc5e4fecbe55a442056919b2b325907d49bcbf3bf8de13781996a83",
]
HASH: Final = _HASHES[0]
_SEEDS: Final = ["61" * 32, "62" * 32]
_COMMITMENT: Final = "7159859692cf26b16e153664dbcc558ab85c1b1e54b5f9590c60b759271940ca"

STATE: Final[dict[str, Any]] = {
    "table": "1a4c081d-9ca4-4299-bdfa-ce829fb39135",
    "version": 3,
    "sequence": 9,
    "rules": {
        "match_length": 0, "crawford": True, "jacoby": False, "beavers": False, "automatic_doubles": 0,
        "cube": True, "move_s": 15, "reserve_s": 120, "days_a_move": None,
    },
    "sides": [
        {"side": 1, "player": "ccea7329-c8cc-4941-9eb4-9318a88bd191", "name": "ann"},
        {"side": 2, "player": "af7d28ba-ec35-423f-87d9-f5af57877ed2", "name": "bob"},
    ],
    "status": "playing",
    "viewer": 2,
    "game": 1,
    "score": [0, 0],
    "crawford_game": False,
    "games": [],
    "phase": "to_play",
    "turn": 2,
    "to_act": 2,
    "board": {
        "points": [-2, 0, 0, 0, 0, 5, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -3, 1, -5, 0, 0, 0, 0, 1],
        "bar": [0, 0], "off": [0, 0], "pips": [156, 167],
    },
    "position_id": "4PPgQSDgc/ABMA",
    "match_id": "MIF6AAAAAAAE",
    "xgid": "XGID=-b----E-D---eD---cAe----A-:0:0:-1:56:0:0:0:0:6",
    "cube": {"value": 1, "owner": None, "limit": 64},
    "dice": [5, 6],
    "offer": None,
    "actions": ["play", "resign"],
    "resignations": ["single", "gammon", "backgammon"],
    "plays": [
        {"play": "24/18 13/8", "position_id": "4PPgQSDg8+BBIA"},
        {"play": "24/18 8/3", "position_id": "xGfwQSDg8+BBIA"},
    ],
    "clocks": [
        {"side": 1, "running": False, "move_ms": 15000, "reserve_ms": 115000, "ends_at": None},
        {"side": 2, "running": True, "move_ms": 15000, "reserve_ms": 120000, "ends_at": "2026-03-01T12:02:39Z"},
    ],
    "presence": [
        {"side": 1, "present": True, "away_since": None, "absence_left_ms": 300000, "ends_at": None},
        {"side": 2, "present": True, "away_since": None, "absence_left_ms": 300000, "ends_at": None},
    ],
    "due": {"at": "2026-03-01T12:02:39Z", "what": "time_out", "side": 2},
    "dice_proof": {
        "commitment": _COMMITMENT, "hashes": _HASHES, "seeds": _SEEDS, "thrown": 3, "server_seed": None,
    },
    "result": None,
    "now": _AT,
    "last": [
        {"at": _AT, "dice": [5, 6], "game": 1, "kind": "roll", "side": 2, "counter": 2, "version": 3, "sequence": 9},
    ],
    "stakes": {
        "room": "emerald",
        "stake": {"amount": "5.00", "currency": "USD"},
        "cap": {"amount": "30.00", "currency": "USD"},
        "held": {"amount": "30.00", "currency": "USD"},
        "tariff": "gammonempire",
        "tariff_version": 1,
        "abandonment": "split",
    },
    "settlement": None,
}  # fmt: skip
"""A game under way, as side 2 is told of it."""

SETTLED: Final[dict[str, Any]] = {
    **STATE,
    "version": 58,
    "sequence": 71,
    "status": "over",
    "phase": "over",
    "to_act": None,
    "dice": None,
    "actions": [],
    "resignations": [],
    "plays": [],
    "due": None,
    "games": [{"game": 1, "winner": 1, "win": "gammon", "cube": 1, "points": 2, "ending": "borne_off"}],
    "result": {
        "status": "over", "winner": 1, "absent": [],
        "outcome": {"winner": 1, "win": "gammon", "cube": 1, "points": 2, "ending": "borne_off"},
    },
    "settlement": {
        "status": "settled",
        "ending": "borne_off",
        "winner": 1,
        "lost": {"amount": "10.00", "currency": "USD"},
        "commission": {"amount": "0.98", "currency": "USD"},
        "charge": {"tariff": "gammonempire", "version": 1, "rate": "0.049", "exact": "0.9800"},
        "adjudication": None,
        "sides": [
            {
                "side": 1,
                "held": {"amount": "30.00", "currency": "USD"},
                "back": {"amount": "39.02", "currency": "USD"},
                "net": {"amount": "9.02", "currency": "USD"},
                "rating_before": "1500.00",
                "rating_after": "1510.00",
            },
            {
                "side": 2,
                "held": {"amount": "30.00", "currency": "USD"},
                "back": {"amount": "20.00", "currency": "USD"},
                "net": {"amount": "-10.00", "currency": "USD"},
                "rating_before": "1500.00",
                "rating_after": "1490.00",
            },
        ],
    },
}  # fmt: skip
"""A gammon for a stake of 5.00, paid."""

PRICING: Final[dict[str, Any]] = {
    **STATE,
    "version": 61,
    "sequence": 74,
    "rules": {**STATE["rules"], "match_length": 5},
    "status": "pricing",
    "game": 2,
    "score": [1, 0],
    "games": [{"game": 1, "winner": 1, "win": "single", "cube": 1, "points": 1, "ending": "dropped"}],
    "match_id": "MIG6AAAACAAE",
    "xgid": "XGID=-b----E-D---eD---cAe----A-:0:0:-1:56:1:0:0:5:6",
    "to_act": None,
    "actions": [],
    "resignations": [],
    "plays": [],
    "clocks": [
        {"side": 1, "running": False, "move_ms": 15000, "reserve_ms": 115000, "ends_at": None},
        {"side": 2, "running": False, "move_ms": 0, "reserve_ms": 0, "ends_at": None},
    ],
    "due": None,
    "last": [
        {
            "at": _AT, "due": _AT, "game": 2, "kind": "time_out", "side": 2, "pricing": True, "version": 61,
            "sequence": 74,
        },
    ],
    "stakes": {**STATE["stakes"], "cap": None, "held": STATE["stakes"]["stake"]},
}  # fmt: skip
"""A game of a match that side 2 has lost by the clock, and whose price is being found."""

ROLL: Final = {"version": 2, "kind": "roll"}
PLAY: Final = {"version": 3, "kind": "play", "play": "24/18 13/8"}
RESIGN: Final = {"version": 3, "kind": "resign", "concession": "single"}

TRANSCRIPT: Final[dict[str, Any]] = {
    "format": "backgammon-room/dice/1",
    "events": [
        {"event": "commitment", "hash": _COMMITMENT},
        {"event": "client_hash", "side": 1, "hash": _HASHES[0]},
        {"event": "client_hash", "side": 2, "hash": _HASHES[1]},
        {"event": "client_seed", "side": 1, "seed": _SEEDS[0]},
        {"event": "client_seed", "side": 2, "seed": _SEEDS[1]},
        {"event": "throw", "counter": 0, "kind": "opening", "dice": [2, 2]},
        {"event": "throw", "counter": 1, "kind": "opening", "dice": [6, 5]},
    ],
}

RECORD: Final = """\
; [Player 1 "ann"]
; [Player 2 "bob"]
; [Jacoby "Off"]
; [Beaver "Off"]
; [CubeLimit "64"]

0 point match

 Game 1
 ann : 0                              bob : 0
  1) 65: 24/18 18/13                   42: 8/4 6/4
"""
