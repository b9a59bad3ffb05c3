"""What players say of themselves (B-18)."""

import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction

from games.models import Player
from wagering.play.models import BIOGRAPHY_MAX, Profile

_LINE_BREAK: Final = "\n"
_UNSEEN: Final = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


class BiographyRefused(ValueError):
    """A biography is short, and of characters that can be seen."""

    field = "biography"

    def __init__(self, rule: str) -> None:
        super().__init__(f"biography: {rule}")


def write_biography(
    *, player: Player, text: str, at: datetime, check: Callable[[Profile], None] = lambda profile: None
) -> Profile:
    """The player's biography from now on. ``check`` is asked under the lock whether the caller knows the present one.

    Surrounding space is left out, and what looks alike is written alike (NFC). Raises BiographyRefused and what
    ``check`` raises.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", _LINE_BREAK)).strip()
    if len(text) > BIOGRAPHY_MAX:
        raise BiographyRefused(f"has {len(text)} characters, {BIOGRAPHY_MAX} at most")
    if any(unicodedata.category(char) in _UNSEEN for char in text if char != _LINE_BREAK):
        raise BiographyRefused("has characters that cannot be seen")
    with transaction.atomic():
        Profile.objects.bulk_create([Profile(player=player, changed_at=at)], ignore_conflicts=True)
        profile = Profile.objects.select_for_update().get(player=player)
        check(profile)
        profile.biography, profile.changed_at = text, at
        profile.version += 1
        profile.save()
        return profile
