"""What the events of a table's stream bring, for the description: parts of the table's state, and why it closes."""

from typing import Any, Final, get_args

from games.live.editions import PRESENCE
from games.live.hub import Goodbye
from games.live.stream import MISSED_MOST
from wagering.play.tables.examples import STATE

ABOUT_MONEY: Final = ("stakes", "settlement")
"""What a table's state has only at the door that knows the stakes: the stream is told by what knows no money."""


def events(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing: the schema of each event's data, made of that of the table's state."""
    schemas = result["components"]["schemas"]
    schemas |= _events(schemas["State"])
    return result


def _events(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    told = [name for name in state["properties"] if name not in ABOUT_MONEY]
    return {
        "StreamState": _part(
            state,
            told,
            "The `state` event of a table's stream: the table's state without what speaks of money.",
        ),
        "StreamPresence": _part(
            state,
            PRESENCE,
            "The `presence` event of a table's stream: what of the state changes when somebody comes or goes.",
        ),
        "StreamActions": {
            "type": "object",
            "description": "The `actions` event of a table's stream: what happened since your `Last-Event-ID`.",
            "required": ["actions"],
            "properties": {
                "actions": {
                    "type": "array",
                    "items": state["properties"]["last"]["items"],
                    "minItems": 1,
                    "maxItems": MISSED_MOST,
                    "description": "The oldest first; the next event goes on where this one ends.",
                }
            },
            "additionalProperties": False,
            "examples": [{"actions": STATE["last"]}],
        },
        "StreamEnd": {
            "type": "object",
            "description": "The `end` event of a table's stream, its last.",
            "required": ["reason"],
            "properties": {
                "reason": {
                    "type": "string",
                    "enum": list(get_args(Goodbye)),
                    "description": (
                        "Why it closes. `over`: the contest has ended. `restart`: the server stops, come back. "
                        "`credential`: your token has expired or was revoked. `replaced`: you opened too many streams, "
                        "and this was the oldest."
                    ),
                }
            },
            "additionalProperties": False,
            "examples": [{"reason": "over"}],
        },
    }


def _part(state: dict[str, Any], names: Any, meaning: str) -> dict[str, Any]:
    """Some members of the state, and no others."""
    return {
        "type": "object",
        "description": meaning,
        "required": [name for name in state["required"] if name in names],
        "properties": {name: state["properties"][name] for name in names},
        "additionalProperties": False,
        "examples": [{name: STATE[name] for name in names}],
    }
