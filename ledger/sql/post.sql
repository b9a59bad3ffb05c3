-- ledger_post: the only way into the book. Records up to 1,000 vouchers in one call, one statement a table.
--
-- A voucher is its key, event, fingerprint, times and detail at one index of the first arrays; its lines, the holds it
-- opens and the holds it closes name that index and come in its order. Each voucher stands or falls alone, with the
-- outcome it would have had in a call of its own:
--
--   posted              written now
--   replayed            the key is known with the same fingerprint: the earlier journal and its balances
--   key_reused          the key is known with another fingerprint                            {journal's event}
--   invalid_amount      not above 0 and under 1e12, or finer than the minor unit; a hold's   {account, amount}
--                       is looked at with its escrow account
--   unknown_account     no such kind or currency, or the kind is not in the currency's zone  {account}
--   unbalanced          debits are not credits in a currency, or no lines                    {currency, difference}
--   zones_mixed         moves both play money and real money                                 {}
--   unknown_hold        closes a hold that does not exist                                    {hold}
--   hold_closed         closes a hold a second time                                          {hold, state}
--   hold_exists         opens a hold a second time                                           {hold}
--   holds_differ        an escrow account moves by more or less than its holds do            {account, moved, held}
--   insufficient_funds  a guarded account would fall below zero                              {account, balance, needed}
--
-- in that order of precedence. Locks: accounts that must be opened in the order of their names, then balances by account
-- id, then holds by id, then the keys in their order. A hot account is never locked. Nobody who has written a key waits
-- for a balance, so a rival with the same key waits for an end, not in a deadlock.
CREATE FUNCTION public.ledger_post(
    keys text[], events text[], fingerprints bytea[], occurred timestamptz[], details jsonb[], reverse_of bigint[],
    line_voucher int[], line_code text[], line_owner uuid[], line_currency text[], line_side text[],
    line_amount numeric[],
    open_voucher int[], open_id uuid[], open_owner uuid[], open_currency text[], open_amount numeric[],
    close_voucher int[], close_id uuid[], close_state text[]
) RETURNS TABLE (outcome text, journal bigint, posted timestamptz, balances numeric[], refusal text[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- One plan a statement, by index, whatever the statistics say: a plan made for one row of an empty table must not
-- outlive it, and planning a statement costs more than running it.
SET plan_cache_mode = force_generic_plan
SET enable_nestloop = on SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
    -- Most calls are one voucher, in order and without holds: everything that ledger_decide does and checks for such a
    -- one, in one statement. It ends with a receipt, or with nothing done, and ledger_decide says what is wrong.
    -- Each expression and statement of PL/pgSQL costs anew in every transaction, and there they are a hundred.
    IF cardinality(keys) = 1 AND cardinality(open_voucher) = 0 AND cardinality(close_voucher) = 0
       AND current_setting('transaction_isolation') = 'read committed'
    THEN
        WITH line AS MATERIALIZED (
            SELECT l.side, l.amount, a.id, a.hot,
                   CASE l.side WHEN 'DR' THEN l.amount WHEN 'CR' THEN -l.amount END AS debit,
                   CASE WHEN l.side = a.grows_on THEN l.amount ELSE -l.amount END AS effect,
                   (l.amount > 0 AND l.amount < 1e12 AND scale(l.amount) <= a.minor_digits AND l.voucher = 1
                    AND l.currency = line_currency[1] AND l.code <> 'escrow') IS TRUE AS sound
            FROM (
                SELECT unnest(line_voucher) AS voucher, unnest(line_code) AS code, unnest(line_owner) AS owner,
                       unnest(line_currency) AS currency, unnest(line_side) AS side, unnest(line_amount) AS amount) AS l
            LEFT JOIN public.ledger_account a ON a.code = l.code AND a.owner = l.owner AND a.currency = l.currency),
        cold AS MATERIALIZED (
            SELECT b.account_id, b.guarded, b.amount, b.version, b.posted_at FROM public.ledger_balance b
            -- None is locked while accounts are still to be opened.
            WHERE b.account_id = ANY ((SELECT CASE WHEN every(l.sound) THEN array_agg(l.id) END FROM line l)::bigint[])
                  AND NOT b.hot
            ORDER BY b.account_id FOR NO KEY UPDATE),
        entry AS MATERIALIZED (
            SELECT l.*, c.amount + l.effect AS after, c.version + 1 AS version, c.posted_at,
                   l.sound AND CASE WHEN l.hot THEN true ELSE c.amount + l.effect >= 0 OR NOT c.guarded END AS fits
            FROM line l LEFT JOIN cold c ON c.account_id = l.id),
        verdict AS MATERIALIZED (
            SELECT greatest(clock_timestamp(), max(e.posted_at)) AS posted_at, array_agg(e.after) AS afters
            FROM entry e
            HAVING every(e.fits IS TRUE) AND sum(e.debit) = 0),
        made AS (
            INSERT INTO public.ledger_journal
                    (id, key, event, fingerprint, occurred_at, posted_at, reverses, xact, detail)
                SELECT nextval('public.ledger_journal_id_seq'), keys[1], events[1], fingerprints[1], occurred[1], v.posted_at,
                       reverse_of[1], pg_current_xact_id(), details[1]
                FROM verdict v
                ON CONFLICT (key) DO NOTHING
                RETURNING id, posted_at),
        written AS MATERIALIZED (
            SELECT e.id AS account_id, coalesce(e.version, j.id) AS version, j.id AS journal_id, e.side, e.amount, e.after,
                   j.posted_at
            FROM made j CROSS JOIN entry e),
        entries AS (
            INSERT INTO public.ledger_entry (account_id, version, journal_id, side, amount, balance_after)
                SELECT w.account_id, w.version, w.journal_id, w.side, w.amount, w.after FROM written w),
        moved AS (
            UPDATE public.ledger_balance b SET amount = w.after, version = w.version, posted_at = w.posted_at
                FROM written w WHERE b.account_id = w.account_id AND w.after IS NOT NULL)
        SELECT 'posted', j.id, j.posted_at, v.afters INTO outcome, journal, posted, balances
            FROM made j CROSS JOIN verdict v;
        IF outcome IS NOT NULL THEN
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;
    RETURN QUERY SELECT * FROM public.ledger_decide(
        keys, events, fingerprints, occurred, details, reverse_of,
        line_voucher, line_code, line_owner, line_currency, line_side, line_amount,
        open_voucher, open_id, open_owner, open_currency, open_amount, close_voucher, close_id, close_state);
END
$$;
