"""A provider settles what it owes: an entry in suspense may be its, and a clearance says whose and less which fee."""

from decimal import Decimal

import ledger.fields
from django.db import migrations, models
from django.db.models import Q

FORWARD = """
CREATE OR REPLACE FUNCTION bank_entry_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.statement_id, NEW.account, NEW.reference, NEW.currency, NEW.amount, NEW.is_credit, NEW.day,
             NEW.end_to_end, NEW.returned, NEW.reason, NEW.came_at)
            = (OLD.id, OLD.statement_id, OLD.account, OLD.reference, OLD.currency, OLD.amount, OLD.is_credit, OLD.day,
               OLD.end_to_end, OLD.returned, OLD.reason, OLD.came_at)
        AND (OLD.player_id IS NULL OR NEW.player_id = OLD.player_id)
        AND (OLD.state = 'new'
            OR OLD.state = 'suspense' AND NEW.state IN ('assigned', 'settled', 'sent_back')
            OR OLD.state = 'unexplained' AND NEW.state = 'explained')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'bank_entry_is_final: entry % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bank_entry_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""

BACKWARD = """
CREATE OR REPLACE FUNCTION bank_entry_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.statement_id, NEW.account, NEW.reference, NEW.currency, NEW.amount, NEW.is_credit, NEW.day,
             NEW.end_to_end, NEW.returned, NEW.reason, NEW.came_at)
            = (OLD.id, OLD.statement_id, OLD.account, OLD.reference, OLD.currency, OLD.amount, OLD.is_credit, OLD.day,
               OLD.end_to_end, OLD.returned, OLD.reason, OLD.came_at)
        AND (OLD.player_id IS NULL OR NEW.player_id = OLD.player_id)
        AND (OLD.state = 'new'
            OR OLD.state = 'suspense' AND NEW.state IN ('assigned', 'sent_back')
            OR OLD.state = 'unexplained' AND NEW.state = 'explained')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'bank_entry_is_final: entry % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bank_entry_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""

WHERE_IT_GOES = "whose wallet it goes to; without player and provider it goes back, or is explained"
STATES = [
    ("new", "not looked at yet"),
    ("payout", "a payout left"),
    ("return", "a payout came back"),
    ("received", "a player's, and in the wallet"),
    ("suspense", "came, and whose it is is not known"),
    ("assigned", "given to a player by an operator"),
    ("settled", "a provider's, who settled what it owes"),
    ("sent_back", "sent back by an operator"),
    ("unexplained", "left, and why is not known"),
    ("explained", "explained by an operator"),
]


class Migration(migrations.Migration):
    dependencies = [("bank", "0003_closing_balances")]

    operations = [
        migrations.AddField(
            "clearance",
            "provider",
            models.CharField(
                max_length=20, blank=True, default="", help_text="which settles with it what it owes"
            ),
        ),
        migrations.AddField(
            "clearance",
            "fee",
            ledger.fields.PlainNumeric(
                null=True, blank=True, help_text="what the provider kept for its work, by its own report"
            ),
        ),
        migrations.AlterField(
            "clearance",
            "player",
            models.ForeignKey(
                to="games.player", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
                help_text=WHERE_IT_GOES,
            ),
        ),
        migrations.AlterField(
            "bankentry", "state", models.CharField(max_length=11, choices=STATES, default="new")
        ),
        migrations.AddConstraint(
            "clearance",
            models.CheckConstraint(
                name="clearance_is_of_a_player_or_a_provider",
                condition=Q(provider="", fee=None)
                | ~Q(provider="") & Q(player=None, fee__gte=0, fee__lt=Decimal(10**12)),
            ),
        ),
        migrations.RemoveConstraint("bankentry", "bank_entry_is_in_a_state"),
        migrations.AddConstraint(
            "bankentry",
            models.CheckConstraint(
                name="bank_entry_is_in_a_state",
                condition=Q(state="new", done_at=None)
                | Q(state__in=["payout", "unexplained", "explained"], done_at__isnull=False, is_credit=False)
                | Q(state__in=["return", "suspense", "settled", "sent_back"], done_at__isnull=False, is_credit=True)
                | Q(state__in=["received", "assigned"], done_at__isnull=False, is_credit=True, player__isnull=False),
            ),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
