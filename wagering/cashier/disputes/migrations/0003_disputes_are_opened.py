"""A dispute may be opened before it is taken, and come to nothing."""

import django.db.models.expressions
import django.db.models.functions.comparison
from django.db import migrations, models


FORWARD = """
CREATE OR REPLACE FUNCTION dispute_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    next public.disputes_dispute;
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.state, NEW.state) IN (('open', 'taken'), ('open', 'won'), ('taken', 'won')) THEN
        next := OLD;
        next.state := NEW.state;
        IF NEW.state = 'taken' THEN
            next.taken_at := NEW.taken_at;
            next.amount := NEW.amount;
            next.wallet := NEW.wallet;
            next.receivable := NEW.receivable;
            next.difference := NEW.difference;
        ELSE
            next.won_at := NEW.won_at;
            next.back_wallet := NEW.back_wallet;
            next.back_receivable := NEW.back_receivable;
        END IF;
        IF next *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'dispute_is_final: dispute % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'dispute_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""

BACKWARD = """
CREATE OR REPLACE FUNCTION dispute_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    won public.disputes_dispute;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state = 'taken' AND NEW.state = 'won' THEN
        won := OLD;
        won.state := NEW.state;
        won.won_at := NEW.won_at;
        won.back_wallet := NEW.back_wallet;
        won.back_receivable := NEW.back_receivable;
        IF won *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'dispute_is_final: dispute % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'dispute_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('deposits', '0002_deposits_are_final'),
        ('disputes', '0002_disputes_are_final'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='dispute',
            options={'ordering': (models.OrderBy(django.db.models.functions.comparison.Coalesce('taken_at', 'opened_at', 'won_at'), descending=True), '-id')},
        ),
        migrations.RemoveConstraint(
            model_name='dispute',
            name='dispute_is_in_a_state',
        ),
        migrations.RemoveConstraint(
            model_name='dispute',
            name='dispute_takes_all_or_nothing',
        ),
        migrations.RemoveConstraint(
            model_name='dispute',
            name='dispute_won_gives_back_what_was_taken',
        ),
        migrations.AddField(
            model_name='dispute',
            name='opened_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='state',
            field=models.CharField(choices=[('open', 'opened: nothing is taken yet'), ('taken', 'Taken'), ('won', 'won: given back, or dropped')], default='taken', max_length=5),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='taken_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('opened_at__isnull', False), ('state', 'open'), ('taken_at', None)), models.Q(('state', 'taken'), ('taken_at__isnull', False)), ('state', 'won'), _connector='OR'), name='dispute_is_in_a_state'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(('difference__gte', 0), ('receivable__gte', 0), ('wallet__gte', 0), models.Q(models.Q(('amount', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('wallet'), '+', models.F('receivable')), '+', models.F('difference'))), ('taken_at__isnull', False)), models.Q(('difference', 0), ('receivable', 0), ('wallet', 0)), _connector='OR')), name='dispute_takes_all_or_nothing'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('back_receivable', 0), ('back_wallet', 0), ('state__in', ['open', 'taken']), ('won_at', None)), models.Q(('back_receivable__gte', 0), ('back_wallet__gte', 0), ('state', 'won'), ('won_at__isnull', False), ('back_wallet', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('wallet'), '+', models.F('receivable')), '-', models.F('back_receivable')))), _connector='OR'), name='dispute_won_gives_back_what_was_taken'),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
