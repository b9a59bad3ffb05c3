"""A player registers, logs in and out, and changes the password."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import password_validation
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied

from games.access import hashing, lockout, names
from games.access.lockout import Attempt
from games.access.models import LoginName, PlayerToken
from games.models import Player, User

PASSWORD_LENGTH_MAX: Final = 128
"""Hashing is slow on purpose; nobody may make it slower by sending a book."""
TOKENS_MAX: Final = 20
"""Clients of one player; one more ends the oldest."""


class NameTaken(ValueError):
    """Somebody has that name already, or one that looks like it."""

    field = "name"

    def __init__(self, name: str) -> None:
        super().__init__(f"name: {name} is taken, or looks like one that is")


class PasswordRefused(ValueError):
    """The new password is too easy to guess, or too long. ``field`` is what the door calls it."""

    def __init__(self, *, field: str, reasons: list[str]) -> None:
        super().__init__(f"{field}: " + " ".join(reasons))
        self.field = field


class LogInRefused(AuthenticationFailed):
    """Name or password is wrong; it is not said which, nor whether the name exists."""

    def __init__(self) -> None:
        super().__init__("name or password is wrong")


class StaffMayNotPlay(PermissionDenied):
    """Operators can see the dice of a game that is on, so they never play (F)."""

    def __init__(self) -> None:
        super().__init__("an operator's login cannot play: register a login without the operator's rights")


class PasswordWrong(ValueError):
    """It is not the password in force."""

    field = "current_password"

    def __init__(self) -> None:
        super().__init__("current_password: it is not your password")


class TokenUnknown(ValueError):
    """None of the player's tokens has that id: never had, expired, or revoked before."""

    def __init__(self, token: UUID) -> None:
        super().__init__(f"token: you have none with the id {token}")


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """A client that has just been let in. ``token`` is the text to send, of which only a hash is kept in ``row``."""

    row: PlayerToken
    token: str
    player: Player


def register(*, name: str, password: str, at: datetime) -> Player:
    """A new player with a login. Raises NameRefused, NameTaken, PasswordRefused, TooManyPasswords."""
    shown = names.shown(name)
    user = User(username=shown, date_joined=at)
    _check_password(password, user, field="password")
    key = names.key(shown)
    # Whoever has no login is not to be mistaken for this one, nor is an operator, who has no key.
    if Player.objects.filter(key=key).exists() or User.objects.filter(username__iexact=shown).exists():
        raise NameTaken(shown)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            LoginName.objects.create(user=user, key=key)
            return Player.objects.create(name=shown, key=key, user=user)
    except IntegrityError as error:  # a rival registered it meanwhile
        raise NameTaken(shown) from error


def log_in(*, name: str, password: str, label: str, address: str, at: datetime) -> LoggedIn:
    """A new token for the client that the player calls ``label``.

    It takes as long for a name that nobody has: a password is hashed either way.
    Raises TooManyFailures, TooManyPasswords, LogInRefused, StaffMayNotPlay (to whoever knows the password).
    """
    attempt = Attempt(name=name, address=address)
    lockout.begin(attempt, at=at)
    found = User.objects.select_related("player").filter(login_name__key=names.key(name), player__isnull=False)
    user = found.first()
    if not _knows_password(user, password, attempt) or user is None or not user.is_active:
        raise LogInRefused
    lockout.succeeded(attempt, at=at)
    if not user.may_play:
        raise StaffMayNotPlay
    with transaction.atomic():
        # A password that is being changed ends the tokens it gave, as does a login that is being shut: whoever comes
        # after the change is refused.
        now = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if now.password != user.password or not now.is_active:
            raise LogInRefused
        row, text = PlayerToken.objects.create(user=user, label=label)  # type: ignore[no-untyped-call]
        beyond = PlayerToken.objects.filter(user=user).order_by("-created", "id")[TOKENS_MAX:]
        if ended := [token.id for token in beyond]:
            PlayerToken.objects.filter(user=user, id__in=ended).delete()
            _end_elsewhere(user.player, at=at, clients=ended)
    return LoggedIn(row=row, token=text, player=user.player)


def revoke(*, user: User, token: UUID, at: datetime) -> None:
    """That client is out, from its next request on, and so is what it let in elsewhere. Raises TokenUnknown."""
    with transaction.atomic():
        deleted, _ = PlayerToken.objects.filter(user=user, id=token).delete()
        if not deleted:
            raise TokenUnknown(token)
        _end_elsewhere(user.player, at=at, clients=[token])


def revoke_all(*, user: User, at: datetime, but: PlayerToken | None = None) -> int:
    """Every client of the player is out, save the one with the token ``but``; how many.

    What the player let in elsewhere ends with them: whatever settings.LOG_OUT_ENDS names.
    """
    with transaction.atomic():
        tokens = PlayerToken.objects.filter(user=user)
        deleted, _ = (tokens.exclude(pk=but.pk) if but else tokens).delete()
        for player in Player.objects.filter(user=user):
            _end_elsewhere(player, at=at, clients=None)
    return int(deleted)


def _end_elsewhere(player: Player, *, at: datetime, clients: list[UUID] | None) -> None:
    for path in settings.LOG_OUT_ENDS:
        import_string(path)(player=player, at=at, clients=clients)


def change_password(*, user: User, token: PlayerToken, current: str, new: str, address: str, at: datetime) -> None:
    """As ``revoke_all`` but for ``token``, the one who asks.

    A wrong ``current`` counts as a failure to log in: a stolen token is no way to guess the password.
    Raises PasswordRefused, before anything is hashed, TooManyFailures, TooManyPasswords, PasswordWrong.
    """
    _check_password(new, user, field="new_password")
    attempt = Attempt(name=user.username, address=address)
    lockout.begin(attempt, at=at)
    if not _knows_password(user, current, attempt):
        raise PasswordWrong
    lockout.succeeded(attempt, at=at)
    hashed = make_password(new)
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if locked.password != user.password:  # another client changed it while this one was being hashed
            raise PasswordWrong
        locked.password = hashed
        locked.save(update_fields=("password",))
        revoke_all(user=user, at=at, but=token)


def forget_expired(*, at: datetime) -> int:
    """Delete the tokens that have expired a day ago; how many. They let nobody in before either."""
    deleted, _ = PlayerToken.objects.filter(expiry__lte=at - timedelta(days=1)).delete()
    return int(deleted)


def _knows_password(user: User | None, password: str, attempt: Attempt) -> bool:
    """One password is hashed, whoever asks; one that is too long is nobody's. What is not looked at is no failure."""
    password = password if len(password) <= PASSWORD_LENGTH_MAX else ""
    try:
        if user is None:
            User().set_password(password)
            return False
        return user.check_password(password)
    except hashing.TooManyPasswords:
        lockout.taken_back(attempt)
        raise


def _check_password(password: str, user: User, *, field: str) -> None:
    if len(password) > PASSWORD_LENGTH_MAX:
        raise PasswordRefused(field=field, reasons=[f"This password is longer than {PASSWORD_LENGTH_MAX} characters."])
    try:
        password_validation.validate_password(password, user)
    except ValidationError as error:
        raise PasswordRefused(field=field, reasons=list(error.messages)) from error
