-- ledger_balance_at: what an account held at an instant of book time (posted_at), that instant included.
--
-- Cold: a binary search over the versions, since posted_at never runs backwards along an account. Hot: the totals kept
-- by the latest seal that lies wholly before the instant, and the journals since.
CREATE FUNCTION public.ledger_balance_at(account bigint, instant timestamptz) RETURNS numeric
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    kept   record;
    known  public.ledger_account;
    low    bigint := 0;  -- this version is within, or 0
    high   bigint;       -- this version is beyond
    middle bigint;
    after  numeric := 0;
    found  record;
BEGIN
    SELECT * INTO known FROM public.ledger_account a WHERE a.id = account;
    IF known.hot THEN
        SELECT s.last, coalesce((s.totals -> 'hot' ->> account::text)::numeric, 0) AS amount INTO kept
            FROM public.ledger_seal s WHERE s.posted_until <= instant ORDER BY s.last DESC LIMIT 1;
        SELECT coalesce(sum(CASE WHEN e.side = known.grows_on THEN e.amount ELSE -e.amount END), 0) INTO after
            FROM public.ledger_entry e JOIN public.ledger_journal j ON j.id = e.journal_id AND j.posted_at <= instant
            WHERE e.account_id = account
              AND e.version > coalesce((SELECT n.journal_id FROM public.ledger_sealed n WHERE n.number = kept.last), 0);
        RETURN coalesce(kept.amount, 0) + after;
    END IF;
    SELECT b.version + 1 INTO high FROM public.ledger_balance b WHERE b.account_id = account;
    WHILE high - low > 1 LOOP
        middle := (low + high) / 2;
        SELECT e.balance_after, j.posted_at INTO found
            FROM public.ledger_entry e JOIN public.ledger_journal j ON j.id = e.journal_id
            WHERE e.account_id = account AND e.version = middle;
        IF found.posted_at <= instant THEN
            low := middle; after := found.balance_after;
        ELSE
            high := middle;
        END IF;
    END LOOP;
    RETURN after;
END
$$;
