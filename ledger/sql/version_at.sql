-- ledger_version_at: the version of a cold account's latest entry at an instant of book time (posted_at), that instant
-- included; 0 before its first. A binary search, since posted_at never runs backwards along a cold account.
CREATE FUNCTION public.ledger_version_at(account bigint, instant timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    low    bigint := 0;  -- this version is within, or 0
    high   bigint;       -- this version is beyond
    middle bigint;
BEGIN
    SELECT b.version + 1 INTO high FROM public.ledger_balance b WHERE b.account_id = account;
    WHILE high - low > 1 LOOP
        middle := (low + high) / 2;
        IF (SELECT j.posted_at <= instant
            FROM public.ledger_entry e JOIN public.ledger_journal j ON j.id = e.journal_id
            WHERE e.account_id = account AND e.version = middle) THEN
            low := middle;
        ELSE
            high := middle;
        END IF;
    END LOOP;
    RETURN low;
END
$$;
