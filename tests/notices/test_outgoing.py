"""Notices on their way to operators' servers, which fail in every way they can: signed, at least once, in the end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from games.models import Player, User
from tests.factories import person
from tests.notices.receivers import ENDLESS, SILENT, Receiver, receiver
from wagering.notices import addresses, endpoints, outgoing, sending, services, signing, tasks
from wagering.notices.models import Delivery, Endpoint, Notice
from wagering.rest import sweeps

pytestmark = pytest.mark.django_db


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def endpoint(there: Receiver, *kinds: str) -> Endpoint:
    return endpoints.make(name="backoffice", url=there.url + "/hooks", kinds=kinds, at=timezone.now())


def tells(player: Player | None = None, *, at: datetime | None = None) -> Notice:
    with transaction.atomic():
        return services.tell(
            kind="deposit_succeeded",
            data={"deposit": uuid4(), "amount": Decimal("50.00"), "currency": "EUR"},
            player=player or person(),
            at=at or timezone.now(),
        )


def sends(made: Endpoint, *, at: datetime | None = None) -> bool:
    return outgoing.send_next(endpoint=made.pk, at=at or timezone.now())


def fresh(made: Endpoint) -> Endpoint:
    return Endpoint.objects.get(pk=made.pk)


def test_an_endpoint_is_told_once_and_can_verify_it(there: Receiver) -> None:
    made, ann = endpoint(there), person()
    told = tells(ann)
    assert sends(made)
    assert not sends(made)
    ((headers, body),) = there.came
    assert Webhook(signing.secret_of(made)).verify(body, headers) == {
        "type": "deposit_succeeded",
        "timestamp": told.at.isoformat().replace("+00:00", "Z"),
        "data": {**told.data, "player": str(ann.pk)},
    }
    assert headers["webhook-id"] == str(told.pk)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.attempts) == ("delivered", 204, 1)
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_" + "A" * 44).verify(body, headers)


def test_what_is_not_told_by_name_is_not_sent(there: Receiver) -> None:
    made = endpoint(there, "payout_paid")
    tells()
    assert not sends(made)
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("answer", [500, 503, 429, SILENT])
def test_an_endpoint_that_does_not_answer_is_left_alone_and_asked_again(
    there: Receiver, answer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if answer == SILENT:
        monkeypatch.setattr(sending, "ALTOGETHER_S", 2)
    there.answers = [answer, 200]
    made, at = endpoint(there), timezone.now()
    tells(at=at), tells(at=at)
    assert not sends(made, at=at)
    assert not sends(made, at=at + timedelta(seconds=29))  # nor the other notice
    assert len(there.came) == 1
    later = at + timedelta(seconds=30)
    assert made in outgoing.due(at=later)
    while sends(made, at=later):
        pass
    assert [delivery.state for delivery in Delivery.objects.all()] == ["delivered"] * 2
    assert (fresh(made).failures, fresh(made).failing_since, fresh(made).quiet_until) == (0, None, None)
    ids = [headers["webhook-id"] for headers, _ in there.came]
    assert len(ids) == 3 and len(set(ids)) == 2  # repeated under the same id


@pytest.mark.parametrize("answer", [301, 302, 307, 308])
def test_a_redirect_is_followed_nowhere(there: Receiver, answer: int) -> None:
    there.answers = [answer]
    made = endpoint(there)
    tells()
    sends(made)
    assert len(there.came) == 1
    assert (Delivery.objects.get().state, Delivery.objects.get().status) == ("waiting", answer)


def test_a_notice_that_is_not_wanted_keeps_no_other_waiting(there: Receiver) -> None:
    there.answers = [400, 200]
    made = endpoint(there)
    tells(), tells()
    assert sends(made)
    assert sends(made)
    assert sorted(delivery.state for delivery in Delivery.objects.all()) == ["delivered", "waiting"]


def test_of_an_answer_nothing_is_read_but_its_status(there: Receiver) -> None:
    there.answers = [ENDLESS]
    made = endpoint(there)
    tells()
    assert sends(made)
    assert Delivery.objects.get().state == "delivered"


def test_nobody_there_is_no_answer(there: Receiver) -> None:
    made = endpoints.make(name="gone", url="http://127.0.0.1:9", at=timezone.now())
    tells()
    assert not sends(made)
    assert (Delivery.objects.get().state, Delivery.objects.get().status) == ("waiting", None)


def test_whoever_dies_while_sending_leaves_it_to_the_next(there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    made, at = endpoint(there), timezone.now()
    tells(at=at)
    with monkeypatch.context() as killed:
        killed.setattr(sending, "post", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            sends(made, at=at)
    assert not sends(made, at=at)  # it may be on its way
    assert sends(made, at=at + timedelta(seconds=outgoing.PAUSES_S[0]))
    assert len(there.came) == 1


def test_a_delivery_is_given_up_after_its_last_try(there: Receiver) -> None:
    there.answers = [400]
    made, at = endpoint(there), timezone.now()
    tells(at=at)
    for pause in outgoing.PAUSES_S:
        sends(made, at=at)
        at += timedelta(seconds=pause)
    assert Delivery.objects.get().state == "given_up"
    assert len(there.came) == len(outgoing.PAUSES_S)
    sends(made, at=at + timedelta(days=1))
    assert len(there.came) == len(outgoing.PAUSES_S)


def test_an_endpoint_that_fails_for_days_is_disabled_and_operators_are_told(
    there: Receiver, settings: Settings
) -> None:
    there.answers = [500]
    made, at = endpoint(there), timezone.now()
    tells(at=at), tells(at=at)
    sends(made, at=at)
    at += timedelta(days=settings.NOTICES_FAIL_FOR_DAYS)
    sends(made, at=at)
    assert fresh(made).disabled_because == "it failed for 5 days"
    told = Notice.objects.get(kind="endpoint_disabled")
    assert (told.player, told.data) == (None, {"endpoint": str(made.pk)})
    assert not outgoing.due(at=at + timedelta(days=1))
    tells(at=at)
    assert Delivery.objects.count() == 2  # nothing more is meant for it
    there.answers = [200]
    endpoints.enable(endpoint=made.pk)
    at += timedelta(days=1)
    while sends(made, at=at):
        pass
    assert {delivery.state for delivery in Delivery.objects.all()} == {"delivered"}


def test_an_endpoint_that_says_it_is_gone_is_disabled_at_once(there: Receiver) -> None:
    there.answers = [410]
    made = endpoint(there)
    tells()
    sends(made)
    assert fresh(made).disabled_because == "it says that it is gone"


def test_two_secrets_are_alive_for_a_day(there: Receiver) -> None:
    made, at = endpoint(there), timezone.now()
    first = signing.secret_of(made)
    made = endpoints.rotate(endpoint=made.pk, at=at)
    second = signing.secret_of(made)
    assert first != second
    told = tells(at=at)

    def verifies(secret: str) -> bool:
        try:
            Webhook(secret).verify(signing.body_of(told), signing.headers_of(told, made, at=at))
        except WebhookVerificationError:
            return False
        return True

    assert verifies(first)
    assert verifies(second)
    a_day_later = signing.headers_of(told, made, at=at + signing.OVERLAP)
    assert len(a_day_later["webhook-signature"].split()) == 1
    made = endpoints.rotate(endpoint=made.pk, at=at)
    assert not verifies(first)
    assert verifies(second)
    assert verifies(signing.secret_of(made))


def test_what_the_secret_was_under_an_earlier_key_signs_too(there: Receiver, settings: Settings) -> None:
    made = endpoint(there)
    before = signing.secret_of(made)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    tells()
    sends(made)
    ((headers, body),) = there.came
    assert Webhook(before).verify(body, headers)
    assert Webhook(signing.secret_of(made)).verify(body, headers)


@pytest.mark.parametrize(
    "url",
    [
        "http://room.example/hooks",
        "http://127.0.0.1.room.example/",
        "http://localhost@room.example/",
        "ftp://room.example/",
        "https://ann:secret@room.example/",
        "https://room.example/#part",
        "https:///hooks",
        "javascript:alert(1)",
        "https://room.example/a b",
        "https://room.example/\n",
    ],
)
def test_an_endpoint_is_somewhere_safe(url: str) -> None:
    with pytest.raises(endpoints.EndpointRefused, match="url"):
        endpoints.make(name="backoffice", url=url, at=timezone.now())


def test_a_server_of_ones_own_machine_is_for_embedded_installations(settings: Settings) -> None:
    settings.EMBEDDED = False
    with pytest.raises(endpoints.EndpointRefused, match="http"):
        endpoints.make(name="backoffice", url="http://localhost:8000/", at=timezone.now())
    endpoints.make(name="backoffice", url="https://room.example/hooks?room=emerald", at=timezone.now())
    with pytest.raises(endpoints.EndpointRefused, match="kinds"):
        endpoints.make(name="backoffice", url="https://room.example/", kinds=["nothing"], at=timezone.now())


@pytest.mark.parametrize(
    ("address", "is_outside"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("::1", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),  # what answers for a cloud
        ("fe80::1%eth0", False),
        ("fd00:ec2::254", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::", False),
        ("224.0.0.1", False),
    ],
)
def test_what_is_inside_is_sent_nothing(address: str, is_outside: bool) -> None:
    assert addresses.is_outside(address) is is_outside


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433"])
def test_a_name_that_leads_inside_is_sent_nothing(there: Receiver, settings: Settings, host: str) -> None:
    url = there.url.replace("127.0.0.1", host)
    settings.NOTICES_HOSTS = []
    assert sending.post(url, body=b"{}", headers={}) is None
    assert not there.came
    settings.NOTICES_HOSTS = [host]
    assert sending.post(url, body=b"{}", headers={}) == 204
    ((headers, _),) = there.came
    assert headers["host"] == url.removeprefix("http://")


def test_where_an_endpoint_is_stays(there: Receiver, client: Client) -> None:
    made = endpoint(there)
    client.force_login(User.objects.create_superuser("boss"))
    said = {"name": "another", "url": "https://elsewhere.example/", "kinds": []}
    assert client.post(f"/admin/notices/endpoint/{made.pk}/change/", said).status_code == 302
    assert (fresh(made).name, fresh(made).url) == ("another", made.url)
    with pytest.raises(IntegrityError, match="endpoint_stays_where_it_is"), transaction.atomic():
        Endpoint.objects.update(url="https://elsewhere.example/")


def test_notices_are_replayed_from_an_instant_on(there: Receiver, capsys: pytest.CaptureFixture[str]) -> None:
    at = timezone.now()
    tells(at=at - timedelta(days=2))
    missed = tells(at=at - timedelta(hours=1))
    made = endpoint(there)  # made after both
    had = tells(at=at)
    sends(made)
    call_command("replay_notices", "--since", (at - timedelta(days=1)).isoformat())
    assert capsys.readouterr().out == "2 deliveries are due\n"
    later = timezone.now()
    while sends(made, at=later):
        pass
    assert there.came[0][0]["webhook-id"] == str(had.pk)
    assert {headers["webhook-id"] for headers, _ in there.came[1:]} == {str(missed.pk), str(had.pk)}
    endpoints.disable(endpoint=made.pk, because="a test", at=at)
    call_command("replay_notices", "--since", "2026-01-01T00:00:00Z")
    assert capsys.readouterr().out == "0 deliveries are due\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--since", "yesterday"], "--since"),
        (["--since", "2026-01-01"], "--since"),
        (["--since", "2026-01-01T00:00:00Z", "--endpoint", "x"], "--endpoint"),
        (["--since", "2026-01-01T00:00:00Z", "--endpoint", str(uuid4())], "--endpoint"),
    ],
)
def test_what_cannot_be_replayed_is_said(arguments: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("replay_notices", *arguments)


def test_the_clock_finds_what_is_due(there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    made = endpoint(there)
    tells(), tells()
    hints: list[Any] = []
    monkeypatch.setattr(sweeps, "hint_again", lambda task, *arguments: hints.append((task, arguments)))
    tasks.look_for_deliveries()
    assert hints == [(tasks.send, (str(made.pk),))]
    tasks.send(str(made.pk))
    assert len(there.came) == 2
    tasks.look_for_deliveries()
    assert len(hints) == 1
