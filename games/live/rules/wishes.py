"""What a side asks for, read strictly from JSON: ``{"kind": "play", "play": "8/5 6/5"}``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.live.rules.events import Kind
from games.rules.actions import Concession

CLAIM: Final = "claim"
"""To have it noticed that the other side's time is up; the sweep notices without it too."""

KINDS: Final = (
    Kind.ROLL,
    Kind.PLAY,
    Kind.DOUBLE,
    Kind.TAKE,
    Kind.PASS,
    Kind.BEAVER,
    Kind.ACCEPT_BEAVER,
    Kind.REFUSE_BEAVER,
    Kind.RESIGN,
    Kind.ACCEPT_RESIGNATION,
    Kind.DECLINE_RESIGNATION,
    CLAIM,
)
"""What a side may ask for by an action."""

PLAY_MAX: Final = 60
"""Characters of a play: ``24/23*/22*/21*/20*`` and three more checkers need no more."""


class BadAction(ValueError):
    """No action. ``field``, ``value`` (None for one that is missing) and ``rule`` say what is wrong with it."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {rule}" if value is None else f"{field}: {str(value)[:80]!r} {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True)
class Wish:
    """One action asked for. ``play`` belongs to ``play``, in standard notation as the mover sees the board;
    ``concession`` to ``resign``. Raises BadAction."""

    kind: str
    play: str = ""
    concession: Concession | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadAction(field="kind", value=self.kind, rule=f"is none of {', '.join(KINDS)}")
        if not isinstance(self.play, str) or len(self.play) > PLAY_MAX:
            raise BadAction(field="play", value=self.play, rule=f"is no text of at most {PLAY_MAX} characters")
        if not self.play.isascii() or not (self.play.isprintable()):
            raise BadAction(field="play", value=self.play, rule="is no play like 8/5 6/5")
        given = {"play": self.play.strip() or None, "concession": self.concession}
        for field, kind in (("play", Kind.PLAY), ("concession", Kind.RESIGN)):
            if self.kind == kind and given[field] is None:
                raise BadAction(field=field, value=None, rule="is missing")
            if self.kind != kind and given[field] is not None:
                raise BadAction(field=field, value=given[field], rule=f"is given with {kind} alone")

    @property
    def text(self) -> str:
        """The wish in a line: two that read the same are the same."""
        words = (str(self.kind), " ".join(self.play.split()), self.concession or "")
        return " ".join(word for word in words if word)


def wish(value: Mapping[str, Any]) -> Wish:
    """The wish that an object of JSON tells. Raises BadAction, also for a key that no action has."""
    for key in value:
        if key not in ("kind", "play", "concession"):
            raise BadAction(field=str(key), value=value[key], rule="is no key of an action")
    concession = value.get("concession")
    if concession is not None and concession not in list(Concession):
        raise BadAction(field="concession", value=concession, rule=f"is none of {', '.join(Concession)}")
    kind = value.get("kind")
    return Wish(
        kind=kind if isinstance(kind, str) else "",
        play=value.get("play") or "",
        concession=None if concession is None else Concession(concession),
    )
