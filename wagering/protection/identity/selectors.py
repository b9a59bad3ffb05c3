"""Reading what is known of a person."""

from collections.abc import Mapping
from typing import Final

from django.db.models import QuerySet

from games.models import Player
from wagering.protection import profile
from wagering.protection.models import Identity
from wagering.protection.profile import Profile
from wagering.vault import services as vault

NAME: Final = "identity.name"
BIRTH_DATE: Final = "identity.birth_date"
ADDRESS: Final = "identity.address"
"""What each is sealed for."""


def identity_of(player: Player) -> Identity | None:
    """What the player told last; None if nothing."""
    return Identity.objects.filter(person=player.pk).first()


def profile_of(known: Identity | None) -> Profile:
    """The rules that hold for the player; until an operator has verified another country, of both what is stricter."""
    told = profile.of_country(known.country if known else None)
    if known is None or known.state == Identity.State.VERIFIED or not known.proven_country:
        return told
    return told.and_also(profile.of_country(known.proven_country))


def to_judge() -> QuerySet[Identity]:
    """What was told and waits for an operator's word."""
    return Identity.objects.filter(state=Identity.State.PENDING)


def opened(identity: Identity, *, player: Player) -> Mapping[str, str]:
    """Name, date of birth and address in clear. Raises Erased."""
    sealed = {"name": (identity.name, NAME), "birth_date": (identity.birth_date, BIRTH_DATE)}
    sealed["address"] = (identity.address, ADDRESS)
    return {
        field: vault.opened(bytes(text), player=player, purpose=purpose) for field, (text, purpose) in sealed.items()
    }


def name_of(player: Player) -> str | None:
    """The name that the player told, to be compared with that of an account; None if none was. Raises Erased."""
    identity = identity_of(player)
    return None if identity is None else vault.opened(bytes(identity.name), player=player, purpose=NAME)


def verified_name_of(player: Player) -> str | None:
    """The name that an operator has verified; None as long as none is. Raises Erased."""
    identity = identity_of(player)
    return name_of(player) if identity is not None and identity.state == Identity.State.VERIFIED else None
