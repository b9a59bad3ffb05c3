"""Out means out: at once, for the whole term, under every account, and by every register."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from games.models import Player
from tests.factories import person
from tests.protection.people import known, now, operator, rejected, told, verdict, verified
from wagering.protection import aml, gate
from wagering.protection.exclusion import register, services
from wagering.protection.exclusion.rules import months_later
from wagering.protection.exclusion.selectors import standing
from wagering.protection.identity.digests import digest_of
from wagering.protection.models import Exclusion, Identity, Link, RegisterEntry
from wagering.protection.refusals import Excluded

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
TINY = timedelta(microseconds=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def is_out(player: Player, at: datetime) -> bool:
    """Asked of everything that an exclusion keeps from; all say the same."""

    def refused(ask: Callable[[], None]) -> bool:
        try:
            ask()
        except Excluded as refusal:
            return refusal.player == player.pk
        return False

    amount, usd = Decimal(1), "USD"
    answers = {
        refused(lambda: gate.check_deposit(player=player, amount=amount, currency=usd, pending=Decimal(0), at=at)),
        refused(lambda: gate.check_stake(player=player, exposure=amount, currency=usd, at=at)),
        refused(lambda: gate.check_stake(player=player, exposure=amount, currency="PLAY", at=at)),
        refused(lambda: gate.check_seat(player=player, exposure=amount, currency=usd, at=at)),
        gate.facts(player=player, at=at).excluded,
    }
    assert len(answers) == 1
    return answers.pop()


def test_a_time_out_holds_from_now_to_its_last_instant() -> None:
    ann, bob = person(), person("bob")
    services.take_time_out(player=ann, hours=24, at=NOON)
    assert is_out(ann, NOON)
    assert is_out(ann, NOON + 24 * HOUR - TINY)
    assert not is_out(ann, NOON + 24 * HOUR)
    assert not is_out(bob, NOON)


@pytest.mark.parametrize("hours", [0, -1, 6 * 7 * 24 + 1])
def test_a_time_out_is_for_six_weeks_at_most(hours: int) -> None:
    with pytest.raises(services.TermRefused):
        services.take_time_out(player=person(), hours=hours, at=NOON)


@pytest.mark.parametrize("months", [0, 5, 61])
def test_an_exclusion_is_for_six_months_at_least(months: int) -> None:
    with pytest.raises(services.TermRefused):
        services.exclude(player=person(), months=months, at=NOON)


@pytest.mark.parametrize(
    ("at", "months", "later"),
    [
        (datetime(2026, 3, 31, 12, tzinfo=UTC), 6, datetime(2026, 9, 30, 12, tzinfo=UTC)),
        (datetime(2027, 8, 31, tzinfo=UTC), 6, datetime(2028, 2, 29, tzinfo=UTC)),
        (datetime(2026, 12, 1, tzinfo=UTC), 12, datetime(2027, 12, 1, tzinfo=UTC)),
    ],
)
def test_months_are_those_of_the_calendar(at: datetime, months: int, later: datetime) -> None:
    assert months_later(at, months) == later


def test_an_exclusion_goes_on_after_its_term_until_the_player_asks_and_a_day_has_passed() -> None:
    ann = person()
    ends = services.exclude(player=ann, months=6, at=NOON).ends_at
    assert ends == datetime(2026, 9, 1, 12, tzinfo=UTC)
    with pytest.raises(services.TermNotOver) as early:
        services.ask_to_lift(player=ann, at=ends - TINY)
    assert early.value.retry_at == ends
    long_after = ends + 5000 * HOUR
    assert is_out(ann, long_after)
    lifting = services.ask_to_lift(player=ann, at=long_after)
    assert lifting.lifts_at == long_after + 24 * HOUR
    assert services.ask_to_lift(player=ann, at=long_after + HOUR).lifts_at == lifting.lifts_at
    assert is_out(ann, long_after + 24 * HOUR - TINY)
    assert not is_out(ann, long_after + 24 * HOUR)
    with pytest.raises(services.NotExcluded):
        services.ask_to_lift(player=ann, at=long_after + 25 * HOUR)


def test_for_good_is_for_good_also_for_an_operator() -> None:
    ann = person()
    out = services.exclude(player=ann, months=None, at=NOON)
    with pytest.raises(services.TermNotOver) as never:
        services.ask_to_lift(player=ann, at=NOON + 100_000 * HOUR)
    assert never.value.retry_at is None
    for change in ({"ends_at": NOON + HOUR}, {"lifts_at": NOON + HOUR, "lift_asked_at": NOON}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Exclusion.objects.filter(pk=out.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Exclusion.objects.filter(pk=out.pk).delete()


def test_an_operators_exclusion_says_why() -> None:
    ann = person()
    services.exclude(player=ann, months=12, at=NOON, operator=operator(), reason="asked by telephone")
    assert is_out(ann, NOON)
    with pytest.raises(IntegrityError):
        services.exclude(player=ann, months=12, at=NOON, operator=operator(), reason=" ")


def test_a_longer_one_is_not_shortened_by_a_time_out_within_it() -> None:
    ann = person()
    services.exclude(player=ann, months=6, at=NOON)
    services.take_time_out(player=ann, hours=1, at=NOON)
    found = standing(player=ann, known=None, at=NOON)
    assert found and found.kind == "exclusion"
    assert is_out(ann, NOON + 2 * HOUR)


def test_a_second_account_of_the_same_person_is_out_too() -> None:
    ann, again = person(), person("bob")
    known(ann, "Ann Example")
    services.exclude(player=ann, months=6, at=now())
    assert not is_out(again, now())
    known(again, "EXAMPLE, Änn")
    assert is_out(again, now())
    known(again, "Somebody Else")  # whoever was excluded stays so, whatever they call themselves afterwards
    assert is_out(again, now())


def test_whoever_tells_a_verified_players_name_shuts_nobody_out_but_themselves() -> None:
    ann, mallory = person(), person("mallory")
    verified(ann)
    claim = known(mallory, "EXAMPLE, Änn")
    aml.unlink(link=Link.objects.get(), by=operator(), reason="they were seen together", at=now())
    services.exclude(player=mallory, months=None, at=now())
    services.look_up(player=ann, at=now())
    assert not is_out(ann, now())
    assert is_out(mallory, now())
    assert "excluded and not verified" in Link.objects.get(looked_at=None).why  # an operator looks whether they are one
    rejected(claim)
    services.look_up(player=ann, at=now())
    assert not is_out(ann, now())
    assert Exclusion.objects.filter(person=ann.pk).count() == 0


def test_what_an_unverified_player_shares_with_one_who_was_rejected_keeps_nobody_out() -> None:
    ann, mallory = person(), person("mallory")
    claim = known(mallory)
    services.exclude(player=mallory, months=None, at=now())
    known(ann)
    assert is_out(ann, now())
    rejected(claim)
    assert not is_out(ann, now())
    known(mallory, "Mal Lory")
    assert not is_out(ann, now())


def test_a_verified_player_is_out_under_every_account_that_is_verified_too() -> None:
    ann, again = person(), person("bob")
    verified(ann)
    services.exclude(player=ann, months=None, at=now())
    claim = known(again)
    assert is_out(again, now())
    verdict(claim)
    assert is_out(again, now())
    assert Exclusion.objects.filter(person=again.pk).count() == 1
    known(again, "Somebody Else")
    assert is_out(again, now())


def test_what_was_taken_over_from_another_is_released_by_two_operators() -> None:
    ann, mallory = person(), person("mallory")
    his = services.exclude(player=mallory, months=None, at=now() - HOUR)
    hers = services.exclude(player=ann, months=None, at=now())  # as it was copied when names alone were compared
    one, other = operator(), operator("another")
    with pytest.raises(services.NotAnothers):
        services.disown(exclusion=his, by=one, reason="it was first", at=now())
    with pytest.raises(services.NotAnothers):
        services.release(exclusion=hers, by=other, at=now())
    services.disown(exclusion=hers, by=one, reason="mallory told her name", at=now())
    with pytest.raises(services.NotAnothers):
        services.release(exclusion=hers, by=one, at=now())
    with pytest.raises(IntegrityError, match="released_by_another"), transaction.atomic():
        Exclusion.objects.filter(pk=hers.pk).update(released_by=one, released_at=now())
    assert is_out(ann, now())
    services.release(exclusion=hers, by=other, at=now())
    services.release(exclusion=hers, by=other, at=now())
    assert not is_out(ann, now())
    assert is_out(mallory, now())


# --- registers --------------------------------------------------------------------------------------------------------

REGISTER = "name,birth_date,until\nAnn Example,1990-05-17,\nBert Beispiel,1980-01-02,2099-12-31\n"


def test_whom_a_register_names_is_out_from_the_import_on() -> None:
    ann, bob = person(), person("bob")
    known(ann)
    known(bob, "Bob Example")
    done = register.import_register(source="national", text=REGISTER, at=now())
    assert (done.new, done.gone, done.excluded) == (2, 0, 1)
    assert is_out(ann, now())
    assert not is_out(bob, now())
    with pytest.raises(Excluded, match="by the register national"):
        gate.check_stake(player=ann, exposure=Decimal(1), currency="USD", at=now())


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("Łukasz Nowak", "Lukasz Nowak"), ("Jürgen Müller", "Juergen Mueller"), ("Muller Jurgen", "Jürgen Müller"),
        ("Søren Østergård", "Soren Oestergaard"), ("Strauß Ann", "Strauss Ann"), ("Liam O'Brien", "Liam OBrien"),
        ("Liam O’Brien", "O Brien, Liam"), ("Đorđe Ilić", "Djordje Ilic"), ("Annemarie Roy", "Roy Anne-Marie"),
    ],
)  # fmt: skip
def test_a_register_finds_a_name_however_it_is_spelt(listed: str, said: str) -> None:
    register.import_register(source="national", text=f'name,birth_date\n"{listed}",1990-05-17\n', at=now())
    known(ann := person(), said)
    known(bob := person("bob"), said, born="1990-05-18")
    assert is_out(ann, now())
    assert not is_out(bob, now())


def test_who_told_their_name_before_spellings_were_kept_is_found() -> None:
    known(ann := person(), "Jürgen Müller")
    Identity.objects.update(spellings=[])
    register.import_register(source="national", text="name,birth_date\nJurgen Muller,1990-05-17\n", at=now())
    services.look_up(player=ann, at=now())
    assert is_out(ann, now())
    known(bob := person("bob"), "Bert Beispiel", born="1980-01-02")
    register.import_register(source="other", text=REGISTER, at=now())
    RegisterEntry.objects.update(spellings=[])
    assert is_out(bob, now())


def test_an_import_twice_changes_nothing() -> None:
    known(person())
    register.import_register(source="national", text=REGISTER, at=now())
    before = list(RegisterEntry.objects.values_list().order_by("pk"))
    again = register.import_register(source="national", text=REGISTER, at=now())
    assert (again.new, again.gone, again.excluded) == (0, 0, 0)
    assert list(RegisterEntry.objects.values_list().order_by("pk")) == before
    assert Exclusion.objects.count() == 1


def test_one_source_does_not_drop_what_another_names() -> None:
    known(ann := person())
    register.import_register(source="national", text=REGISTER, at=now())
    register.import_register(source="other", text="name,birth_date\nSome Body,1970-01-01\n", at=now())
    assert RegisterEntry.objects.filter(removed_at=None).count() == 3
    assert is_out(ann, now())


def test_whom_the_register_drops_may_ask_to_play_again() -> None:
    known(ann := person())
    register.import_register(source="national", text=REGISTER, at=now())
    with pytest.raises(services.TermNotOver):
        services.ask_to_lift(player=ann, at=now())
    dropped = register.import_register(source="national", text="name,birth_date\nBert Beispiel,1980-01-02\n", at=now())
    assert dropped.gone == 1
    assert is_out(ann, now())
    services.ask_to_lift(player=ann, at=now())
    assert not is_out(ann, now() + 24 * HOUR)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name,birth_date\n",
        "who,when\nAnn,1990-05-17\n",
        "name,birth_date\nAnn,17.05.1990\n",
        "name,birth_date\n,1990-05-17\n",
        "name,birth_date,until\nAnn,1990-05-17,soon\n",
    ],
)
def test_a_register_that_is_wrong_changes_nothing(text: str) -> None:
    register.import_register(source="national", text=REGISTER, at=now())
    with pytest.raises(register.UnreadableRegister):
        register.import_register(source="national", text=text, at=now())
    assert RegisterEntry.objects.filter(removed_at=None).count() == 2


def test_whoever_tells_an_excluded_persons_identity_is_excluded() -> None:
    """Case 59: the check is not of registering alone."""
    ann = person()
    register.import_register(source="national", text=REGISTER, at=now())
    known(ann, "Somebody Else")
    assert not is_out(ann, now())
    known(ann, "Ann Example")
    assert is_out(ann, now())
    (kept,) = Exclusion.objects.all()
    assert (kept.by, kept.source) == ("register", "national")
    known(ann, "Somebody Else")
    assert is_out(ann, now())


def test_an_entry_that_came_without_an_exclusion_keeps_out_all_the_same() -> None:
    """As between an import's list and its exclusions, or after a restore."""
    known(ann := person())
    digest = digest_of(name="Ann Example", birth_date=told().birth_date)
    RegisterEntry.objects.create(source="national", digest=digest, until=None, imported_at=now())
    assert is_out(ann, now())
    services.look_up(player=ann, at=now())
    assert Exclusion.objects.count() == 1
    services.look_up(player=ann, at=now())
    assert Exclusion.objects.count() == 1
