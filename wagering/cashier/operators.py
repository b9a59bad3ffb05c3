"""Who may have a say over money: an operator who is active, and never over their own."""

from __future__ import annotations

from games.models import Player, User


def may_judge(by: User, *, player: Player) -> bool:
    """Whether ``by`` may decide about money of ``player``."""
    return by.is_active and by.is_staff and player.user_id != by.pk
