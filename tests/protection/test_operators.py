"""What operators do: words with a reason, kept by the services; never an edit, never a lift before the term."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from games.models import User
from tests.factories import person
from tests.protection.people import known, now
from wagering.protection import aml, dormancy, gate
from wagering.protection.exclusion import services as exclusion
from wagering.protection.models import Exclusion, FundsLock, Identity, Limit, Link, Person, RegisterEntry, Review
from wagering.protection.persons import made

pytestmark = pytest.mark.django_db

ADMIN = "/admin/protection"


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser(username="operator", password=None)


@pytest.fixture
def desk(client: Client, operator: User) -> Client:
    client.force_login(operator)
    return client


def adds(desk: Client, what: str, **words: Any) -> Any:
    return desk.post(f"{ADMIN}/{what}/add/", words)


def test_every_list_and_form_opens(desk: Client, operator: User) -> None:
    ann, bob = person(), person("bob", funds="1")
    for player in (ann, bob):
        known(player)
    exclusion.exclude(player=ann, months=6, at=now())
    lock = aml.lock(player=ann, by=operator, reason="an alert", at=now())
    for what in ("person", "limit", "exclusion", "registerentry", "identity", "review", "link", "fundslock", "absence"):
        assert desk.get(f"{ADMIN}/{what}/").status_code == 200, what
    for what in ("person", "limit", "exclusion", "review", "fundslock"):
        assert desk.get(f"{ADMIN}/{what}/add/").status_code == 200, what
    page = desk.get(f"{ADMIN}/identity/{ann.pk}/change/").content.decode()
    assert "Ann Example" in page
    assert desk.get(f"{ADMIN}/exclusion/{Exclusion.objects.get().pk}/change/").status_code == 200
    assert desk.get(f"{ADMIN}/fundslock/{lock.pk}/change/").status_code == 200


def test_two_operators_release_what_was_anothers(desk: Client) -> None:
    ann, bob = person(), person("bob")
    exclusion.exclude(player=bob, months=6, at=now() - timedelta(hours=1))
    ends = Exclusion.objects.get().ends_at
    hers = Exclusion.objects.create(
        person_id=made([ann])[0], kind="exclusion", by="player", begins_at=now(), ends_at=ends
    )
    page = f"{ADMIN}/exclusion/{hers.pk}/change/"
    assert desk.post(page, {"disowned_reason": ""}).status_code == 200
    assert desk.post(page, {"disowned_reason": "bob told her name"}).status_code == 302
    chosen = {"action": "release", "_selected_action": [hers.pk]}
    desk.post(f"{ADMIN}/exclusion/", chosen)
    hers.refresh_from_db()
    assert (hers.disowned_reason, hers.released_at) == ("bob told her name", None)
    desk.force_login(User.objects.create_superuser(username="second", password=None))
    desk.post(f"{ADMIN}/exclusion/", chosen)
    hers.refresh_from_db()
    assert hers.released_at
    assert desk.get(page).status_code == 200


def test_an_operator_verifies_with_a_reason_and_the_documents(desk: Client) -> None:
    told = known(person())
    assert f"review/add/?identity={told.pk}" in desk.get("/admin/protection/identity/").content.decode()
    words = {"identity": told.pk, "verified": "on", "reason": "passport", "documents": ""}
    assert adds(desk, "review", **words).status_code == 200  # the form again
    assert Identity.objects.get().state == "pending"
    assert adds(desk, "review", **words | {"documents": "file 7"}).status_code == 302
    assert Identity.objects.get().state == "verified"
    review = Review.objects.get()
    assert review.operator.username == "operator"
    assert adds(desk, "review", **words | {"documents": "file 7"}).status_code == 200  # nothing waits any more
    assert desk.post(f"{ADMIN}/review/{review.pk}/change/", {"reason": "other"}).status_code == 403


def test_an_operators_limit_holds_at_once(desk: Client) -> None:
    made([ann := person()])
    words = {
        "person": ann.pk,
        "kind": "deposit",
        "window": "7d",
        "currency": "USD",
        "amount": "50.00",
        "reason": "asked",
    }
    assert adds(desk, "limit", **words).status_code == 302
    assert adds(desk, "limit", **words | {"amount": "0.001"}).status_code == 200
    assert adds(desk, "limit", **words | {"reason": ""}).status_code == 200
    limit = Limit.objects.get()
    assert (limit.by, limit.confirmed_at == limit.asked_at) == ("operator", True)


def test_an_operator_excludes_and_cannot_lift(desk: Client) -> None:
    made([ann := person()])
    assert adds(desk, "exclusion", person=ann.pk, kind="exclusion", months="6", reason="asked").status_code == 302
    assert adds(desk, "exclusion", person=ann.pk, kind="exclusion", months="5", reason="asked").status_code == 200
    assert adds(desk, "exclusion", person=ann.pk, kind="time_out", hours="24", reason="asked").status_code == 302
    assert gate.facts(player=ann, at=now()).excluded
    for row in Exclusion.objects.all():
        assert desk.post(f"{ADMIN}/exclusion/{row.pk}/change/", {"reason": "other"}).status_code == 403
        assert desk.post(f"{ADMIN}/exclusion/{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_lock_is_set_and_lifted_with_reasons(desk: Client) -> None:
    made([ann := person()])
    assert adds(desk, "fundslock", person=ann.pk, reason="an alert").status_code == 302
    lock = FundsLock.objects.get()
    change = f"{ADMIN}/fundslock/{lock.pk}/change/"
    assert desk.post(change, {"lifted_reason": ""}).status_code == 200
    assert gate.facts(player=ann, at=now()).locked
    assert desk.post(change, {"lifted_reason": "a house was sold"}).status_code == 302
    assert not gate.facts(player=ann, at=now()).locked
    lock.refresh_from_db()
    assert (lock.lifted_by and lock.lifted_by.username, lock.reason) == ("operator", "an alert")
    assert desk.post(change, {"lifted_reason": "another"}).status_code == 403


def test_links_are_looked_at(desk: Client) -> None:
    ann, bob = person(), person("bob")
    aml.link(one=ann, other=bob, why="the same card", at=now())
    chosen = {"action": "looked", "_selected_action": [str(Link.objects.get().pk)]}
    assert desk.post(f"{ADMIN}/link/", chosen).status_code == 302
    assert Link.objects.get().looked_at


def test_a_link_is_found_to_be_none_with_a_reason(desk: Client) -> None:
    ann, bob = person(), person("bob")
    aml.link(one=ann, other=bob, why="the same bank account", at=now())
    link = Link.objects.get()
    change = f"{ADMIN}/link/{link.pk}/change/"
    assert desk.post(change, {"none_reason": " "}).status_code == 200
    assert aml.linked(ann.pk) == {ann.pk, bob.pk}
    assert desk.post(change, {"none_reason": "a slip of bob's"}).status_code == 302
    link.refresh_from_db()
    assert (link.none_by and link.none_by.username, link.none_reason) == ("operator", "a slip of bob's")
    assert link.looked_at
    assert desk.post(change, {"none_reason": "another"}).status_code == 403
    with pytest.raises(IntegrityError, match="link_is_final"), transaction.atomic():
        Link.objects.update(none_reason="another")
    aml.link(one=bob, other=ann, why="the same bank account", at=now())
    assert aml.linked(ann.pk) == {ann.pk}
    aml.link(one=bob, other=ann, why="the same name and date of birth", at=now())
    assert aml.linked(ann.pk) == {ann.pk, bob.pk}


def test_who_tells_two_players_apart(desk: Client) -> None:
    ann, bob = person(), person("bob")
    aml.link(one=ann, other=bob, why="the same card", at=now())
    assert bob.user
    User.objects.filter(pk=bob.user.pk).update(is_staff=True)
    for by in (User.objects.create(username="nobody"), User.objects.get(pk=bob.user.pk)):
        with pytest.raises(aml.NotUnlinked, match="by:"):
            aml.unlink(link=Link.objects.get(), by=by, reason="two", at=now())


def test_an_operator_gives_back_what_was_set_apart(desk: Client) -> None:
    ann = person(funds="100.00")
    dormancy.look(player=ann, at=now() + timedelta(days=366))
    dormancy.look(player=ann, at=now() + timedelta(days=457))
    absence = Person.objects.get(pk=ann.pk).absences.get()
    chosen = {"action": "recover", "_selected_action": [str(absence.pk)]}
    assert desk.post(f"{ADMIN}/absence/", chosen).status_code == 302
    absence.refresh_from_db()
    assert absence.ended_at


def test_a_register_is_imported_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known(person())
    file = tmp_path / "register.csv"
    file.write_text("\ufeffname,birth_date\nAnn Example,1990-05-17\n", encoding="utf-8")
    call_command("import_exclusions", str(file), source="national")
    call_command("import_exclusions", str(file), source="national")
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "national: 1 new, 0 gone, 1 players excluded",
        "national: 0 new, 0 gone, 0 players excluded",
    ]
    assert "Ann" not in str(RegisterEntry.objects.values())
    file.write_text("nothing", encoding="utf-8")
    with pytest.raises(CommandError, match="first line"):
        call_command("import_exclusions", str(file), source="national")
    with pytest.raises(CommandError):
        call_command("import_exclusions", str(tmp_path / "none"), source="national")
