"""A wallet is put right by two operators, once, however often they click; the book and the rows say the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from games.models import Player, User
from ledger import book, postings
from ledger.book import InsufficientFunds
from tests.cashier.adjustments.adjusted import adjusted, operator
from tests.factories import NOON, person, wallet
from tests.ledger.proving import prove
from wagering.audit.overview import adjustments_to_confirm
from wagering.cashier.adjustments import proofs, services
from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.adjustments.services import NotAdjusted
from wagering.rest.retries import outermost

pytestmark = pytest.mark.django_db


def asked(player: Player, amount: str = "25.00", **otherwise: Any) -> Adjustment:
    said: dict[str, Any] = {
        "player": player, "direction": "credit", "amount": Decimal(amount), "currency": "USD",
        "refers_to": "ticket 7", "reason": "a lost deposit", "by": operator(), "at": NOON,
    }  # fmt: skip
    return services.propose(**(said | otherwise))


def confirmed(adjustment: Adjustment, by: str = "another") -> Adjustment:
    return services.confirm(adjustment=adjustment.pk, by=operator(by), at=NOON)


def proves() -> None:
    prove()
    assert proofs.adjustments_are_posted().holds, proofs.adjustments_are_posted()


def test_one_proposes_and_another_confirms() -> None:
    ann = person()
    adjustment = asked(ann)
    assert wallet(ann) == Decimal("100.00")
    with pytest.raises(NotAdjusted, match="the operator who asked"):
        confirmed(adjustment, "operator")
    for _ in range(2):
        confirmed(adjustment)
    confirmed(adjustment, "a third")
    assert wallet(ann) == Decimal("125.00")
    adjustment.refresh_from_db()
    assert adjustment.confirmed_by == operator("another")
    proves()


def test_the_same_again_is_the_first_and_another_of_the_same_is_refused() -> None:  # case 4
    ann = person()
    assert asked(ann) == asked(ann)
    for otherwise in ({"amount": Decimal("2.50")}, {"direction": "debit"}, {"by": operator("another")}):
        with pytest.raises(NotAdjusted, match="ticket 7 was adjusted for already"):
            asked(ann, **otherwise)
    confirmed(asked(ann))
    assert asked(ann).done_at == NOON
    assert asked(person("bob")) != asked(ann)
    assert Adjustment.objects.count() == 2


def test_what_was_proposed_wrongly_is_withdrawn_and_proposed_anew() -> None:
    ann = person()
    wrong = asked(ann, "250.00")
    for _ in range(2):
        services.withdraw(adjustment=wrong.pk, by=operator("another"), at=NOON)
    for by in ("another", "operator", "a third"):
        with pytest.raises(NotAdjusted, match="another has withdrawn it"):
            confirmed(wrong, by)
    right = confirmed(asked(ann))
    assert right != wrong
    with pytest.raises(NotAdjusted, match="another has confirmed it"):
        services.withdraw(adjustment=right.pk, by=operator(), at=NOON)
    with pytest.raises(NotAdjusted, match="by:"):
        services.withdraw(adjustment=asked(ann, refers_to="a letter").pk, by=User.objects.create(username="x"), at=NOON)
    assert wallet(ann) == Decimal("125.00")
    proves()


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({"refers_to": " "}, "what it refers to"),
        ({"reason": ""}, "reason"),
        ({"amount": Decimal(0)}, "nothing to put right"),
        ({"direction": "sideways"}, "neither credit nor debit"),
    ],
)
def test_what_cannot_be_asked_for(otherwise: dict[str, Any], why: str) -> None:
    with pytest.raises(NotAdjusted, match=why):
        asked(person(), **otherwise)
    assert not Adjustment.objects.exists()


def test_who_may_neither_ask_nor_confirm() -> None:
    ann = person()
    assert ann.user
    ann.user.is_staff = True
    ann.user.save()
    gone = User.objects.create(username="gone", is_staff=True, is_active=False)
    for nobody in (User.objects.create(username="nobody"), gone, ann.user):
        with pytest.raises(NotAdjusted, match="by:"):
            asked(ann, by=nobody)
        with pytest.raises(NotAdjusted, match="by:"):
            services.confirm(adjustment=asked(ann).pk, by=nobody, at=NOON)
    assert wallet(ann) == Decimal("100.00")


def test_no_more_is_taken_than_the_wallet_has() -> None:
    ann = person()
    adjustment = asked(ann, "100.01", direction="debit")
    with pytest.raises(InsufficientFunds), transaction.atomic():
        confirmed(adjustment)
    adjustment.refresh_from_db()
    assert (adjustment.done_at, wallet(ann)) == (None, Decimal("100.00"))
    adjusted(ann, "-40.00")
    adjusted(ann, "7.00", "PLAY")
    assert (wallet(ann), wallet(ann, "PLAY")) == (Decimal("60.00"), Decimal("7.00"))
    proves()


@pytest.mark.django_db(transaction=True)
def test_many_clicks_at_once_are_one_adjustment_and_one_posting() -> None:
    ann = person()
    one, others = operator(), [operator(f"another {number}") for number in range(2)]

    def at_once(do: Any, *given: Any) -> list[Any]:
        def alone(arguments: Any) -> Any:
            try:
                return outermost(do)(**arguments)
            finally:
                connection.close()

        with ThreadPoolExecutor(len(given)) as hands:
            return list(hands.map(alone, given))

    said = {"player": ann, "direction": "credit", "amount": Decimal(25), "currency": "USD", "at": NOON}
    told = at_once(services.propose, *[{**said, "refers_to": "ticket 7", "reason": "lost", "by": one}] * 4)
    assert len({each.pk for each in told}) == 1
    at_once(services.confirm, *[{"adjustment": told[0].pk, "by": by, "at": NOON} for by in others * 2])
    assert wallet(ann) == Decimal("125.00")
    proves()


def test_it_is_final_and_takes_two() -> None:
    said = r"adjustment_is_(final|confirmed_by_another|withdrawn_before_it_is_done)"

    def refused(**change: Any) -> None:
        with pytest.raises(DatabaseError, match=said), transaction.atomic():
            Adjustment.objects.update(**change)

    adjustment = asked(person())
    refused(withdrawn_at=NOON)
    refused(withdrawn_at=NOON, withdrawn_by=operator(), done_at=NOON, confirmed_by=operator("another"))
    with transaction.atomic():
        services.withdraw(adjustment=adjustment.pk, by=operator(), at=NOON)
        refused(withdrawn_at=None, withdrawn_by=None)
        refused(done_at=NOON, confirmed_by=operator("another"))
        transaction.set_rollback(True)
    refused(amount=Decimal(5))
    refused(done_at=NOON)
    refused(done_at=NOON, confirmed_by=operator())
    confirmed(adjustment)
    refused(reason="other")
    refused(done_at=None, confirmed_by=None)
    with pytest.raises(DatabaseError, match="adjustment_is_final"), transaction.atomic():
        Adjustment.objects.all().delete()


def test_what_one_of_the_two_does_not_know_is_found() -> None:
    ann = person()
    about: dict[str, Any] = {"player": ann.pk, "currency": "USD", "operator": uuid4(), "reason": "x", "at": NOON}
    stray = postings.manual_adjustment(adjustment=uuid4(), direction="credit", amount=Decimal(5), **about)
    with transaction.atomic():
        book.post(stray)
        assert f"{stray.key}, no row tells of it" in (proofs.adjustments_are_posted().fault or "")
        transaction.set_rollback(True)
    done = {"confirmed_by": operator("another"), "done_at": NOON}
    row = Adjustment.objects.filter(pk=asked(ann).pk)
    row.update(**done)
    assert "the book moved something else" in (proofs.adjustments_are_posted().fault or "")


# --- in the admin -----------------------------------------------------------------------------------------------------


def client_of(name: str) -> Client:
    made = Client()
    made.force_login(User.objects.create(username=name, is_staff=True, is_superuser=True))
    return made


def test_operators_propose_and_confirm_in_the_admin() -> None:
    ann, one, another = person(), client_of("operator"), client_of("another")
    add, listed = (reverse(f"admin:adjustments_adjustment_{page}") for page in ("add", "changelist"))
    said = {
        "player": str(ann.pk), "direction": "credit", "amount": "25.00", "currency": "USD",
        "refers_to": "ticket 7", "reason": "a lost deposit",
    }  # fmt: skip
    for _ in range(2):
        assert one.post(add, said).status_code == 302
    assert "ticket 7 was adjusted for already" in one.post(add, {**said, "amount": "2.50"}).content.decode()
    assert "is finer than USD" in one.post(add, {**said, "amount": "0.001"}).content.decode()
    assert "This field is required" in one.post(add, {**said, "refers_to": " "}).content.decode()
    adjustment = Adjustment.objects.get()
    assert "adjustments waiting for a second operator" in one.get("/admin/").content.decode()
    chosen = {"action": "confirm", "_selected_action": [str(adjustment.pk)]}
    for client, holds in ((one, "100.00"), (another, "125.00"), (another, "125.00")):
        assert client.post(listed, chosen).status_code == 302
        assert wallet(ann) == Decimal(holds)
    typo = {**said, "refers_to": "ticket 8"}
    assert one.post(add, typo).status_code == 302
    chosen = {"action": "withdraw", "_selected_action": [str(Adjustment.objects.get(refers_to="ticket 8").pk)]}
    assert adjustments_to_confirm(at=NOON).rows.count() == 1
    assert "withdrawn, and can be proposed anew" in one.post(listed, chosen, follow=True).content.decode()
    assert adjustments_to_confirm(at=NOON).rows.count() == 0
    assert one.post(add, {**typo, "amount": "2.50"}).status_code == 302
    page = reverse("admin:adjustments_adjustment_change", args=[adjustment.pk])
    assert one.get(page).status_code == 200
    assert one.post(page, {**said, "amount": "30.00"}).status_code == 403
    assert one.post(reverse("admin:adjustments_adjustment_delete", args=[adjustment.pk])).status_code == 403
    proves()
