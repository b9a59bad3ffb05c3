"""Somebody is forgotten: not before their money is out and the term over, and then wholly."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Player, Record
from ledger import proofs
from tests.access.callers import bearer, log_in, register
from tests.cashier.outside import Outside
from tests.factories import person
from tests.privacy.people import LATER, NAME, PERSONAL, emptied, lived, operator
from wagering.audit import proofs as ours
from wagering.cashier.deposits.models import InboxEvent
from wagering.privacy.erasure import erase
from wagering.privacy.models import Erasure
from wagering.privacy.refusals import NoPlayer, ReasonMissing, StillKept, StillTheirs

pytestmark = pytest.mark.django_db


def texts_of_all_tables() -> Iterator[tuple[str, str]]:
    """Every column of every table that can hold text, as text."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.relname, a.attname, format_type(a.atttypid, NULL) FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
            """
        )
        for table, column, kind in cursor.fetchall():
            if kind == "bytea":
                told = f"encode(\"{column}\", 'escape')"
            elif kind.startswith(("text", "character", "json", "date")):
                told = f'"{column}"::text'
            else:
                continue
            cursor.execute(f"SELECT coalesce(string_agg({told}, chr(10)), '') FROM \"{table}\"")
            yield f"{table}.{column}", cursor.fetchone()[0]


def found() -> set[str]:
    """Where the database has anything personal of theirs in clear."""
    wanted = [text.casefold() for text in PERSONAL]
    return {where for where, told in texts_of_all_tables() if any(each in told.casefold() for each in wanted)}


def forget(player: Player, **more: Any) -> Erasure:
    asked: dict[str, Any] = {"by": operator(), "reason": "the term is over", "at": timezone.now() + LATER} | more
    return erase(player=player, **asked)


def test_nothing_personal_is_left_in_any_table_and_the_book_proves(world: Outside) -> None:
    player, token = lived(world, opponent=person("bob"))
    emptied(player)
    assert {"games_player.name", "games_record.text", "games_user.email", "play_profile.biography"} <= found()
    forget(player)
    assert found() == set()
    for proof in (*proofs.PROOFS, ours.settlements_compute_again, ours.settlements_are_posted):
        told = proof()
        assert told.holds, told
    player.refresh_from_db()
    assert player.name == f"erased-{player.pk.hex[:8]}"
    assert player.user
    assert not player.user.has_usable_password()
    assert bearer(token).get("/v1/me").status_code == 401
    assert log_in(NAME).status_code == 401
    assert register(NAME).status_code == 201  # the name is free


def test_records_say_the_same_of_nobody(world: Outside) -> None:
    player, _ = lived(world, opponent=person("bob"))
    emptied(player)
    before = {record.pk: record.text for record in Record.objects.all()}
    forget(player)
    assert len(before) == 2
    for record in Record.objects.all():
        side = 1 if record.table.player_1_id == player.pk else 2
        assert f"erased-{side}" in record.text
        assert "bob" in record.text
        assert NAME in before[record.pk]


def test_what_providers_said_is_emptied_and_what_was_read_in_it_stays(world: Outside) -> None:
    player, _ = lived(world, opponent=person("bob"))
    emptied(player)
    before = {event.pk: event.tells for event in InboxEvent.objects.all()}
    forget(player)
    events = InboxEvent.objects.all()
    assert before == {event.pk: event.tells for event in events}
    assert {bytes(event.body) for event in events} == {b""}


def test_again_is_the_first_answer(world: Outside) -> None:
    player, _ = lived(world, opponent=person("bob"))
    emptied(player)
    first = forget(player)
    assert forget(player, reason="again") == first
    assert Erasure.objects.get().reason == "the term is over"


def test_who_has_money_is_not_erased_by_anybody(world: Outside) -> None:
    player, _ = lived(world, opponent=person("bob"))
    with pytest.raises(StillTheirs, match="USD in wallet"):
        forget(player, forced=True)
    assert NAME in Player.objects.get(pk=player.pk).name


def test_who_was_here_within_the_term_is_erased_by_force_alone(world: Outside) -> None:
    player, _ = lived(world, opponent=person("bob"))
    emptied(player)
    with pytest.raises(StillKept, match="1826 days"):
        forget(player, at=timezone.now() + timedelta(days=1825))
    assert forget(player, at=timezone.now(), forced=True, reason="the law asks for it").forced


def test_nobody_is_erased_without_a_reason_nor_who_is_no_player() -> None:
    ann = person(funds=None)
    with pytest.raises(ReasonMissing):
        forget(ann, reason="  ")
    with pytest.raises(NoPlayer):
        forget(Player.objects.create(name="by a record"))


def test_an_erasure_is_final(world: Outside) -> None:
    ann = person(funds=None)
    made = forget(ann)
    with pytest.raises(IntegrityError, match="erasure_is_final"), transaction.atomic():
        made.delete()
    with pytest.raises(IntegrityError, match="erasure_is_final"), transaction.atomic():
        Erasure.objects.update(reason="another")


def test_a_record_of_others_is_as_final_as_ever(world: Outside) -> None:
    lived(world, opponent=person("bob"))
    with pytest.raises(IntegrityError, match="record_is_final"), transaction.atomic():
        Record.objects.update(text="")
    with pytest.raises(IntegrityError, match="event_is_final"), transaction.atomic():
        InboxEvent.objects.update(body=b"other")


def test_the_command_erases_and_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    ann, by = person(funds=None), operator().username
    with pytest.raises(CommandError, match="no player"):
        call_command("erase_player", "ann", "--by", by, "--reason", "x")
    with pytest.raises(CommandError, match="no operator"):
        call_command("erase_player", str(ann.pk), "--by", "ann", "--reason", "x")
    with pytest.raises(CommandError, match="within the 1826 days"):
        call_command("erase_player", str(ann.pk), "--by", by, "--reason", "x")
    call_command("erase_player", str(ann.pk), "--by", by, "--reason", "the law asks for it", "--force")
    assert f"{ann.pk} was erased" in capsys.readouterr().out
    assert Player.objects.get().name.startswith("erased-")


def test_an_operator_erases_in_the_admin(client: Client) -> None:
    ann, rich = person(funds=None), person("bob")
    client.force_login(operator())
    add = reverse("admin:privacy_erasure_add")
    refused = client.post(add, {"player": str(rich.pk), "reason": "the law asks for it", "forced": "on"})
    assert "100.00 USD in wallet" in refused.content.decode()
    said = {"player": str(ann.pk), "reason": "the law asks for it"}
    assert "within the 1826 days" in client.post(add, said).content.decode()
    assert client.post(add, {**said, "forced": "on"}).status_code == 302
    assert Erasure.objects.get().by == operator()
    assert client.get(reverse("admin:privacy_erasure_changelist"), {"q": "ann"}).status_code == 200
    assert client.get(reverse("admin:privacy_erasure_change", args=[ann.pk])).status_code == 200
