"""What was asked, paid and told stays; states go one way; and no more goes back than was paid."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION deposit_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.player_id, NEW.provider, NEW.currency, NEW.amount, NEW.ours, NEW.return_url, NEW.created_at)
            = (OLD.id, OLD.player_id, OLD.provider, OLD.currency, OLD.amount, OLD.ours, OLD.return_url, OLD.created_at)
        AND OLD.theirs IN ('', NEW.theirs)
        AND (OLD.paid IS NULL OR (NEW.paid, NEW.paid_currency, NEW.method_id)
            IS NOT DISTINCT FROM (OLD.paid, OLD.paid_currency, OLD.method_id))
        AND (OLD.succeeded_at IS NULL OR NEW.succeeded_at IS NOT DISTINCT FROM OLD.succeeded_at)
        AND (OLD.paid IS NULL OR OLD.succeeded_at IS NOT NULL OR NEW.succeeded_at IS NULL)
        AND (OLD.state = 'created' OR NEW.state <> 'created')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'deposit_is_final: deposit % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'deposit_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER deposit_is_final BEFORE UPDATE OR DELETE ON deposits_deposit
    FOR EACH ROW EXECUTE FUNCTION deposit_is_final();

CREATE FUNCTION refund_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.deposit_id, NEW.amount, NEW.currency, NEW.ours, NEW.reason, NEW.asked_by_id, NEW.asked_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.deposit_id, OLD.amount, OLD.currency, OLD.ours, OLD.reason, OLD.asked_by_id, OLD.asked_at)
        AND OLD.theirs IN ('', NEW.theirs)
        AND (OLD.owed = NEW.owed OR OLD.asked_by_id IS NULL)
        AND (OLD.state = NEW.state OR OLD.state = 'requested' OR (OLD.state, NEW.state) = ('succeeded', 'failed'))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'refund_is_final: refund % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'refund_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER refund_is_final BEFORE UPDATE OR DELETE ON deposits_refund
    FOR EACH ROW EXECUTE FUNCTION refund_is_final();

CREATE FUNCTION refunds_are_at_most_what_was_paid() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    was_paid numeric;
    goes_back numeric;
BEGIN
    SELECT paid INTO was_paid FROM public.deposits_deposit
        WHERE id = NEW.deposit_id AND paid_currency = NEW.currency FOR UPDATE;
    SELECT coalesce(sum(amount), 0) + NEW.amount INTO goes_back FROM public.deposits_refund
        WHERE deposit_id = NEW.deposit_id AND state <> 'failed';
    IF was_paid IS NULL OR goes_back > was_paid THEN
        RAISE EXCEPTION 'refunds_are_at_most_what_was_paid: deposit %: % of %', NEW.deposit_id, goes_back, was_paid
            USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_are_at_most_what_was_paid', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER refunds_are_at_most_what_was_paid BEFORE INSERT ON deposits_refund
    FOR EACH ROW EXECUTE FUNCTION refunds_are_at_most_what_was_paid();

CREATE FUNCTION event_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.done_at IS NULL AND NEW.done_at IS NOT NULL
        AND (NEW.id, NEW.provider, NEW.event_id, NEW.kind, NEW.body, NEW.tells, NEW.received_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.provider, OLD.event_id, OLD.kind, OLD.body, OLD.tells, OLD.received_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'event_is_final: event %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'event_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER event_is_final BEFORE UPDATE OR DELETE ON deposits_inboxevent
    FOR EACH ROW EXECUTE FUNCTION event_is_final();
"""

BACKWARD = """
DROP TRIGGER event_is_final ON deposits_inboxevent;
DROP FUNCTION event_is_final();
DROP TRIGGER refunds_are_at_most_what_was_paid ON deposits_refund;
DROP FUNCTION refunds_are_at_most_what_was_paid();
DROP TRIGGER refund_is_final ON deposits_refund;
DROP FUNCTION refund_is_final();
DROP TRIGGER deposit_is_final ON deposits_deposit;
DROP FUNCTION deposit_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("deposits", "0001_deposits")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
