"""What a refusal answers over HTTP: one table, exception -> status and code.

400 is what cannot be read, 422 what was read and is wrong, 409 what may be right at another moment, 404 also what is
not yours to know of. A rule never answers 5xx. A ``code`` is for programs and, once published, never changes. A class
that is not in the table is answered as its nearest parent that is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.core import exceptions as django
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions as drf

from games import services as games
from games.access import authentication, hashing, lockout, names, room_keys
from games.access import services as access
from games.live import services as live
from games.live import sse
from games.live.rows import NotLive
from games.live.rules import course, pace, seeding
from games.live.rules.wishes import BadAction
from games.rules import board, clock, cube, game, ids, notation, plays, record_reading, refusals, replay_game, series
from games.rules import terms as options
from games.selectors import NoSuchRoom
from ledger import book, money
from ratings import services as ratings
from wagering.cashier.bank import references as transfers
from wagering.cashier.bank.rules import iban
from wagering.cashier.bank.rules import names as bank_names
from wagering.cashier.deposits import services as deposits
from wagering.cashier.payouts import accounts as payout_accounts
from wagering.cashier.payouts import services as payouts
from wagering.cashier.providers import protocol as providers
from wagering.cashier.providers import registry
from wagering.commission import rules as commission
from wagering.commission import schedule
from wagering.commission.selectors import RoomHasNoTariff
from wagering.config.http import idempotency, paging, rates, reading
from wagering.play import rooms_dice, rooms_services
from wagering.play.lobby import rules as lobby
from wagering.play.lobby import seats
from wagering.play.lobby import services as offers
from wagering.play.machine import services as machine
from wagering.play.people import services as people
from wagering.play.tables import services as at_table
from wagering.play.wallet import services as play_money
from wagering.protection import refusals as protection
from wagering.protection.exclusion import services as exclusion
from wagering.protection.identity import services as identity
from wagering.protection.identity.rules import NameUnclear
from wagering.protection.limits import services as limits
from wagering.rest import etags, retries
from wagering.rest.problems import Fault, Problem, pointer
from wagering.seamless import refusals as seamless
from wagering.settlement import services as settlement
from wagering.stakes import rules as terms
from wagering.stakes import services as stakes
from wagering.stakes.consent import RoomNotLetIn

SHORT: Final = {"required": "is missing", "null": "is null, and has to be something", "blank": "is empty"}
"""What is said of a field that is wrong in the plainest way, by DRF's code of it."""

SUMMED_MAX: Final = 6
"""Faults that the detail of a problem names; ``errors`` has all of them."""

RETRY_S: Final = 1
"""Seconds after which to ask again when rivals were in the way."""


Asker = Callable[[], UUID | None]
"""Says the id of the player who asks, None for anyone else; not asked unless it matters, since it may take a query."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a refusal is answered. Without ``tell`` its message is the detail.

    ``tell`` is given the refusal and who asks, and changes the problem: detail, errors, headers, further members.
    """

    status: int
    code: str
    tell: Callable[[Any, Asker], Mapping[str, Any]] | None = field(default=None)


def problem_of(refusal: BaseException, *, asker: Asker = lambda: None) -> Problem | None:
    """What ``refusal`` answers, None for one that is not in the table: then we were wrong, and it crashes."""
    answer = answer_to(type(refusal))
    if answer is None:
        return None
    told: dict[str, Any] = {"detail": str(refusal), **_usual(refusal)}
    if answer.tell:
        told |= answer.tell(refusal, asker)
    return Problem(
        status=answer.status,
        code=told.pop("code", answer.code),
        detail=told.pop("detail"),
        errors=tuple(told.pop("errors", ())),
        headers=told.pop("headers", {}),
        more=told,
    )


def answer_to(refusal: type[BaseException]) -> Answer | None:
    """The entry of ``refusal``, or of its nearest parent."""
    return next((ANSWERS[parent] for parent in refusal.__mro__ if parent in ANSWERS), None)


# --- what is told besides the message -------------------------------------------------------------------------------


def _usual(refusal: BaseException) -> dict[str, Any]:
    """What refusals have in common: ``field`` names a member of the body, ``retry_at`` is an instant."""
    told: dict[str, Any] = {}
    name = getattr(refusal, "field", None)
    if isinstance(name, str) and name.isidentifier():
        answer = answer_to(type(refusal))
        assert answer
        told["errors"] = [Fault(code=answer.code, detail=str(refusal), pointer=pointer(name))]
    if retry_at := getattr(refusal, "retry_at", None):
        told["retry_at"] = retry_at
    return told


def _of_the_book(refusal: book.Refused, asker: Asker) -> Mapping[str, Any]:
    return {"detail": str(refusal).removeprefix(f"{refusal.key}: ")}


def _funds(refusal: book.InsufficientFunds, asker: Asker) -> Mapping[str, Any]:
    """Who has too little is told how much; others are told only that it is too little."""
    if refusal.account.owner != asker():
        return {"detail": "A player's wallet holds less than the table asks for."}
    currency = refusal.account.currency
    return {
        "detail": f"Your wallet holds {refusal.balance} {currency}, {refusal.needed} {currency} is needed.",
        "balance": {"amount": str(refusal.balance), "currency": currency},
        "needed": {"amount": str(refusal.needed), "currency": currency},
    }


def _not_covered(refusal: seats.NotCovered, asker: Asker) -> Mapping[str, Any]:
    currency = refusal.currency
    return {
        "balance": {"amount": str(refusal.balance), "currency": currency},
        "needed": {"amount": str(refusal.needed), "currency": currency},
    }


def _limit(refusal: Any, asker: Asker) -> Mapping[str, Any]:
    return {"limit": refusal.limit}


def _again(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
    detail = "The service is busy. Nothing was done; ask again in a moment, with the same Idempotency-Key."
    return {"detail": detail, "headers": {"Retry-After": str(RETRY_S)}}


def _no_database(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
    detail = "The database does not answer. Whether the request was done is not known: ask again with the same key."
    return {"detail": detail, "headers": {"Retry-After": str(5 * RETRY_S)}}


def _silent(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
    detail = "The payment provider does not answer. Ask again in a moment: it is the same payment."
    return {"detail": detail, "headers": {"Retry-After": str(5 * RETRY_S)}}


def _too_many(refusal: rates.TooManyRequests, asker: Asker) -> Mapping[str, Any]:
    return {"limit": refusal.limit, "headers": {"Retry-After": str(refusal.wait_s)}}


def _protected(refusal: protection.Protected, asker: Asker) -> Mapping[str, Any]:
    """Nobody is told why another player may not."""
    if refusal.player != asker():
        return {"code": "may_not_stake", "detail": "A player may not do this now.", "errors": ()}
    return {}


def _of_a_limit(refusal: protection.LimitReached, asker: Asker) -> Mapping[str, Any]:
    hidden = _protected(refusal, asker)
    return hidden or {
        "limit": refusal.limit,
        "window": refusal.window,
        "left": {"amount": str(refusal.left), "currency": refusal.currency},
        "retry_at": refusal.frees_at,
    }


def _out(refusal: protection.Excluded, asker: Asker) -> Mapping[str, Any]:
    hidden = _protected(refusal, asker)
    return hidden or {"until": refusal.standing.ends_at, "source": refusal.standing.source or refusal.standing.by}


def _at(parameter: str) -> Callable[[Any, Asker], Mapping[str, Any]]:
    def tell(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
        answer = answer_to(type(refusal))
        assert answer
        return {"errors": [Fault(code=answer.code, detail=str(refusal), parameter=parameter)]}

    return tell


def _passed(refusal: etags.VersionPassed, asker: Asker) -> Mapping[str, Any]:
    return {"headers": {"ETag": refusal.etag}, **_at("If-Match")(refusal, asker)}


def _log_in(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
    return {"headers": {"WWW-Authenticate": "Bearer"}}


def _present(refusal: live.StaleVersion, asker: Asker) -> Mapping[str, Any]:
    """Whoever came late is told how it stands, and need not ask."""
    return {"state": refusal.state}


def _missing(refusal: BaseException, asker: Asker) -> Mapping[str, Any]:
    return {"detail": "There is nothing here, or nothing that is yours."}


def _method(refusal: drf.MethodNotAllowed, asker: Asker) -> Mapping[str, Any]:
    return {"detail": "This address does not know that method; Allow names those that it knows."}


def _not_json(refusal: drf.UnsupportedMediaType, asker: Asker) -> Mapping[str, Any]:
    return {"detail": "Content-Type: is not what is read here; send application/json."}


def _clock(refusal: clock.ImpossibleClock, asker: Asker) -> Mapping[str, Any]:
    rule = f"move_s and reserve_s are 1 to {pace.SECONDS_MAX} seconds together, or both 0 beside days_a_move"
    wrong = [Fault(code="impossible_clock", detail=rule, pointer=pointer(name)) for name in ("move_s", "reserve_s")]
    return {"detail": rule, "errors": wrong}


def _whole_body(refusal: lobby.NothingChanged, asker: Asker) -> Mapping[str, Any]:
    return {"errors": [Fault(code="nothing_changed", detail=str(refusal), pointer="")]}


def _wrong_fields(refusal: drf.ValidationError, asker: Asker) -> Mapping[str, Any]:
    faults = list(_faults(refusal.detail, ()))
    return {"detail": summed_up(faults), "errors": faults}


def summed_up(faults: Sequence[Fault]) -> str:
    """All that is wrong in a line: "stake: is missing; cap/amount: …"."""
    told = [f"{(fault.pointer or '').strip('/')}: {fault.detail}".removeprefix(": ") for fault in faults[:SUMMED_MAX]]
    more = [f"and {len(faults) - SUMMED_MAX} more"] if len(faults) > SUMMED_MAX else []
    return "; ".join([line.rstrip(".") for line in told] + more)


def _faults(detail: Any, path: tuple[str | int, ...]) -> list[Fault]:
    if isinstance(detail, dict):
        under = {name: path if name == "non_field_errors" else (*path, name) for name in detail}
        return [fault for name, inner in detail.items() for fault in _faults(inner, under[name])]
    if isinstance(detail, list):
        nested = any(isinstance(inner, dict | list) for inner in detail)
        return [fault for at, inner in enumerate(detail) for fault in _faults(inner, (*path, at) if nested else path)]
    code = getattr(detail, "code", "invalid")
    return [Fault(code=code, detail=SHORT.get(code, str(detail)), pointer=pointer(*path))]


# --- the table ------------------------------------------------------------------------------------------------------

ANSWERS: Final[Mapping[type[BaseException], Answer]] = {
    # The request itself
    drf.ParseError: Answer(400, "unreadable"),
    reading.Unreadable: Answer(400, "unreadable"),
    django.BadRequest: Answer(400, "unreadable"),
    django.SuspiciousOperation: Answer(400, "unreadable"),
    django.RequestDataTooBig: Answer(413, "body_too_large"),
    reading.BodyTooLarge: Answer(413, "body_too_large"),
    reading.BodyTooSlow: Answer(408, "body_too_slow"),
    drf.ValidationError: Answer(422, "invalid", _wrong_fields),
    drf.AuthenticationFailed: Answer(401, "not_authenticated"),
    drf.NotAuthenticated: Answer(401, "not_authenticated"),
    drf.PermissionDenied: Answer(403, "not_allowed"),
    django.PermissionDenied: Answer(403, "not_allowed"),
    drf.NotFound: Answer(404, "not_found", _missing),
    Http404: Answer(404, "not_found", _missing),
    django.ObjectDoesNotExist: Answer(404, "not_found", _missing),
    drf.MethodNotAllowed: Answer(405, "method_not_allowed", _method),
    drf.NotAcceptable: Answer(406, "not_acceptable"),
    drf.UnsupportedMediaType: Answer(415, "not_json", _not_json),
    drf.Throttled: Answer(429, "too_many_requests"),
    rates.TooManyRequests: Answer(429, "too_many_requests", _too_many),
    paging.InvalidCursor: Answer(400, "invalid_cursor", _at("cursor")),
    paging.InvalidLimit: Answer(400, "invalid_limit", _at("limit")),
    idempotency.KeyMissing: Answer(400, "idempotency_key_missing", _at("Idempotency-Key")),
    idempotency.KeyMalformed: Answer(400, "idempotency_key_malformed", _at("Idempotency-Key")),
    idempotency.KeyInFlight: Answer(409, "idempotency_key_in_flight", _at("Idempotency-Key")),
    idempotency.KeyUsedOtherwise: Answer(422, "idempotency_key_reused", _at("Idempotency-Key")),
    etags.IfMatchMissing: Answer(428, "if_match_missing", _at("If-Match")),
    etags.VersionPassed: Answer(412, "version_passed", _passed),
    # The service
    retries.TryAgain: Answer(503, "busy", _again),
    hashing.TooManyPasswords: Answer(503, "busy", _again),
    OperationalError: Answer(503, "database_unavailable", _no_database),
    InterfaceError: Answer(503, "database_unavailable", _no_database),
    # ledger
    book.Refused: Answer(409, "refused", _of_the_book),
    book.InsufficientFunds: Answer(409, "insufficient_funds", _funds),
    book.KeyReused: Answer(409, "key_reused", _of_the_book),
    book.UnknownHold: Answer(404, "hold_not_found", _of_the_book),
    book.HoldClosed: Answer(409, "hold_closed", _of_the_book),
    book.HoldExists: Answer(409, "hold_exists", _of_the_book),
    book.HoldsDiffer: Answer(409, "holds_differ", _of_the_book),
    book.UnknownKey: Answer(404, "unknown_key", _of_the_book),
    book.NotReversible: Answer(409, "not_reversible", _of_the_book),
    money.InvalidAmount: Answer(422, "invalid_amount"),
    money.UnknownCurrency: Answer(422, "unknown_currency"),
    # games: tables and records
    NoSuchRoom: Answer(422, "no_such_room"),
    games.OpenedOtherwise: Answer(409, "opened_otherwise"),
    games.ReportedOtherwise: Answer(409, "reported_otherwise"),
    games.RecordRefused: Answer(422, "record_refused"),
    games.RecordDiffers: Answer(422, "record_differs"),
    games.RecordUnfinished: Answer(422, "record_unfinished"),
    # games.rules: what is written
    board.ImpossiblePosition: Answer(422, "impossible_position"),
    plays.ImpossibleDice: Answer(422, "impossible_dice"),
    ids.BadId: Answer(422, "bad_id"),
    ids.BadPositionId: Answer(422, "bad_position_id"),
    ids.BadMatchId: Answer(422, "bad_match_id"),
    ids.BadXgid: Answer(422, "bad_xgid"),
    record_reading.UnreadableRecord: Answer(422, "unreadable_record"),
    # games.rules: plays
    notation.UnreadablePlay: Answer(422, "unreadable_play"),
    notation.IllegalPlay: Answer(422, "illegal_play"),
    notation.NoChecker: Answer(422, "no_checker"),
    notation.PointMade: Answer(422, "point_made"),
    notation.NoSuchDie: Answer(422, "no_such_die"),
    notation.BarFirst: Answer(422, "bar_first"),
    notation.NotAllHome: Answer(422, "not_all_home"),
    notation.CheckerBehind: Answer(422, "checker_behind"),
    notation.MoreToPlay: Answer(422, "more_to_play"),
    notation.HigherDieFirst: Answer(422, "higher_die_first"),
    notation.HitsNothing: Answer(422, "hits_nothing"),
    notation.AmbiguousPlay: Answer(422, "ambiguous_play"),
    # games.rules: actions at the wrong moment
    refusals.RuleBroken: Answer(409, "rule_broken"),
    game.GameOver: Answer(409, "game_over"),
    game.NotYourTurn: Answer(409, "not_your_turn"),
    game.NotYoursToAnswer: Answer(409, "not_yours_to_answer"),
    game.OpeningFirst: Answer(409, "opening_first"),
    game.AlreadyOpened: Answer(409, "already_opened"),
    game.DiceLie: Answer(409, "dice_lie"),
    game.RollFirst: Answer(409, "roll_first"),
    game.UnreachablePosition: Answer(422, "unreachable_position"),
    game.AnswerFirst: Answer(409, "answer_first"),
    game.NothingOffered: Answer(409, "nothing_offered"),
    game.DoubleOnOpeningTurn: Answer(409, "double_on_opening_turn"),
    game.DoubleAfterRoll: Answer(409, "double_after_roll"),
    game.NoCubeToOne: Answer(409, "no_cube_to_one"),
    game.NoCubeInCrawfordGame: Answer(409, "no_cube_in_crawford_game"),
    game.BeaversNotAgreed: Answer(409, "beavers_not_agreed"),
    game.NoRaccoon: Answer(409, "no_raccoon"),
    game.ResignOnYourTurn: Answer(409, "resign_on_your_turn"),
    game.AlreadyDeclined: Answer(409, "already_declined"),
    game.NoMatchToResign: Answer(409, "no_match_to_resign"),
    game.ClockNotRunning: Answer(409, "clock_not_running"),
    cube.CubeNotYours: Answer(409, "cube_not_yours"),
    cube.CubeAtLimit: Answer(409, "cube_at_limit"),
    cube.BeaverAboveLimit: Answer(409, "beaver_above_limit"),
    clock.TimeIsUp: Answer(409, "time_is_up"),
    clock.TimeRunsForwards: Answer(409, "time_runs_forwards"),
    clock.ImpossibleClock: Answer(422, "impossible_clock", _clock),
    series.ImpossibleLength: Answer(422, "impossible_length"),
    series.ImpossibleScore: Answer(422, "impossible_score"),
    series.SeriesOver: Answer(409, "series_over"),
    options.MoneyPlayOnly: Answer(422, "money_play_only"),
    options.CubeNeeded: Answer(422, "cube_needed"),
    options.ImpossibleTerms: Answer(422, "impossible_options"),
    replay_game.EqualOpeningDice: Answer(422, "equal_opening_dice"),
    replay_game.NothingToPlay: Answer(422, "nothing_to_play"),
    replay_game.PlayMissing: Answer(422, "play_missing"),
    replay_game.WrongCubeValue: Answer(422, "wrong_cube_value"),
    # games.access
    access.LogInRefused: Answer(401, "log_in_refused", _log_in),
    access.StaffMayNotPlay: Answer(403, "staff_may_not_play"),
    access.NameTaken: Answer(409, "name_taken"),
    access.PasswordRefused: Answer(422, "password_refused"),
    access.PasswordWrong: Answer(422, "password_wrong"),
    access.TokenUnknown: Answer(404, "token_not_found"),
    names.NameRefused: Answer(422, "name_refused"),
    lockout.TooManyFailures: Answer(429, "too_many_failures"),
    authentication.TokenRefused: Answer(401, "token_refused"),
    room_keys.SignatureUnreadable: Answer(401, "signature_unreadable"),
    room_keys.SignatureAged: Answer(401, "signature_aged"),
    room_keys.SignatureRefused: Answer(401, "signature_refused"),
    room_keys.SignatureReplayed: Answer(401, "signature_replayed"),
    room_keys.KeyNotInForce: Answer(401, "key_not_in_force"),
    # games.live: tables played here
    live.StartedOtherwise: Answer(409, "started_otherwise"),
    live.StaleVersion: Answer(409, "stale_version", _present),
    live.NothingToClaim: Answer(409, "nothing_to_claim"),
    NotLive: Answer(404, "not_found", _missing),
    sse.BadLastEventId: Answer(400, "bad_last_event_id", _at("Last-Event-ID")),
    BadAction: Answer(422, "bad_action"),
    course.AbsenceIsOver: Answer(409, "absence_is_over"),
    course.SeedsCameTooLate: Answer(409, "seeds_came_too_late"),
    seeding.NotHexadecimal: Answer(422, "not_hexadecimal"),
    seeding.GivenOtherwise: Answer(409, "given_otherwise"),
    seeding.HashCopied: Answer(422, "hash_copied"),
    seeding.SeedBeforeHashes: Answer(409, "seed_before_hashes"),
    seeding.SeedIsNotOfItsHash: Answer(422, "seed_is_not_of_its_hash"),
    # wagering.play: at the table
    at_table.AlreadyThrown: Answer(409, "already_thrown"),
    machine.TooManyMachineTables: Answer(409, "too_many_machine_tables"),
    # ratings
    ratings.RatedOtherwise: Answer(409, "rated_otherwise"),
    # commission
    schedule.UnknownTariff: Answer(404, "unknown_tariff"),
    commission.CurrencyNotInTariff: Answer(422, "currency_not_in_tariff"),
    RoomHasNoTariff: Answer(409, "room_has_no_tariff"),
    # stakes
    terms.InvalidTerms: Answer(422, "invalid_terms"),
    terms.StakeNotPositive: Answer(422, "stake_not_positive"),
    terms.CapMissing: Answer(422, "cap_missing"),
    terms.CapBelowStake: Answer(422, "cap_below_stake"),
    terms.CapForSeries: Answer(422, "cap_for_series"),
    terms.MatchLengthOutOfRange: Answer(422, "match_length_out_of_range"),
    terms.PenaltyOutOfRange: Answer(422, "penalty_out_of_range"),
    stakes.WrongZone: Answer(422, "wrong_zone"),
    stakes.WrongMatchLength: Answer(422, "wrong_match_length"),
    stakes.WrongCube: Answer(422, "wrong_cube"),
    stakes.ExposureTooLarge: Answer(422, "exposure_too_large"),
    stakes.SatDownOtherwise: Answer(409, "sat_down_otherwise"),
    stakes.StakeClosed: Answer(409, "stake_closed"),
    RoomNotLetIn: Answer(403, "room_not_let_in"),
    # protection
    protection.Protected: Answer(403, "may_not_stake", _protected),
    protection.Excluded: Answer(403, "excluded", _out),
    protection.LimitReached: Answer(409, "limit_reached", _of_a_limit),
    protection.StillOwes: Answer(409, "still_owes", _protected),
    protection.IdentityNeeded: Answer(403, "identity_needed", _protected),
    protection.CountryRefused: Answer(403, "country_refused", _protected),
    protection.SourceOfFundsNeeded: Answer(403, "source_of_funds_needed", _protected),
    protection.PayoutStands: Answer(409, "payout_stands", _protected),
    limits.NoLimitOfPlayMoney: Answer(422, "no_limit_of_play_money"),
    limits.NothingPending: Answer(409, "nothing_pending"),
    limits.ConfirmedTooEarly: Answer(409, "confirmed_too_early"),
    exclusion.TermRefused: Answer(422, "term_refused"),
    exclusion.NotExcluded: Answer(409, "not_excluded"),
    exclusion.TermNotOver: Answer(409, "term_not_over"),
    identity.TooYoung: Answer(422, "too_young"),
    identity.BornInTheFuture: Answer(422, "born_in_the_future"),
    NameUnclear: Answer(422, "name_unclear"),
    # settlement
    settlement.SettledOtherwise: Answer(409, "settled_otherwise"),
    settlement.SettlementReversed: Answer(409, "settlement_reversed"),
    # games played elsewhere
    rooms_services.NoSuchPlayer: Answer(422, "no_such_player"),
    rooms_services.PlayedHere: Answer(409, "played_here"),
    rooms_services.LeftUnfinished: Answer(409, "left_unfinished"),
    rooms_services.RecordTooLong: Answer(422, "record_too_long"),
    rooms_services.RecordOfOthers: Answer(422, "record_of_others"),
    rooms_services.ResultDoesNotFollow: Answer(422, "result_does_not_follow"),
    rooms_services.PositionDiffers: Answer(422, "position_differs"),
    rooms_services.NotSettled: Answer(409, "not_settled"),
    rooms_services.SplitTakesTwo: Answer(409, "split_takes_two"),
    rooms_dice.DiceRefused: Answer(422, "dice_refused"),
    rooms_dice.TranscriptMalformed: Answer(422, "transcript_malformed"),
    rooms_dice.DiceNotProved: Answer(422, "dice_not_proved"),
    rooms_dice.DiceDiffer: Answer(422, "dice_differ"),
    # the seamless wallet: answered with status 200 and the protocol's word, in which `code` is this one
    seamless.Refused: Answer(409, "wager_refused"),
    seamless.TokenUnknown: Answer(409, "session_unknown"),
    seamless.TokenExpired: Answer(409, "session_expired"),
    seamless.PlayerDisabled: Answer(409, "player_disabled"),
    seamless.BeyondLimit: Answer(409, "beyond_limit"),
    seamless.WrongCurrency: Answer(409, "wrong_currency"),
    seamless.SaidOtherwise: Answer(409, "said_otherwise"),
    seamless.NeverSaid: Answer(409, "never_said"),
    seamless.RolledBack: Answer(409, "rolled_back"),
    seamless.RoundClosed: Answer(409, "round_closed"),
    seamless.OtherRound: Answer(409, "other_round"),
    seamless.StillWinning: Answer(409, "still_winning"),
    seamless.RoundHoldsLess: Answer(409, "round_holds_less"),
    seamless.CommissionAboveTariff: Answer(409, "commission_above_tariff"),
    seamless.RoundTooLarge: Answer(409, "round_too_large"),
    seamless.RefundDiffers: Answer(409, "refund_differs"),
    # play: the lobby
    lobby.TooManyAutomaticDoubles: Answer(422, "too_many_automatic_doubles"),
    lobby.RatingLimitsCrossed: Answer(422, "rating_limits_crossed"),
    lobby.OtherCurrency: Answer(422, "other_currency"),
    lobby.NothingChanged: Answer(422, "nothing_changed", _whole_body),
    seats.MayNotStake: Answer(403, "may_not_stake"),
    seats.NotCovered: Answer(409, "insufficient_funds", _not_covered),
    offers.TooManyOffers: Answer(409, "too_many_offers", _limit),
    offers.TooManyCounters: Answer(409, "too_many_counters", _limit),
    offers.OfferClosed: Answer(409, "offer_closed"),
    offers.OfferCountered: Answer(409, "offer_countered"),
    offers.OwnOffer: Answer(409, "own_offer"),
    offers.NotTheMaker: Answer(403, "not_the_maker"),
    offers.RatingOutsideLimits: Answer(409, "rating_outside_limits"),
    offers.CounteredBefore: Answer(409, "countered_before"),
    offers.CounterClosed: Answer(409, "counter_closed"),
    offers.OpponentCannotPay: Answer(409, "opponent_cannot_pay"),
    offers.OpponentMayNotSit: Answer(409, "opponent_may_not_sit"),
    offers.NotFinished: Answer(409, "not_finished"),
    people.BiographyRefused: Answer(422, "biography_refused"),
    # the cashier
    registry.UnknownProvider: Answer(404, "unknown_provider"),
    providers.NotGenuine: Answer(400, "not_genuine"),
    providers.Unreadable: Answer(400, "unreadable_event"),
    providers.ProviderSilent: Answer(503, "provider_silent", _silent),
    transfers.NoTransfers: Answer(422, "no_transfers"),
    payouts.CannotReceive: Answer(422, "cannot_receive"),
    payouts.CurrencyNotPaidOut: Answer(422, "currency_not_paid_out"),
    payouts.NotYetWithdrawable: Answer(409, "not_yet_withdrawable"),
    payouts.NotToBeCancelled: Answer(409, "not_to_be_cancelled"),
    iban.BadIban: Answer(422, "bad_iban"),
    payout_accounts.OursToPayFrom: Answer(422, "bad_iban"),
    bank_names.BadHolder: Answer(422, "bad_holder"),
    deposits.CurrencyNotTaken: Answer(422, "currency_not_taken"),
    deposits.NotToBeStarted: Answer(409, "not_to_be_started"),
    play_money.EnoughPlayMoney: Answer(409, "enough_play_money"),
    play_money.PlayMoneySpent: Answer(409, "play_money_spent", _limit),
}

INTERNAL: Final[Mapping[str, str]] = {
    "ledger.vouchers.UnbalancedVoucher": "our own postings build every voucher: one that is wrong is our mistake",
    "ledger.vouchers.InvalidVoucher": "our own postings build every voucher: one that is wrong is our mistake",
    "ledger.chart.UnknownAccount": "accounts are named by our own postings",
    "wagering.vault.services.Erased": "who was erased has no log-in left",
    "wagering.vault.services.KeyUnknown": "a database beside a SECRET_KEY that is not its own, which the checks name",
    "wagering.cashier.bank.imports.NotTaken": "operators bring files in the admin",
    "wagering.cashier.adjustments.services.NotAdjusted": "operators put wallets right in the admin",
    "ledger.seals.InvalidCheckpoint": "checkpoints are given to a command",
    "games.access.room_keys.TooManyKeys": "keys are issued by a command",
    "games.access.signatures.SignatureMalformed": "becomes SignatureUnreadable",
    "games.rules.dice.Malformed": "transcripts of dice are given to a command",
    "games.rules.scoring.NobodyHasWon": "asked only of a game that is over",
    "games.rules.endings.InconsistentOutcome": "outcomes are made by the referee alone",
    "games.rules.replay_game.Contradiction": "becomes the refusal of a record, with its line",
    "games.analysis.evaluator.NotToBeAnalysed": "positions are taken from our own games",
    "games.analysis.evaluator.NotCovered": "says that another evaluator must be asked",
    "games.analysis.probabilities.ImpossibleProbabilities": "an engine is wrong, not a client",
    "ratings.services.RatedAgainstOneself": "a table seats two players",
    "wagering.commission.schedule.InvalidTariff": "tariffs are published by a command",
    "wagering.commission.services.TariffVersionChanged": "tariffs are published by a command",
    "wagering.commission.services.TariffVersionNotNext": "tariffs are published by a command",
    "wagering.settlement.abandonment.rules.split.InvalidPenalty": "a stake keeps only penalties that are shares",
    "wagering.settlement.abandonment.rules.valuation.TermsDiffer": "terms are taken from our own rows",
    "wagering.settlement.abandonment.services.NotAnalysed": "asked only of adjudications that have their record",
    "wagering.settlement.rulings": "operators rule in the admin, which tells them",
    "wagering.settlement.management": "commands answer on the terminal",
    "wagering.notices.endpoints.EndpointRefused": "operators keep endpoints in the admin, which tells them",
    "wagering.surveillance": "operators judge in the admin, which tells them; thresholds are read from a file of ours",
    "wagering.privacy.refusals": "operators erase in the admin or by a command, which tell them",
    "wagering.protection.profile.InvalidProfile": "profiles are read when the service starts",
    "wagering.protection.exclusion.services.NotAnothers": "exclusions are released in the admin",
    "wagering.protection.aml.NotUnlinked": "operators tell players apart in the admin",
    "wagering.protection.exclusion.register.UnreadableRegister": "registers are imported by a command",
    "wagering.protection.identity.services.NotPending": "operators judge in the admin, which tells them",
    "wagering.cashier.providers.protocol.ProviderRefused": "ends the payment that it is about",
    "wagering.cashier.deposits.refunds": "operators give back in the admin, which tells them",
    "wagering.cashier.disputes": "operators write off and cover in the admin, which tells them",
    "wagering.cashier.bank.rules.xml": "files come from the bank, or are brought in by operators in the admin",
    "wagering.cashier.bank.imports": "files come from the bank, or are brought in by operators in the admin",
    "wagering.cashier.bank.entries": "operators clear in the admin, which tells them",
    "wagering.cashier.bank.connection": "the bank is asked by the clock alone",
    "wagering.cashier.payouts.services.NotDecided": "operators decide in the admin, which tells them",
    "wagering.cashier.payouts.services.NotAnOperator": "operators decide in the admin, which tells them",
    "wagering.cashier.payouts.services.NothingToDecide": "operators decide in the admin, which tells them",
    "wagering.cashier.payouts.services.DecidedAlready": "operators decide in the admin, which tells them",
    "wagering.cashier.payouts.switch.PayoutsStopped": "operators decide in the admin, which tells them",
    "wagering.cashier.sandbox": "the sandbox is the outside world, and answers for itself",
    "wagering.config.bench": "the bench answers on the terminal",
    "wagering.config.embedded": "the embedded server starts before anything is asked",
    "wagering.config.up": "what keeps the processes running answers on the terminal",
    "wagering.config.brokers": "settings are read before anything is asked",
    "wagering.config.databases": "settings are read before anything is asked",
}
"""Public exceptions, or whole packages of them, that no client can meet, each with the reason."""
