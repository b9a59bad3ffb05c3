"""What a code means, for whoever writes a client, where the docstring of its exception cannot say it.

That is of Django's and DRF's exceptions, whose docstrings are not ours, and of ours that speak to a programmer here, of
attributes and vouchers.
"""

import inspect
from collections.abc import Mapping
from typing import Final

from django.core import exceptions as django
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions as drf

from games import services as games
from games.access import lockout, names, room_keys
from games.access import services as access
from games.live import services as live
from games.live.rules.wishes import BadAction
from games.rules import board, clock, ids, notation, record_reading, refusals
from ledger import book, money
from wagering.rest import etags
from wagering.stakes import rules as terms
from wagering.stakes import services as stakes

_UNREADABLE: Final = "The body or the address cannot be read, or could be read in more than one way."
_TOO_LARGE: Final = "The body is longer than this address takes."
_NOT_ALLOWED: Final = "The credential does not allow this."
_NOTHING_HERE: Final = "There is nothing here, or nothing that is yours."
_NO_CREDENTIAL: Final = "No credential was sent, or none that is valid any more."
_NO_DATABASE: Final = "The database does not answer. Ask again in a moment, with the same key."

WORDS: Final[Mapping[type[BaseException], str]] = {
    drf.ParseError: _UNREADABLE,
    django.BadRequest: _UNREADABLE,
    django.SuspiciousOperation: _UNREADABLE,
    django.RequestDataTooBig: _TOO_LARGE,
    drf.ValidationError: "A field is missing, wrong or not known here; `errors` say which and why.",
    drf.AuthenticationFailed: _NO_CREDENTIAL,
    drf.NotAuthenticated: _NO_CREDENTIAL,
    drf.PermissionDenied: _NOT_ALLOWED,
    django.PermissionDenied: _NOT_ALLOWED,
    drf.NotFound: _NOTHING_HERE,
    Http404: _NOTHING_HERE,
    django.ObjectDoesNotExist: _NOTHING_HERE,
    drf.MethodNotAllowed: "This address does not know that method; `Allow` names those that it knows.",
    drf.NotAcceptable: "Only `application/json` is given.",
    drf.UnsupportedMediaType: "Only `application/json` is read.",
    drf.Throttled: "The client has used its allowance up; `Retry-After` says when to ask again.",
    OperationalError: _NO_DATABASE,
    InterfaceError: _NO_DATABASE,
    etags.VersionPassed: "It was changed since you read it. The `ETag` of the answer is that of the present version.",
    book.Refused: "The book does not take this movement of money; nothing was moved.",
    book.InsufficientFunds: "A wallet holds too little. If it is yours, `balance` and `needed` say how much.",
    book.KeyReused: "The book has this already, with another content.",
    book.UnknownHold: "What is to be paid out was never set aside.",
    book.HoldClosed: "What was set aside has been paid out or given back already.",
    book.HoldExists: "This was set aside already.",
    book.HoldsDiffer: "What is paid out is not what was set aside.",
    book.UnknownKey: "The book has no such movement of money.",
    book.NotReversible: "What was undone is not undone again.",
    money.InvalidAmount: "Not an exact amount of its currency: plain digits and one point, as text.",
    games.RecordRefused: "The record contradicts the rules or itself; `detail` names game, line, play and reason.",
    games.RecordDiffers: "The record is of another contest than this table's; `detail` names what differs.",
    board.ImpossiblePosition: "No game of backgammon has this board; `detail` says why.",
    ids.BadId: "The text is no such ID, or the ID cannot say this; `detail` says why.",
    record_reading.UnreadableRecord: "Something in the text is no match record; `detail` says in which line.",
    notation.UnreadablePlay: "The text is no play at all, whatever the position.",
    notation.IllegalPlay: "The rules do not allow the play with these dice; `detail` says why.",
    refusals.RuleBroken: "Something that the rules do not allow; `detail` says which and why.",
    clock.ImpossibleClock: "A clock that gives nobody any time; `move_s` and `reserve_s` are its two parts.",
    access.PasswordRefused: "The new password is too easy to guess, or too long.",
    names.NameRefused: "Nobody can be called that; `detail` says which rule the name breaks.",
    lockout.TooManyFailures: "Logging in has failed too often; `retry_at` is when it may be tried again.",
    room_keys.SignatureUnreadable: "The Authorization header is not written as roomSignature says.",
    live.StaleVersion: "The action was thought of at an earlier state; `state` is the present one.",
    BadAction: "No action that there is; `detail` says what is wrong with it.",
    terms.InvalidTerms: "Terms under which no table is made; `errors` name the term and what it breaks.",
    stakes.StakeClosed: "The stakes have been paid out or given back.",
}


def meaning(refusal: type[BaseException]) -> str:
    """One or two sentences for the API's page: the exception's own first ones, or those above."""
    told = WORDS.get(refusal) or inspect.getdoc(refusal) or ""
    return " ".join(told.split("\n\n")[0].split()).replace("``", "`")
