-- Only the book's functions write the book. They run as book_writer, which nobody can log in as, and which the triggers'
-- WHEN spares, since they have made the same checks. A row that anyone else
-- put in, however well made, is refused at commit; what is wrong with it is said first.
CREATE FUNCTION public.ledger_refuse_by_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_TABLE_NAME = 'ledger_journal' THEN  -- only then is there a NEW.id to ask for
        IF NOT EXISTS (SELECT FROM public.ledger_entry e WHERE e.journal_id = NEW.id) THEN
            RAISE EXCEPTION 'ledger_journal_has_entries: journal % has none', NEW.id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END IF;
    RAISE EXCEPTION 'ledger_by_function_only: % on % by hand is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- Entries need no such trigger: they come with a journal of their own transaction.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['account', 'journal', 'hold', 'sealed', 'seal']
    LOOP
        EXECUTE format(
            'CREATE CONSTRAINT TRIGGER ledger_by_function_only AFTER INSERT OR UPDATE OR DELETE ON public.ledger_%s
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user <> ''book_writer'')
             EXECUTE FUNCTION public.ledger_refuse_by_hand()', name);
    END LOOP;
END
$$;
