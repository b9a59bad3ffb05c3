"""The family of refusals of the rules: each names what it refuses and quotes the rule's id.

The members live beside the functions that raise them; this is only their common parent, so that a door can
answer all of them alike.
"""

from typing import ClassVar


class RuleBroken(ValueError):
    """Something the rules do not allow. ``rule`` is the id in the rule book, ``reason`` the sentence for a player."""

    rule: ClassVar[str] = ""
    reason: ClassVar[str] = ""

    def __init__(self, detail: str = "") -> None:
        sentence = self.reason.format(detail=detail) if detail else self.reason.replace(" ({detail})", "")
        super().__init__(f"{sentence} ({self.rule})")
        self.detail = detail
