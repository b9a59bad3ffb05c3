"""The vault: a person's data is readable by nobody once the person's key is gone."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import Settings

from tests.factories import PlayerFactory
from wagering.vault import checks
from wagering.vault import services as vault
from wagering.vault.models import PersonKey

pytestmark = pytest.mark.django_db

IBAN = "DE89370400440532013000"


def test_what_was_sealed_is_opened_for_its_person_and_purpose_alone() -> None:
    ann, bob = PlayerFactory.create(), PlayerFactory.create(name="bob")
    sealed = vault.seal(IBAN, player=ann, purpose="iban")
    assert vault.opened(sealed, player=ann, purpose="iban") == IBAN
    assert IBAN.encode() not in sealed
    assert vault.seal(IBAN, player=ann, purpose="iban") != sealed
    vault.seal("bob's", player=bob, purpose="iban")
    with pytest.raises(ValueError, match="was not sealed"):
        vault.opened(sealed, player=bob, purpose="iban")
    with pytest.raises(ValueError, match="was not sealed"):
        vault.opened(sealed, player=ann, purpose="name")
    with pytest.raises(ValueError, match="was not sealed"):
        vault.opened(sealed[:-1], player=ann, purpose="iban")


def test_a_destroyed_key_is_gone_for_ever() -> None:
    ann = PlayerFactory.create()
    sealed = vault.seal(IBAN, player=ann, purpose="iban")
    assert not vault.is_erased(player=ann)
    for _ in range(2):
        vault.destroy(player=ann, at=timezone.now())
    assert vault.is_erased(player=ann)
    assert PersonKey.objects.get(player=ann).wrapped is None
    with pytest.raises(vault.Erased):
        vault.opened(sealed, player=ann, purpose="iban")
    with pytest.raises(vault.Erased):
        vault.seal(IBAN, player=ann, purpose="iban")


def test_who_never_had_a_key_can_be_erased_too() -> None:
    bob = PlayerFactory.create()
    vault.destroy(player=bob, at=timezone.now())
    with pytest.raises(vault.Erased):
        vault.seal(IBAN, player=bob, purpose="iban")


def test_a_new_secret_key_opens_what_the_old_one_wrapped(settings: Settings) -> None:
    ann = PlayerFactory.create()
    sealed = vault.seal(IBAN, player=ann, purpose="iban")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret, and long enough"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert vault.opened(sealed, player=ann, purpose="iban") == IBAN
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ValueError, match="SECRET_KEY"):
        vault.opened(sealed, player=ann, purpose="iban")


def test_a_database_beside_another_secret_key_is_found(settings: Settings) -> None:
    def found() -> list[str]:
        return [message.id or "" for message in checks.the_latest_key_opens(None, databases=["default"])]

    ann = PlayerFactory.create()
    assert found() == []
    vault.seal(IBAN, player=ann, purpose="iban")
    assert found() == []
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret, and long enough"
    assert found() == ["vault.E001"]
    settings.SECRET_KEY_FALLBACKS = [old]
    assert found() == []
    vault.destroy(player=ann, at=timezone.now())
    settings.SECRET_KEY_FALLBACKS = []
    assert found() == []


def test_a_digest_finds_the_same_again_and_tells_nothing() -> None:
    assert vault.digest(IBAN, purpose="iban") == vault.digest(IBAN, purpose="iban")
    assert vault.digest(IBAN, purpose="iban") != vault.digest(IBAN, purpose="name")
    assert IBAN not in vault.digest(IBAN, purpose="iban")


def test_what_is_nobodys_yet_is_sealed_too(settings: Settings) -> None:
    sealed = vault.seal_unowned("Ann Payer", purpose="bank.entry")
    assert b"Ann" not in sealed
    with pytest.raises(ValueError, match="SECRET_KEY"):
        vault.opened_unowned(sealed, purpose="other")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret, and long enough"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert vault.opened_unowned(sealed, purpose="bank.entry") == "Ann Payer"
