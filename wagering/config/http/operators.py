"""The operators' log-in at /admin/: as hard to guess at as the players'."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from unfold.forms import AuthenticationForm

from games.access import lockout
from games.access.hashing import TooManyPasswords
from games.access.lockout import Attempt, TooManyFailures
from wagering.config.http import rates
from wagering.config.http.clients import address_of, at_address


class LogInForm(AuthenticationForm):
    """Counts by the name and by the address, as a player's log-in does. A login that is no operator's is a failure."""

    def clean(self) -> Any:
        assert self.request is not None, "Django gives it"
        now = timezone.now()
        attempt = Attempt(
            name=self.cleaned_data.get("username", ""), address=address_of(self.request), whose="operator"
        )
        try:
            rates.take(client=at_address(self.request), rate="log_in")
            lockout.begin(attempt, at=now)
            cleaned = super().clean()
        except TooManyFailures as refusal:
            raise ValidationError(_later(refusal.retry_at), code="too_many_failures") from refusal
        except rates.TooManyRequests as refusal:
            raise ValidationError(str(refusal), code="too_many_requests") from refusal
        except TooManyPasswords as refusal:
            lockout.taken_back(attempt)
            raise ValidationError("The service is busy. Try again in a moment.", code="busy") from refusal
        lockout.succeeded(attempt, at=now)
        return cleaned


def _later(retry_at: datetime) -> str:
    return (
        f"Logging in has failed too often by this name or from this address. Try again after {retry_at:%H:%M:%S} UTC."
    )
