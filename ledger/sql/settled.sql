-- ledger_settled: the greatest journal id up to which the book is complete: whoever drew an id so far has committed or
-- given up. The seal numbers journals, and the roll-up folds entries, up to there and not beyond.
--
-- A posting draws its id while it has ROW EXCLUSIVE on ledger_journal, and keeps that until it ends. So of the ids drawn
-- by now only those of today's holders can still come; postings are short, and it waits for exactly these. If one is not
-- gone in two seconds, null and a warning: nothing new is known, and the next run will see. No transaction id is
-- remembered, so a restored book has nothing to forget.
--
-- What is read next must be seen as it is after the wait, so it is for READ COMMITTED only; and the ids must come from
-- the sequence one by one, or a session would bring one that it drew beforehand.
CREATE FUNCTION public.ledger_settled() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    drawn   bigint;
    posting text[];  -- the transactions that had the lock when the id was read, and have it still
    patience CONSTANT timestamptz := clock_timestamp() + interval '2 seconds';
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'ledger_settled: runs in READ COMMITTED only' USING ERRCODE = '25001';
    END IF;
    IF (SELECT q.seqcache FROM pg_sequence q WHERE q.seqrelid = 'public.ledger_journal_id_seq'::regclass) <> 1 THEN
        RAISE EXCEPTION 'ledger_settled: ledger_journal_id_seq has a cache, which must be 1' USING ERRCODE = '55000';
    END IF;
    SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO drawn FROM public.ledger_journal_id_seq s;
    LOOP
        posting := ARRAY(SELECT l.virtualtransaction FROM pg_locks l
                         WHERE l.locktype = 'relation' AND l.relation = 'public.ledger_journal'::regclass
                           AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
                           AND l.mode = 'RowExclusiveLock' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
                           AND (posting IS NULL OR l.virtualtransaction = ANY (posting)));
        IF cardinality(posting) = 0 THEN
            RETURN drawn;
        ELSIF clock_timestamp() > patience THEN
            RAISE WARNING 'ledger_settled: a posting has been under way for two seconds: %', array_to_string(posting, ', ');
            RETURN NULL;
        END IF;
        PERFORM pg_sleep(0.005);
    END LOOP;
END
$$;
