"""What the bank told stays; an entry is placed once, and cleared once."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION bank_entry_is_final() RETURNS trigger
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

CREATE TRIGGER bank_entry_is_final BEFORE UPDATE OR DELETE ON bank_bankentry
    FOR EACH ROW EXECUTE FUNCTION bank_entry_is_final();

CREATE FUNCTION bank_word_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'bank_word_is_final: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bank_word_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER bank_word_is_final BEFORE UPDATE OR DELETE ON bank_clearance
    FOR EACH ROW EXECUTE FUNCTION bank_word_is_final();
CREATE TRIGGER bank_word_is_final BEFORE UPDATE OR DELETE ON bank_transferreference
    FOR EACH ROW EXECUTE FUNCTION bank_word_is_final();
"""

BACKWARD = """
DROP TRIGGER bank_word_is_final ON bank_transferreference;
DROP TRIGGER bank_word_is_final ON bank_clearance;
DROP FUNCTION bank_word_is_final();
DROP TRIGGER bank_entry_is_final ON bank_bankentry;
DROP FUNCTION bank_entry_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("bank", "0001_bank")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
