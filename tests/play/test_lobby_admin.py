"""The lobby in the operator's admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from games.models import User
from tests.play.lobbying import SINGLE, Guest, emerald
from wagering.play.models import Offer, Profile

pytestmark = pytest.mark.django_db

OFFERS = "/admin/play/offer/"
PROFILES = "/admin/play/profile/"


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


def test_an_operator_reads_an_offer_and_its_counter_proposal(operator: Client) -> None:
    ann, bob = Guest("ann"), Guest("bob")
    offer = ann.offered({**SINGLE, "jacoby": True}, room=emerald())
    bob.countered(offer, {**SINGLE, "beavers": True, "cap": {"amount": "10.00", "currency": "USD"}})
    shown = operator.get(f"{OFFERS}{offer}/change/").content.decode()
    for told in ("Jacoby", "beavers", "15 s a move, 120 s", "15.00", "10.00", "bob", "gammonempire 1"):
        assert told in shown
    assert 'name="_save"' not in shown
    assert operator.post(f"{OFFERS}{offer}/delete/", {"post": "yes"}).status_code == 403


def test_an_operator_takes_an_offer_out_of_the_lobby(operator: Client) -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    open_, agreed = ann.offered(room=room), ann.offered(room=room)
    bob.accepts(agreed)
    asked = {"action": "take_out", "_selected_action": [open_, agreed]}
    shown = operator.post(OFFERS, asked, follow=True).content.decode()
    assert "1 taken out of the lobby." in shown
    assert "This offer is agreed." in shown
    assert Offer.objects.get(pk=open_).state == "withdrawn"
    assert Offer.objects.get(pk=agreed).state == "agreed"


def test_who_may_only_look_takes_nothing_out(client: Client) -> None:
    looker = User.objects.create(username="looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_offer"))
    client.force_login(looker)
    offer = Guest("ann").offered(room=emerald())
    client.post(OFFERS, {"action": "take_out", "_selected_action": [offer]})
    assert Offer.objects.get(pk=offer).state == "open"


def test_an_operator_empties_a_biography(operator: Client) -> None:
    ann = Guest("ann")
    ann.client.patch("/v1/me/profile", {"biography": "Rude."}, format="json", headers={"If-Match": "*"})
    assert "Rude." in operator.get(PROFILES).content.decode()
    operator.post(PROFILES, {"action": "empty", "_selected_action": [str(ann.player.pk)]})
    assert (Profile.objects.get().biography, Profile.objects.get().version) == ("", 2)
