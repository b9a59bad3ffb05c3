"""What was judged stays: a record is written once, a ruling approved once, and nothing of either changes after."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION adjudication_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    judged public.settlement_adjudication;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state <> 'settled' THEN
        judged := OLD;
        judged.state := NEW.state;
        judged.reason := NEW.reason;
        IF OLD.analysed_at IS NULL THEN
            judged.record := NEW.record;
            judged.analysed_at := NEW.analysed_at;
        END IF;
        IF judged *= NEW AND (OLD.state <> 'analysed' OR NEW.state IN ('analysed', 'settled')) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'adjudication_is_final: stake % was left and is %; % is refused', OLD.stake_id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'adjudication_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER adjudication_is_final BEFORE UPDATE OR DELETE ON settlement_adjudication
    FOR EACH ROW EXECUTE FUNCTION adjudication_is_final();

CREATE FUNCTION ruling_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.approved_at IS NULL AND NEW.approved_at IS NOT NULL
        AND (NEW.id, NEW.stake_id, NEW.receiver, NEW.transfer, NEW.reason, NEW.asked_by_id, NEW.asked_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.stake_id, OLD.receiver, OLD.transfer, OLD.reason, OLD.asked_by_id, OLD.asked_at) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'ruling_is_final: ruling % was made; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'ruling_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER ruling_is_final BEFORE UPDATE OR DELETE ON settlement_ruling
    FOR EACH ROW EXECUTE FUNCTION ruling_is_final();
"""

BACKWARD = """
DROP TRIGGER adjudication_is_final ON settlement_adjudication;
DROP FUNCTION adjudication_is_final();
DROP TRIGGER ruling_is_final ON settlement_ruling;
DROP FUNCTION ruling_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0003_adjudications_and_rulings")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
