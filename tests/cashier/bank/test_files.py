"""A file that an operator brings acts when another has brought the same; what the connection fetched acts at once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client

from games.models import User
from tests.cashier.bank.test_reading import entry, statement
from tests.cashier.bank.test_transfers import operator, proves, reference
from tests.cashier.banking import OURS, reads
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import WAITS, account, asked, fresh, winner
from tests.factories import person, wallet
from wagering.cashier.bank import imports
from wagering.cashier.bank.admin import LONGEST
from wagering.cashier.bank.models import BankEntry, ClosingBalance, Statement
from wagering.cashier.payouts import batches, outcomes, services

pytestmark = pytest.mark.django_db


def file(text: str = "for chips") -> bytes:
    return statement(entry()).replace(b"DE89", OURS.encode()).replace(b"RF 18", text.encode())


def test_one_operator_makes_no_money_with_a_file(bank: Outside) -> None:
    ann, one = person(funds=None), operator()
    body = file(reference(bank, ann))
    for _ in range(2):
        imports.take(body=body, name="s.xml", at=bank.at, by=one)
    reads(bank)
    waits = Statement.objects.get()
    assert (waits.done_at, waits.entries, BankEntry.objects.count()) == (None, 1, 0)
    assert wallet(ann, "EUR") == 0
    another = operator()
    for by in (another, one, operator()):
        imports.take(body=body, name="other.xml", at=bank.at, by=by)
    reads(bank)
    done = Statement.objects.get()
    assert (done.brought_by, done.confirmed_by, done.done_at, done.new) == (one, another, bank.at, 1)
    assert wallet(ann, "EUR") == 20
    proves()


def test_what_the_bank_has_too_needs_no_second_operator(bank: Outside) -> None:
    body = file()
    imports.take(body=body, name="s.xml", at=bank.at, by=operator())
    imports.take(body=body, name="s.xml", at=bank.at)
    found = Statement.objects.get()
    assert (found.fetched, found.confirmed_by, found.done_at, BankEntry.objects.count()) == (True, None, bank.at, 1)


def test_one_operator_makes_no_payout_fail_that_the_bank_has(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann, WAITS))
    services.screen(payout=payout.pk, at=bank.at)
    batch = batches.make(currency="EUR", at=bank.at)
    assert batch
    batches.submit(batch=batch.pk, at=bank.at)
    refusal = (
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>'
        f"<OrgnlMsgId>{batch.message}</OrgnlMsgId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>"
    ).encode()
    one = operator()
    for by, state in ((one, "submitted"), (one, "submitted"), (operator(), "failed")):
        imports.take(body=refusal, name="f.xml", at=bank.at, by=by)
        outcomes.settle(attempt=payout.attempts.get().pk, at=bank.at)
        assert fresh(payout).state == state


def test_who_is_no_active_operator_brings_nothing(bank: Outside) -> None:
    gone = User.objects.create(username="gone", is_staff=True, is_active=False)
    for nobody in (gone, User.objects.create(username="nobody")):
        with pytest.raises(imports.NotTaken, match="by:"):
            imports.take(body=file(), name="s.xml", at=bank.at, by=nobody)


def refused(**change: Any) -> None:
    with pytest.raises(IntegrityError, match="statement_is_"), transaction.atomic():
        Statement.objects.update(**change)


def test_who_brought_it_stays_and_is_two(bank: Outside) -> None:
    one = operator()
    imports.take(body=file(), name="s.xml", at=bank.at, by=one)
    refused(confirmed_by=one, done_at=bank.at)
    refused(done_at=bank.at)
    refused(brought_by=operator())
    refused(sha256="0" * 64)
    imports.take(body=file(), name="s.xml", at=bank.at)
    refused(done_at=None)
    refused(fetched=False, confirmed_by=operator())


def test_two_operators_bring_a_file_in_the_admin(bank: Outside) -> None:
    one, another = Client(), Client()
    for client in (one, another):
        client.force_login(User.objects.create_superuser(username=uuid4().hex))
    for client in (one, one):
        brought = SimpleUploadedFile("s.xml", file())
        assert client.post("/admin/bank/statement/add/", {"file": brought}).status_code == 302
    assert "files of the bank to bring a second time" in one.get("/admin/").content.decode()
    assert not BankEntry.objects.exists() and not ClosingBalance.objects.exists()
    assert another.post("/admin/bank/statement/add/", {"file": SimpleUploadedFile("s", file())}).status_code == 302
    assert BankEntry.objects.count() == 1
    assert one.get(f"/admin/bank/statement/{Statement.objects.get().pk}/change/").status_code == 200


def test_a_file_that_is_too_long_is_refused_before_it_is_read(bank: Outside, client: Client) -> None:
    client.force_login(User.objects.create_superuser(username="boss"))
    long = SimpleUploadedFile("s.xml", b" " * (LONGEST + 1))
    assert "is longer than" in client.post("/admin/bank/statement/add/", {"file": long}).content.decode()
