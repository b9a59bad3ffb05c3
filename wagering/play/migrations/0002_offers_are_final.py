"""What was offered stays as it was offered; an offer and a counter-proposal only change their state, while they stand."""

from django.db import migrations

# Compared by their image (*=): an amount of more decimals is another amount to the rules.
FORWARD = """
CREATE FUNCTION offer_terms_are_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moved public.play_offer;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state IN ('open', 'countered') THEN
        moved := OLD;
        moved.state := NEW.state;
        moved.changed_at := NEW.changed_at;
        moved.taker_id := NEW.taker_id;
        moved.table_id := NEW.table_id;
        IF moved *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'offer_terms_are_final: offer % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'offer_terms_are_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER offer_terms_are_final BEFORE UPDATE OR DELETE ON play_offer
    FOR EACH ROW EXECUTE FUNCTION offer_terms_are_final();

CREATE FUNCTION counter_terms_are_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moved public.play_counterproposal;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state = 'pending' THEN
        moved := OLD;
        moved.state := NEW.state;
        moved.changed_at := NEW.changed_at;
        IF moved *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'counter_terms_are_final: counter-proposal % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'counter_terms_are_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER counter_terms_are_final BEFORE UPDATE OR DELETE ON play_counterproposal
    FOR EACH ROW EXECUTE FUNCTION counter_terms_are_final();

CREATE FUNCTION play_money_issue_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'play_money_issue_is_final: issue % was made; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'play_money_issue_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER play_money_issue_is_final BEFORE UPDATE OR DELETE ON play_playmoneyissue
    FOR EACH ROW EXECUTE FUNCTION play_money_issue_is_final();
"""

BACKWARD = """
DROP TRIGGER play_money_issue_is_final ON play_playmoneyissue;
DROP FUNCTION play_money_issue_is_final();
DROP TRIGGER counter_terms_are_final ON play_counterproposal;
DROP FUNCTION counter_terms_are_final();
DROP TRIGGER offer_terms_are_final ON play_offer;
DROP FUNCTION offer_terms_are_final();
"""


class Migration(migrations.Migration):
    dependencies = [("play", "0001_offers")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
