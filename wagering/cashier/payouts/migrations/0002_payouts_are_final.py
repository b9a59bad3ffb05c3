"""What was asked, held, sent and told stays; states go one way; and who has to agree has agreed."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION payout_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.player_id, NEW.method_id, NEW.currency, NEW.amount, NEW.asked_at)
            = (OLD.id, OLD.player_id, OLD.method_id, OLD.currency, OLD.amount, OLD.asked_at)
        AND (OLD.state NOT IN ('refused', 'cancelled', 'returned') OR NEW.state = OLD.state)
        AND (OLD.state <> 'paid' OR NEW.state IN ('paid', 'returned'))
        AND (OLD.state <> 'failed' OR NEW.state IN ('failed', 'held'))
    THEN
        IF OLD.state IN ('held', 'review') AND NEW.state = 'approved' AND NEW.needs > (
            SELECT count(*) FROM public.payouts_decision d JOIN public.payouts_attempt a ON a.id = d.attempt_id
            WHERE a.payout_id = NEW.id AND a.released_at IS NULL AND d.approves)
        THEN
            RAISE EXCEPTION 'payout_is_agreed_on: payout % needs % operators', OLD.id, NEW.needs
                USING ERRCODE = 'check_violation', CONSTRAINT = 'payout_is_agreed_on', TABLE = TG_TABLE_NAME;
        END IF;
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'payout_is_final: payout % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payout_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER payout_is_final BEFORE UPDATE OR DELETE ON payouts_payout
    FOR EACH ROW EXECUTE FUNCTION payout_is_final();

CREATE FUNCTION attempt_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.payout_id, NEW.number, NEW.rail, NEW.ours, NEW.held_at)
            = (OLD.id, OLD.payout_id, OLD.number, OLD.rail, OLD.ours, OLD.held_at)
        AND OLD.theirs IN ('', NEW.theirs)
        AND (OLD.batch_id IS NULL OR (NEW.batch_id, NEW.position) = (OLD.batch_id, OLD.position))
        AND (OLD.sent_at IS NULL OR NEW.sent_at = OLD.sent_at)
        AND (OLD.released_at IS NULL OR NEW.released_at = OLD.released_at)
        AND (OLD.paid_at IS NULL OR NEW.paid_at = OLD.paid_at)
        AND (OLD.debit_id IS NULL OR NEW.debit_id = OLD.debit_id)
        AND (OLD.returned_at IS NULL OR (NEW.returned_at, NEW.returned) = (OLD.returned_at, OLD.returned))
        AND (OLD.credited_at IS NULL OR NEW.credited_at = OLD.credited_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'attempt_is_final: attempt %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'attempt_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER attempt_is_final BEFORE UPDATE OR DELETE ON payouts_attempt
    FOR EACH ROW EXECUTE FUNCTION attempt_is_final();

CREATE FUNCTION batch_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.currency, NEW.day, NEW.made_at, NEW.payer_name, NEW.payer_iban, NEW.payer_bic, NEW.count,
             NEW.control_sum, NEW.sha256)
            = (OLD.id, OLD.currency, OLD.day, OLD.made_at, OLD.payer_name, OLD.payer_iban, OLD.payer_bic, OLD.count,
               OLD.control_sum, OLD.sha256)
        AND (OLD.claimed_at IS NULL OR NEW.claimed_at = OLD.claimed_at)
        AND (OLD.state = NEW.state
            OR OLD.state = 'made' AND NEW.state = 'claimed'
            OR OLD.state = 'claimed' AND NEW.state IN ('submitted', 'unknown', 'refused', 'lost')
            OR OLD.state = 'unknown' AND NEW.state IN ('submitted', 'refused', 'lost'))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'batch_is_final: batch % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'batch_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER batch_is_final BEFORE UPDATE OR DELETE ON payouts_batch
    FOR EACH ROW EXECUTE FUNCTION batch_is_final();

CREATE FUNCTION payouts_word_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'payouts_word_is_final: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_word_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER payouts_word_is_final BEFORE UPDATE OR DELETE ON payouts_decision
    FOR EACH ROW EXECUTE FUNCTION payouts_word_is_final();
CREATE TRIGGER payouts_word_is_final BEFORE UPDATE OR DELETE ON payouts_switch
    FOR EACH ROW EXECUTE FUNCTION payouts_word_is_final();
"""

BACKWARD = """
DROP TRIGGER payouts_word_is_final ON payouts_switch;
DROP TRIGGER payouts_word_is_final ON payouts_decision;
DROP FUNCTION payouts_word_is_final();
DROP TRIGGER batch_is_final ON payouts_batch;
DROP FUNCTION batch_is_final();
DROP TRIGGER attempt_is_final ON payouts_attempt;
DROP FUNCTION attempt_is_final();
DROP TRIGGER payout_is_final ON payouts_payout;
DROP FUNCTION payout_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0001_payouts")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
