"""Publishing tariffs: once, in order, for ever."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, transaction

from wagering.commission import schedule, selectors, services
from wagering.commission.management.commands.check_tariff import Command as CheckTariff
from wagering.commission.models import TariffVersion

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def text(*, version: int = 1, day: str = "2026-01-01", rate: str = "0.05", name: str = "trial") -> str:
    return (
        f'name = "{name}"\nversion = {version}\nvalid_from = {day}\ncurrencies = "any"\n'
        f'[[single.tiers]]\nrate = "{rate}"\n[[series.tiers]]\nrate = "{rate}"\n'
    )


def on(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


@pytest.mark.django_db
class TestPublish:
    def test_a_tariff_is_known_from_its_date_on(self) -> None:
        services.publish(text=text(), at=NOW)
        assert selectors.tariff_at(name="trial", at=on("2026-01-01")).version == 1
        with pytest.raises(schedule.UnknownTariff, match="'trial' is unknown; there are none"):
            selectors.tariff_at(name="trial", at=on("2026-01-01") - timedelta(microseconds=1))

    def test_the_same_text_again_changes_nothing(self) -> None:
        first = services.publish(text=text(), at=NOW)
        again = services.publish(text=text(), at=NOW + timedelta(days=1))
        assert (first.is_new, again.is_new) == (True, False)
        assert again.version == first.version
        assert TariffVersion.objects.count() == 1
        assert TariffVersion.objects.get().published_at == NOW

    def test_a_later_version_takes_over_on_its_date_and_a_table_keeps_its_own(self) -> None:
        old = services.publish(text=text(), at=NOW).version
        services.publish(text=text(version=2, day="2026-06-01", rate="0.04"), at=NOW)
        assert selectors.tariff_at(name="trial", at=on("2026-06-01") - timedelta(seconds=1)) == old
        new = selectors.tariff_at(name="trial", at=on("2026-06-01"))
        assert (new.version, str(selectors.tariff_of(new).single[0].rate)) == (2, "0.04")
        assert str(selectors.tariff_of(old).single[0].rate) == "0.05"
        assert not services.publish(text=text(), at=NOW).is_new

    @pytest.mark.parametrize("change", [{"rate": "0.04"}, {"day": "2026-06-01"}])
    def test_a_changed_text_needs_a_new_version(self, change: dict[str, str]) -> None:
        services.publish(text=text(), at=NOW)
        with pytest.raises(services.TariffVersionChanged, match="version: trial 1 was published on 2026-03-01"):
            services.publish(text=text(**change), at=NOW)  # type: ignore[arg-type]

    @pytest.mark.parametrize("day", ["2026-01-01", "2025-12-31"])
    def test_a_new_version_needs_a_later_date(self, day: str) -> None:
        services.publish(text=text(), at=NOW)
        with pytest.raises(
            services.TariffVersionNotNext, match=f"valid_from: {day} is not later than trial 1's 2026-01-01"
        ):
            services.publish(text=text(version=2, day=day), at=NOW)

    def test_versions_are_counted_on(self) -> None:
        services.publish(text=text(version=2), at=NOW)
        for version in 1, 4:
            with pytest.raises(services.TariffVersionNotNext, match=f"version: {version} does not follow trial 2"):
                services.publish(text=text(version=version, day="2026-07-01"), at=NOW)

    def test_each_cliff_of_a_new_version_is_logged_and_returned(self, caplog: pytest.LogCaptureFixture) -> None:
        text = schedule.shipped()["gammonempire"]
        with caplog.at_level("INFO", logger="wagering.commission.services"):
            publication = services.publish(text=text, at=NOW)
            services.publish(text=text, at=NOW)
        assert [record.message for record in caplog.records] == [
            f"tariff gammonempire 1 has a cliff: {cliff}" for cliff in publication.cliffs
        ]
        assert len(publication.cliffs) == 46

    def test_what_is_no_tariff_is_not_published(self) -> None:
        with pytest.raises(schedule.InvalidTariff, match="rate"):
            services.publish(text=text(rate="5"), at=NOW)
        assert not TariffVersion.objects.exists()

    def test_an_unknown_name_is_told_those_that_exist(self) -> None:
        services.publish_shipped(at=NOW)
        with pytest.raises(schedule.UnknownTariff, match="there are gammonempire, sgames"):
            selectors.tariff_at(name="nosuch", at=NOW)

    def test_what_was_published_is_what_the_package_says(self) -> None:
        services.publish_shipped(at=NOW)
        for name in schedule.shipped():
            assert selectors.tariff_of(selectors.tariff_at(name=name, at=NOW)) == schedule.shipped_tariff(name)


@pytest.mark.django_db
class TestFinal:
    """The database refuses by name; nobody gets past, not even the owner."""

    def test_an_edit_or_a_deletion_is_refused(self) -> None:
        version = services.publish(text=text(), at=NOW).version
        for change in (
            lambda: TariffVersion.objects.filter(pk=version.pk).update(published_at=NOW + timedelta(days=1)),
            version.delete,
            version.save,
        ):
            with pytest.raises(IntegrityError, match="tariff_version_is_final: trial 1"), transaction.atomic():
                change()
        assert TariffVersion.objects.get() == version

    def test_a_text_that_is_not_the_one_of_the_checksum_is_refused(self) -> None:
        with pytest.raises(IntegrityError, match="tariff_version_matches_its_sha256"), transaction.atomic():
            TariffVersion.objects.create(
                name="trial", version=1, valid_from=NOW, text=text(), sha256="0" * 64, published_at=NOW
            )

    def test_a_version_or_a_date_twice_is_refused(self) -> None:
        version = services.publish(text=text(), at=NOW).version
        kept = {"text": version.text, "sha256": version.sha256, "published_at": NOW, "name": "trial"}
        for twice in ({"version": 1, "valid_from": NOW}, {"version": 2, "valid_from": version.valid_from}):
            with pytest.raises(DatabaseError), transaction.atomic():
                TariffVersion.objects.create(**kept, **twice)


@pytest.mark.django_db(transaction=True)
def test_even_the_owner_is_refused_by_name(owner_connection: psycopg.Connection) -> None:
    services.publish(text=text(), at=NOW)
    for statement in ("UPDATE commission_tariffversion SET text = text", "DELETE FROM commission_tariffversion"):
        with pytest.raises(psycopg.errors.RestrictViolation, match="tariff_version_is_final"):
            owner_connection.execute(statement)


@pytest.mark.django_db
def test_publish_tariffs_lists_each_cliff_once_and_may_be_run_again() -> None:
    first, again = StringIO(), StringIO()
    call_command("publish_tariffs", stdout=first)
    call_command("publish_tariffs", stdout=again)
    lines = first.getvalue().splitlines()
    assert lines[0] == "gammonempire 1: published, valid from 2024-01-01; cliffs: 46"
    assert lines[1] == "  USD single: 20.00: fee 1.96, net 18.04; 20.01: fee 1.56, net 18.45: smaller fee"
    assert lines[-1] == "sgames 1: published, valid from 2024-01-01; cliffs: 0"
    assert again.getvalue().splitlines() == [
        "gammonempire 1: had been published, valid from 2024-01-01; cliffs: 46",
        "sgames 1: had been published, valid from 2024-01-01; cliffs: 0",
    ]


def test_check_tariff_lists_the_cliffs_of_a_good_file(tmp_path: Path) -> None:
    file, out = tmp_path / "trial.toml", StringIO()
    file.write_text(schedule.shipped()["gammonempire"])
    call_command("check_tariff", str(file), stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == f"{file}: gammonempire 1 is well formed; cliffs: 46"
    assert lines[2].strip() == "USD single: 100.00: fee 7.80, net 92.20; 100.01: fee 5.80, net 94.21: smaller fee"


def test_check_tariff_names_every_error_with_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, binary, good = tmp_path / "bad.toml", tmp_path / "binary.toml", tmp_path / "good.toml"
    bad.write_text(text(rate="5"))
    binary.write_bytes(b"name = \xff")
    good.write_text(text())
    files = [str(file) for file in (bad, binary, good, tmp_path / "none.toml")]
    with pytest.raises(SystemExit) as ended:
        CheckTariff().run_from_argv(["manage.py", "check_tariff", *files])
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert f'{bad}, [[single.tiers]] number 1, rate: "5" is not under 1' in err
    assert f'{bad}, [[series.tiers]] number 1, rate: "5" is not under 1' in err
    assert f"{binary}: is not UTF-8 at byte 7" in err
    assert f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory" in err
    assert out.splitlines() == [f"{good}: trial 1 is well formed; cliffs: 0"]
