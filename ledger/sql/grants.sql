-- Who may do what. The application reads the book and calls its functions; it can write none of its tables.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['currency', 'kind', 'account', 'balance', 'journal', 'entry', 'hold', 'sealed', 'seal']
    LOOP
        EXECUTE format('REVOKE ALL ON public.ledger_%s FROM PUBLIC, app, book_writer', name);
        EXECUTE format('GRANT SELECT ON public.ledger_%s TO app', name);
        EXECUTE format('GRANT SELECT, INSERT ON public.ledger_%s TO book_writer', name);
    END LOOP;
END
$$;
GRANT UPDATE ON public.ledger_balance, public.ledger_hold TO book_writer;
REVOKE ALL ON SEQUENCE public.ledger_journal_id_seq, public.ledger_account_id_seq FROM PUBLIC, app;
GRANT SELECT ON SEQUENCE public.ledger_journal_id_seq TO app; -- for the proofs: to read how far it is, not to draw from it
GRANT USAGE, SELECT ON SEQUENCE public.ledger_journal_id_seq, public.ledger_account_id_seq TO book_writer;

-- The functions that write run as book_writer. To own a function a role must be able to create in the schema; it may
-- only for this moment.
GRANT CREATE ON SCHEMA public TO book_writer;
DO $$
DECLARE
    name regprocedure;
BEGIN
    FOR name IN SELECT p.oid::regprocedure FROM pg_proc p
                WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'ledger\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    END LOOP;
    FOR name IN SELECT p.oid::regprocedure FROM pg_proc p
                WHERE p.pronamespace = 'public'::regnamespace AND p.proname IN ('ledger_post', 'ledger_roll_up', 'ledger_seal')
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO app', name);
        EXECUTE format('ALTER FUNCTION %s OWNER TO book_writer', name);
    END LOOP;
END
$$;
DO $$
BEGIN
    -- Called by ledger_post alone.
    EXECUTE (SELECT format('GRANT EXECUTE ON FUNCTION %s TO book_writer', oid::regprocedure) FROM pg_proc
             WHERE pronamespace = 'public'::regnamespace AND proname = 'ledger_decide');
END
$$;
GRANT EXECUTE ON FUNCTION public.ledger_settled() TO book_writer;
GRANT EXECUTE ON FUNCTION public.ledger_balance_at(bigint, timestamptz) TO app;
GRANT EXECUTE ON FUNCTION public.ledger_version_at(bigint, timestamptz) TO app;
GRANT EXECUTE ON FUNCTION public.ledger_journal_text(bigint) TO app, book_writer;
REVOKE CREATE ON SCHEMA public FROM book_writer;
