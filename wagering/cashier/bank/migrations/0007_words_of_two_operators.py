"""An operator's word on more than one says alone is proposed, and done when another says the same."""

import uuid
from decimal import Decimal

import django.db.models.deletion
import ledger.fields
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

PROTECT = django.db.models.deletion.PROTECT
WHERE_IT_GOES = "whose wallet it goes to; without player and provider it goes back, or is explained"
FEE = "what the provider kept for its work, by its own report"
FORWARD = """
CREATE TRIGGER bank_word_is_final BEFORE UPDATE OR DELETE ON bank_proposal
    FOR EACH ROW EXECUTE FUNCTION bank_word_is_final();
"""
BACKWARD = "DROP TRIGGER bank_word_is_final ON bank_proposal;"


class Migration(migrations.Migration):
    dependencies = [("bank", "0006_whole_entries"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(
            "clearance",
            "confirmed_by",
            models.ForeignKey(to=settings.AUTH_USER_MODEL, on_delete=PROTECT, null=True, blank=True, related_name="+"),
        ),
        migrations.AddConstraint(
            "clearance",
            models.CheckConstraint(
                name="clearance_is_confirmed_by_another", condition=Q(confirmed_by=None) | ~Q(confirmed_by=F("by"))
            ),
        ),
        migrations.CreateModel(
            "Proposal",
            [
                ("id", models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False, serialize=False)),
                ("entry", models.ForeignKey(to="bank.bankentry", on_delete=PROTECT, related_name="proposals")),
                (
                    "player",
                    models.ForeignKey(
                        to="games.player", on_delete=PROTECT, null=True, blank=True, related_name="+",
                        help_text=WHERE_IT_GOES,
                    ),
                ),
                (
                    "provider",
                    models.CharField(
                        max_length=20, blank=True, default="", help_text="which settles with it what it owes"
                    ),
                ),
                ("fee", ledger.fields.PlainNumeric(null=True, blank=True, help_text=FEE)),
                ("reason", models.TextField(help_text="how that is known")),
                ("by", models.ForeignKey(to=settings.AUTH_USER_MODEL, on_delete=PROTECT, related_name="+")),
                ("at", models.DateTimeField()),
            ],
            {"ordering": ("-at",), "abstract": False},
        ),
        migrations.AddConstraint(
            "proposal", models.CheckConstraint(name="proposal_has_a_reason", condition=~Q(reason=""))
        ),
        migrations.AddConstraint(
            "proposal",
            models.CheckConstraint(
                name="proposal_is_of_a_player_or_a_provider",
                condition=Q(provider="", fee=None)
                | ~Q(provider="") & Q(player=None, fee__gte=0, fee__lt=Decimal(10**12)),
            ),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
