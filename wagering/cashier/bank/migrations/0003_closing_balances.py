"""What the bank says that there is, and what the book had then: each written once."""

import django.db.models.deletion
import ledger.fields
from decimal import Decimal
from django.db import migrations, models

FORWARD = """
CREATE FUNCTION closing_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    compared public.bank_closingbalance;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.booked IS NULL THEN
        compared := OLD;
        compared.booked := NEW.booked;
        IF compared *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'closing_is_final: % of closing balance % is refused', TG_OP, OLD.id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'closing_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER closing_is_final BEFORE UPDATE OR DELETE ON bank_closingbalance
    FOR EACH ROW EXECUTE FUNCTION closing_is_final();
"""

BACKWARD = """
DROP TRIGGER closing_is_final ON bank_closingbalance;
DROP FUNCTION closing_is_final();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('bank', '0002_entries_are_final'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClosingBalance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(max_length=4)),
                ('amount', ledger.fields.PlainNumeric()),
                ('day', models.DateField()),
                ('booked', ledger.fields.PlainNumeric(blank=True, null=True)),
                ('statement', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='closings', to='bank.statement')),
            ],
            options={
                'ordering': ('-day', '-id'),
                'indexes': [models.Index(condition=models.Q(('booked', None)), fields=['id'], name='closings_to_compare')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', Decimal('-1000000000000')), ('amount__lt', Decimal('1000000000000'))), name='closing_is_an_amount')],
            },
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
