"""A dispute is taken once and won once; what was collected, given up and covered stays."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION dispute_is_final() RETURNS trigger
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

CREATE TRIGGER dispute_is_final BEFORE UPDATE OR DELETE ON disputes_dispute
    FOR EACH ROW EXECUTE FUNCTION dispute_is_final();

CREATE FUNCTION write_off_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    done public.disputes_writeoff;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        done := OLD;
        IF OLD.done_at IS NULL THEN
            done.done_at := NEW.done_at;
            done.approved_by_id := NEW.approved_by_id;
        ELSIF OLD.undone_at IS NULL THEN
            done.undone_at := NEW.undone_at;
        END IF;
        IF done *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'write_off_is_final: write-off %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'write_off_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER write_off_is_final BEFORE UPDATE OR DELETE ON disputes_writeoff
    FOR EACH ROW EXECUTE FUNCTION write_off_is_final();

CREATE FUNCTION receivable_row_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'receivable_row_is_final: % of %; % is refused', OLD.id, TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'receivable_row_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER receivable_row_is_final BEFORE UPDATE OR DELETE ON disputes_collection
    FOR EACH ROW EXECUTE FUNCTION receivable_row_is_final();
CREATE TRIGGER receivable_row_is_final BEFORE UPDATE OR DELETE ON disputes_differencecover
    FOR EACH ROW EXECUTE FUNCTION receivable_row_is_final();
"""

BACKWARD = """
DROP TRIGGER receivable_row_is_final ON disputes_differencecover;
DROP TRIGGER receivable_row_is_final ON disputes_collection;
DROP FUNCTION receivable_row_is_final();
DROP TRIGGER write_off_is_final ON disputes_writeoff;
DROP FUNCTION write_off_is_final();
DROP TRIGGER dispute_is_final ON disputes_dispute;
DROP FUNCTION dispute_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("disputes", "0001_disputes")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
