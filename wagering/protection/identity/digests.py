"""By which the same person is found again, in a register or under another account: names are compared, and not told."""

from datetime import date

from wagering.protection.identity import selectors
from wagering.protection.identity.rules import compared, spellings
from wagering.protection.models import Identity
from wagering.vault import services as vault


def digest_of(*, name: str, birth_date: date) -> str:
    """Of the name as it is spelt."""
    return vault.digest(compared(name=name, birth_date=birth_date), purpose="person")


def spellings_of(*, name: str, birth_date: date) -> list[str]:
    """Of other spellings of the same name, in order."""
    others = spellings(name=name, birth_date=birth_date) - {compared(name=name, birth_date=birth_date)}
    return sorted(vault.digest(each, purpose="person") for each in others)


def renew(identity: Identity) -> None:
    """Add the spellings that were not known when it was told; nothing of who is erased."""
    try:
        told = selectors.opened(identity, player=identity.person.player)
    except vault.Erased:
        return
    known = spellings_of(name=told["name"], birth_date=date.fromisoformat(told["birth_date"]))
    if set(known) <= {*identity.spellings}:
        return
    identity.spellings = sorted({*identity.spellings, *known})
    if identity.is_proven:
        identity.proven = sorted({*identity.proven, *known})
    identity.save(update_fields=["spellings", "proven"])
