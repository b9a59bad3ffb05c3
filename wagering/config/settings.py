"""The settings. One file; what differs between machines comes from the environment and is named here.

DATABASE_URL, DATABASE_OWNER_URL   the service's role and the owner's; neither = the embedded server
SECRET_KEY                         required beside DATABASE_URL; rooms' keys hang on it
SECRET_KEY_FALLBACKS               comma separated: earlier ones, under which sessions and rooms' keys still count
ALLOWED_HOSTS                      comma separated
DEBUG                              1 to turn on
DATABASE_POOL_SIZE                 connections a process may hold, 10
DATABASE_POOL_WAIT_S               for how long one is waited for, where all are lent or the server does not answer, 10
DATABASE_LISTEN_URL                DATABASE_URL past a pgbouncer, which keeps nobody who listens; unset = the same
PROXIES                            proxies of ours that a request comes through, 0; each adds to X-Forwarded-For
RETENTION_DAYS                     how long all is kept of a player who is gone, 1826
METRICS_ALLOW                      addresses and networks that may read /metrics besides this machine
LOG_LEVEL, LOG_FORMAT              WARNING, and json or console
PROVIDERS                          payment providers, comma separated; unset = sandbox, or none beside DATABASE_URL
STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_RETURN_URL   required beside PROVIDERS=stripe: of its dashboard, and
                                   where its page leads back to; the stripe extra is needed too
STRIPE_CURRENCIES                  comma separated: what is paid in through it, EUR,GBP,USD
STRIPE_API_BASE                    https://api.stripe.com, unless it is a server to try it with
SANDBOX_URL, SANDBOX_SECRET        where the sandbox is, and what both sign with; unset = here, by SECRET_KEY
SANDBOX_FILE                       the record of a sandbox that runs here; unset = beside the embedded database
BANK                               the bank of the players' account: sandbox or folder; unset = as PROVIDERS
BANK_FOLDER                        of the folder: where files lie on their way
BANK_IBAN, BANK_BIC, BANK_HOLDER   the players' account; required beside BANK=folder
BANK_CURRENCIES                    comma separated: what it takes and pays
BANK_ZONE, BANK_CUT_OFF            when orders go out, Europe/Berlin, 15:00; unset at the sandbox = at any time
NOTICES_HOSTS                      comma separated: hosts inside that notices may be sent to; unset = none, or this
                                   machine where it is embedded or DEBUG
PAYOUT_NEVER_HEARD_S               after so long what was sent and nobody ever heard of is tried anew, 3600
CELERY_BROKER_URL                  Valkey, Redis or RabbitMQ; unset = the embedded one, or none beside DATABASE_URL
"""

from __future__ import annotations

import hmac
import logging
import os
import warnings
from datetime import time, timedelta
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from wagering.config import brokers, databases
from wagering.config.embedded.secret import kept_secret
from wagering.config.http import logs
from wagering.config.postgres import EMBEDDED_HOST

BASE_DIR = Path(__file__).resolve().parents[2]
ENV = os.environ

EMBEDDED = "DATABASE_URL" not in ENV
if EMBEDDED and "DATABASE_OWNER_URL" in ENV:
    raise ImproperlyConfigured("DATABASE_OWNER_URL is set and DATABASE_URL is not: they name one database")

DEBUG = ENV.get("DEBUG") == "1"
if EMBEDDED:
    SECRET_KEY = ENV.get("SECRET_KEY") or kept_secret()
elif "SECRET_KEY" in ENV:
    SECRET_KEY = ENV["SECRET_KEY"]
else:
    raise ImproperlyConfigured("SECRET_KEY must be set when DATABASE_URL is")
SECRET_KEY_FALLBACKS = [key for key in ENV.get("SECRET_KEY_FALLBACKS", "").split(",") if key]
ALLOWED_HOSTS = [host for host in ENV.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",") if host]

INSTALLED_APPS = [
    "wagering.config",  # before the others: its commands stand in for Django's of the same name
    "unfold",
    "wagering.config.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_prometheus",
    "django_structlog",
    "knox",
    "games",
    "games.live",
    "games.access",
    "ratings",
    "ledger",
    "wagering.vault",
    "wagering.notices",
    "wagering.cashier.methods",
    "wagering.cashier.deposits",
    "wagering.cashier.bank",
    "wagering.cashier.payouts",
    "wagering.protection",
    "wagering.commission",
    "wagering.stakes",
    "wagering.settlement",
    "wagering.surveillance",
    "wagering.play",
    "wagering.seamless",
    "wagering.cashier.disputes",
    "wagering.cashier.adjustments",
    "wagering.cashier.sweeps",
    "wagering.privacy",
    "wagering.audit",
]

MIDDLEWARE = [
    "wagering.config.http.connections.GiveBack",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "wagering.config.http.request_id.RequestIdMiddleware",
    "wagering.config.http.logs.RequestLog",
    "wagering.config.http.headers.Headers",
    "wagering.config.http.body_limit.BodyLimitMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "wagering.config.http.parameters.UnknownParameters",
    "wagering.config.http.idempotency.IdempotencyMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "wagering.config.urls"
WSGI_APPLICATION = "wagering.config.wsgi.application"
ASGI_APPLICATION = "wagering.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- databases -------------------------------------------------------------------------------------------------------


def _database(*, variable: str, embedded_role: str, options: dict[str, Any]) -> dict[str, Any]:
    if EMBEDDED:
        found: dict[str, Any] = {"NAME": "backgammon", "USER": embedded_role, "HOST": EMBEDDED_HOST, "OPTIONS": {}}
    else:
        found = databases.parse(variable=variable, url=ENV[variable])
    return {
        **found,
        "ENGINE": "wagering.config.postgres",
        "CONN_MAX_AGE": 0,  # the pool keeps connections; Django must not
        # psycopg prepares nothing: it would deallocate the book's statement with its own (ledger/wire.py).
        "OPTIONS": {**found["OPTIONS"], **options, "prepare_threshold": None},
    }


DATABASES = {
    # The service: reads the book and calls its functions, READ COMMITTED as PostgreSQL and Django have it.
    "default": {
        **_database(
            variable="DATABASE_URL",
            embedded_role="app",
            options={
                "pool": {
                    "min_size": 0,
                    "max_size": int(ENV.get("DATABASE_POOL_SIZE", "10")),
                    "timeout": int(ENV.get("DATABASE_POOL_WAIT_S", "10")),
                }
            },
        ),
    }
}
if EMBEDDED or "DATABASE_OWNER_URL" in ENV:
    # Owns the tables: migrations, and nothing while the service runs.
    DATABASES["owner"] = _database(variable="DATABASE_OWNER_URL", embedded_role="book_owner", options={})
    DATABASES["default"]["TEST"] = {"MIRROR": "owner"}  # tests see the owner's database through the service's role
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LISTENS_AT = None
"""Where the one connection of a process that listens goes, if not where the others go (games/live/listener.py)."""
if "DATABASE_LISTEN_URL" in ENV:
    LISTENS_AT = databases.parse(variable="DATABASE_LISTEN_URL", url=ENV["DATABASE_LISTEN_URL"])

# --- the queue -------------------------------------------------------------------------------------------------------

CELERY_APP = "wagering.config.celery"
"""Imported by workers, the beat and the web; by others when they first send a hint."""

if "CELERY_BROKER_URL" in ENV:
    CELERY_BROKER_URL = brokers.parse(ENV["CELERY_BROKER_URL"])
else:
    CELERY_BROKER_URL = brokers.EMBEDDED_BROKER if EMBEDDED else brokers.NO_BROKER

# --- people ----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "games.User"
PASSWORD_HASHERS = [
    "games.access.hashing.Argon2InTurn",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

KNOX_TOKEN_MODEL = "access.PlayerToken"
MIGRATION_MODULES = {"knox": None}  # its own table is not used
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "bgr_", "TOKEN_TTL": timedelta(days=30)}

LOG_OUT_ENDS = ["wagering.seamless.sessions.end_all"]
"""What else ends when a player's clients are logged out: dotted paths of functions of ``player``, ``at`` and
``clients``, the ids of their tokens, or None for all there are."""

# --- the API ---------------------------------------------------------------------------------------------------------

PROXIES = int(ENV.get("PROXIES", "0"))
DATA_UPLOAD_MAX_MEMORY_SIZE = None  # each view says how long a body may be, and BodyLimitMiddleware holds to it

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_PARSER_CLASSES": ["wagering.config.http.reading.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["wagering.config.http.writing.JSON"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.access.authentication.ByToken",
        "games.access.authentication.BySignature",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["games.access.permissions.Nobody"],  # a view says who may ask
    "NUM_PROXIES": PROXIES,
    "DEFAULT_THROTTLE_CLASSES": ["wagering.config.http.rates.Throttle"],
    "DEFAULT_PAGINATION_CLASS": "wagering.config.http.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "wagering.config.http.schema.Operation",
    "EXCEPTION_HANDLER": "wagering.config.http.answers.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Backgammon room",
    "VERSION": "1",
    "DESCRIPTION": (BASE_DIR / "wagering" / "config" / "http" / "api.md").read_text(encoding="utf-8"),
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # each field says itself what its choices mean
    "ENUM_NAME_OVERRIDES": {
        "SideEnum": [(1, 1), (2, 2)],
        "ConcessionEnum": ["single", "gammon", "backgammon", "match"],
        "ContestStatusEnum": ["seeds", "playing", "pricing", "over", "abandoned", "voided"],
        "ZoneEnum": "games.models.Table.Zone",
        "OfferStateEnum": "wagering.play.models.Offer.State",
        "IdentityStateEnum": "wagering.protection.models.Identity.State",
        "ExclusionKindEnum": "wagering.protection.models.Exclusion.Kind",
        "LimitKindEnum": ["deposit", "loss", "stake"],
        "CauseKindEnum": ["table", "deposit", "transfer", "refund", "dispute", "payout", "adjustment"],
        "DepositStateEnum": "wagering.cashier.deposits.models.Deposit.State",
        "PayoutStateEnum": "wagering.cashier.payouts.models.Payout.State",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "wagering.config.http.stream_schema.events",
        "wagering.config.http.schema.problems",
    ],
}

RATES = {
    "client": (600, 60),
    "anonymous": (120, 60),
    "registration": (60, 600),
    "log_in": (30, 60),
    "password": (10, 600),
    "guesses": (60, 60),  # tokens and signatures that were wrong
    "identity": (8, 86400),  # each asks the registers
    "my_data": (5, 3600),
    "records": (60, 60),  # a whole contest is replayed
    "rooms": (6000, 60),
    "seamless": (6000, 60),
    "webhooks": (6000, 60),
}
"""How often a client may ask, by the name of the rate: so many requests in so many seconds."""

METRICS_ALLOW = [network for network in ENV.get("METRICS_ALLOW", "").split(",") if network]

# --- the lobby -------------------------------------------------------------------------------------------------------

OFFERS_STANDING_MAX = 20
"""Offers that a player may have in the lobby at once."""
COUNTERS_PENDING_MAX = 3
"""Counter-proposals of a player that wait for an answer at once: each keeps an offer from everybody else."""
OFFER_LASTS_S = 24 * 60 * 60
REMATCH_LASTS_S = 10 * 60
PLAY_MONEY_FIRST = Decimal("1000.00")
PLAY_MONEY_AGAIN = Decimal("1000.00")
"""Given to who asks and owns less than the floor, so many times a day (UTC)."""
PLAY_MONEY_FLOOR = Decimal("100.00")
PLAY_MONEY_TIMES_A_DAY = 3

# --- rounds at rooms' own servers -----------------------------------------------------------------------------------

ROUNDS_LEFT_AFTER_S = 24 * 60 * 60
"""A round that is still open after so long is shown to operators as left by its room."""

# --- the cashier -----------------------------------------------------------------------------------------------------

PROVIDERS = [code for code in ENV.get("PROVIDERS", "sandbox" if EMBEDDED else "").split(",") if code]
SANDBOX_URL = ENV.get("SANDBOX_URL", "http://127.0.0.1:8001")
SANDBOX_FILE = ENV.get("SANDBOX_FILE", "")
SANDBOX_SECRET = ENV.get("SANDBOX_SECRET") or hmac.digest(SECRET_KEY.encode(), b"sandbox", "sha256").hex()
STRIPE_SECRET_KEY = ENV.get("STRIPE_SECRET_KEY", "")
STRIPE_WEBHOOK_SECRET = ENV.get("STRIPE_WEBHOOK_SECRET", "")
STRIPE_RETURN_URL = ENV.get("STRIPE_RETURN_URL", "")
STRIPE_CURRENCIES = [code for code in ENV.get("STRIPE_CURRENCIES", "EUR,GBP,USD").split(",") if code]
STRIPE_API_BASE = ENV.get("STRIPE_API_BASE", "https://api.stripe.com")
if "stripe" in PROVIDERS:
    if not (STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and STRIPE_RETURN_URL):
        raise ImproperlyConfigured("PROVIDERS=stripe needs STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_RETURN_URL")
    if find_spec("stripe") is None:
        raise ImproperlyConfigured("PROVIDERS=stripe needs the stripe extra: pip install -e .[stripe]")
PROVIDER_EVENTS = [
    "wagering.cashier.deposits.events.handle",
    "wagering.cashier.payouts.events.handle",
    "wagering.cashier.disputes.events.handle",
]
"""Whom an event of a provider may be about, asked in this order: see wagering/cashier/deposits/inbox.py."""
GAINS_TELL = ["wagering.cashier.disputes.tasks.gained"]
"""Who hears of what comes into wallets by play and from outside: see wagering/rest/gains.py."""
WRITE_OFF_ALONE = {code: Decimal(50) for code in ("EUR", "GBP", "USD")}
"""What one operator may give up of what a player owes, in 30 days, or say of a movement at the bank that nobody could
place, by currency; more, and other currencies, need two."""

BANK = ENV.get("BANK", "sandbox" if EMBEDDED else "")
BANK_FOLDER = ENV.get("BANK_FOLDER", "")
BANK_IBAN = ENV.get("BANK_IBAN", "DE47100000000000004711" if BANK == "sandbox" else "")
BANK_BIC = ENV.get("BANK_BIC", "")
BANK_HOLDER = ENV.get("BANK_HOLDER", "Backgammon Room Players" if BANK == "sandbox" else "")
BANK_CURRENCIES = [code for code in ENV.get("BANK_CURRENCIES", "EUR,GBP,USD").split(",") if code]
BANK_ZONE = ENV.get("BANK_ZONE", "Europe/Berlin")
BANK_CUT_OFF = time(15) if BANK != "sandbox" else None
if "BANK_CUT_OFF" in ENV:
    BANK_CUT_OFF = time.fromisoformat(ENV["BANK_CUT_OFF"])
if BANK == "folder" and not (BANK_FOLDER and BANK_IBAN and BANK_HOLDER):
    raise ImproperlyConfigured("BANK=folder needs BANK_FOLDER, BANK_IBAN and BANK_HOLDER")
ENTRY_CAUSES = ["wagering.cashier.causes.causes"]
"""Who says what an entry in a wallet is because of: see wagering/rest/causes.py."""
BANK_REPORTS = ["wagering.cashier.payouts.bank_says.report"]
BANK_ENTRIES = ["wagering.cashier.payouts.bank_says.entry"]
BANK_WAITS = ["wagering.cashier.payouts.bank_says.waits"]
"""Who hears of the bank's answers, whose a movement may be, and who has still to do what follows: see
wagering/cashier/bank/imports.py, entries.py and balances.py."""
PAYOUT_NEVER_HEARD_S = int(ENV.get("PAYOUT_NEVER_HEARD_S", "3600"))

# --- notices ---------------------------------------------------------------------------------------------------------

_HERE = "localhost,127.0.0.1,::1" if EMBEDDED or DEBUG else ""
NOTICES_HOSTS = [host for host in ENV.get("NOTICES_HOSTS", _HERE).split(",") if host]
"""Where notices may go although it is no address of the world outside."""
NOTICES_FAIL_FOR_DAYS = 5
"""An endpoint that has answered nothing well for so long is disabled, until an operator sends there again."""

# --- privacy ---------------------------------------------------------------------------------------------------------

RETENTION_DAYS = int(ENV.get("RETENTION_DAYS", "1826"))
"""Nobody is erased who was here, or whose money has moved, within so many days, unless an operator forces it."""
ERASURE_TAKES = ["wagering.config.http.idempotency.forget_client"]
"""What else goes when a person is erased: dotted paths of functions of ``user``."""

# --- logs ------------------------------------------------------------------------------------------------------------

logs.configure()
LOGGING = logs.logging(level=ENV.get("LOG_LEVEL", "WARNING"), form=ENV.get("LOG_FORMAT", "json"))
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True  # ours: RequestIdMiddleware has looked at it
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO

# --- time, language, files -------------------------------------------------------------------------------------------

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = "wagering.config.formats"

STATIC_URL = "static/"
# Only a deployment collects the files; everywhere else Django serves them from the apps.
warnings.filterwarnings("ignore", message="No directory at", category=UserWarning)
STATIC_ROOT = BASE_DIR / "var" / "static"
WHITENOISE_USE_FINDERS = EMBEDDED or DEBUG  # the admin has its styles before collectstatic has run
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

# --- the browser -----------------------------------------------------------------------------------------------------

SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
if not EMBEDDED and not DEBUG:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60

_SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7'/></svg>"
FAVICON = f"data:image/svg+xml,{_SVG}"
"""A checker; without one, browsers ask for a file that is not there."""

UNFOLD = {
    "SITE_TITLE": "Backgammon room",
    "SITE_HEADER": "Backgammon room",
    "LOGIN": {"form": "wagering.config.http.operators.LogInForm"},
    "SITE_URL": "/v1/docs",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": FAVICON}],
    "SIDEBAR": {"navigation": "wagering.audit.menu.navigation"},
    "DASHBOARD_CALLBACK": "wagering.audit.menu.overview",
}

OVERVIEW = [
    "wagering.audit.overview.tables_under_way",
    "wagering.audit.overview.offers_open",
    "wagering.audit.overview.waiting_for_analysis",
    "wagering.audit.overview.waiting_for_their_price",
    "wagering.audit.overview.waiting_for_an_operator",
    "wagering.audit.overview.rounds_left_open",
    "wagering.audit.overview.rulings_to_approve",
    "wagering.audit.overview.deposits_to_look_at",
    "wagering.audit.overview.refunds_to_look_at",
    "wagering.audit.overview.money_missing_at_the_bank",
    "wagering.audit.overview.adjustments_to_confirm",
    "wagering.audit.overview.payouts_to_decide",
    "wagering.audit.overview.payouts_unanswered",
    "wagering.audit.overview.files_to_confirm",
    "wagering.audit.overview.transfers_to_place",
    "wagering.audit.overview.transfers_to_agree",
    "wagering.audit.overview.identities_to_judge",
    "wagering.audit.overview.links_to_look_at",
    "wagering.audit.overview.exclusions_to_release",
    "wagering.audit.overview.sources_of_funds_open",
    "wagering.surveillance.overview.alerts_open",
    "wagering.notices.overview.endpoints_failing",
    "wagering.audit.overview.events_waiting",
]
"""The lines of the admin's first page: dotted paths of functions of ``at``, see wagering/rest/overview.py."""

# --- the book --------------------------------------------------------------------------------------------------------

BOOK_PROOFS = [
    "wagering.audit.proofs.open_stakes_are_held",
    "wagering.audit.proofs.stakes_are_told",
    "wagering.audit.proofs.settlements_are_posted",
    "wagering.audit.proofs.settlements_compute_again",
    "wagering.audit.unfinished.rulings_are_posted",
    "wagering.audit.unfinished.ended_contests_are_closed",
    "wagering.seamless.proofs.open_wagers_are_held",
    "wagering.seamless.proofs.wagers_are_told",
    "wagering.seamless.proofs.rounds_compute_again",
    "wagering.protection.proofs.unclaimed_is_told",
    "wagering.cashier.sweeps.proofs.commission_swept_was_earned",
    "wagering.cashier.deposits.proofs.deposits_are_posted",
    "wagering.cashier.deposits.proofs.refunds_are_posted",
    "wagering.cashier.bank.proofs.bank_entries_are_posted",
    "wagering.cashier.payouts.proofs.pending_payouts_are_open",
    "wagering.cashier.payouts.proofs.payouts_are_posted",
    "wagering.cashier.payouts.proofs.batches_write_again",
    "wagering.cashier.disputes.proofs.disputes_are_posted",
    "wagering.cashier.disputes.proofs.receivables_are_told",
    "wagering.cashier.adjustments.proofs.adjustments_are_posted",
]
"""Proofs that other apps add to the book's own: dotted paths of functions like those in ledger/proofs.py."""

BOOK_OWNERS = ["wagering.audit.owners.players_and_rooms", "wagering.audit.owners.providers"]
"""Who knows the names of those who own accounts: dotted paths of functions like those, see ledger/owners.py."""
