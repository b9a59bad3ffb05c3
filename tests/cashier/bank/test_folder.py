"""A bank that is reached by files: an order is there whole or not at all, and what was read is put away."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from wagering.cashier.bank.connection import BankSilent, Document
from wagering.cashier.bank.folder import FolderBank


def test_orders_go_out_and_files_come_in(tmp_path: Path, settings: Settings) -> None:
    settings.BANK_FOLDER = str(tmp_path / "bank")
    bank = FolderBank()
    assert not bank.has(message="B1")
    bank.submit(message="B1", file=b"<order/>")
    out = tmp_path / "bank" / "out" / "B1.xml"
    assert out.read_bytes() == b"<order/>"
    assert bank.has(message="B1")
    out.rename(tmp_path / "bank" / "sent" / "B1.xml")  # somebody carried it to the bank
    assert bank.has(message="B1")
    assert bank.documents() == []
    (tmp_path / "bank" / "in" / "s.xml").write_bytes(b"<statement/>")
    assert bank.documents() == [Document("s.xml", b"<statement/>")]
    bank.taken(name="s.xml")
    bank.taken(name="s.xml")
    assert bank.documents() == []
    assert (tmp_path / "bank" / "done" / "s.xml").exists()


def test_a_folder_that_cannot_be_written_is_a_bank_that_is_silent(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "bank").write_text("no folder")
    settings.BANK_FOLDER = str(tmp_path / "bank")
    with pytest.raises(BankSilent):
        FolderBank().submit(message="B1", file=b"<order/>")
