-- ledger_journal_text: a journal as the seal hashes it, from the values as stored. ledger/seals.py says the same in Python.
CREATE FUNCTION public.ledger_journal_text(journal bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
    SELECT concat_ws(E'\n',
        concat_ws('|', 'journal', j.id, j.key, j.event, encode(j.fingerprint, 'hex'),
                  to_char(j.occurred_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'), to_char(j.posted_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
                  coalesce(j.reverses::text, '-'), j.detail::text),
        (SELECT string_agg(concat_ws('|', 'entry', e.account_id, a.code, a.owner, a.currency, e.version, e.side, e.amount,
                                     coalesce(e.balance_after::text, '-')), E'\n' ORDER BY e.account_id, e.version)
         FROM public.ledger_entry e LEFT JOIN public.ledger_account a ON a.id = e.account_id WHERE e.journal_id = j.id),
        (SELECT string_agg(concat_ws('|', 'opens', h.id, h.owner, h.currency, h.amount), E'\n' ORDER BY h.id)
         FROM public.ledger_hold h WHERE h.opened_by = j.id),
        (SELECT string_agg(concat_ws('|', 'closes', h.id, h.state), E'\n' ORDER BY h.id)
         FROM public.ledger_hold h WHERE h.closed_by = j.id))
    FROM public.ledger_journal j WHERE j.id = journal
$$;

-- ledger_seal: number up to "at_most" journals that have committed, without a gap, and chain their hashes.
--
-- They are numbered in the order of their ids, as far as the book is complete (ledger_settled), so what lies behind the
-- last sealed journal is sealed for good. Returns the new seal's last number, or null when nothing could be sealed.
CREATE FUNCTION public.ledger_seal(at_most int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
    before  public.ledger_seal;
    number  bigint;
    hash    bytea;
    settled bigint;
    waiting bigint;
    totals  jsonb;
    until   timestamptz;
    sealed  timestamptz;
BEGIN
    -- One at a time. The number is "seal" in ASCII.
    PERFORM pg_advisory_xact_lock(x'7365616c'::int);
    SELECT * INTO before FROM public.ledger_seal s ORDER BY s.last DESC LIMIT 1;
    number := coalesce(before.last, 0);
    hash := coalesce((SELECT n.sha256 FROM public.ledger_sealed n WHERE n.number = before.last), ''::bytea);
    settled := public.ledger_settled();
    FOR waiting IN
        SELECT j.id FROM public.ledger_journal j
        WHERE j.id <= settled
          AND j.id > coalesce((SELECT n.journal_id FROM public.ledger_sealed n WHERE n.number = before.last), 0)
        ORDER BY j.id LIMIT at_most
    LOOP
        number := number + 1;
        hash := sha256(hash || convert_to(number || '|' || public.ledger_journal_text(waiting), 'UTF8'));
        INSERT INTO public.ledger_sealed (number, journal_id, sha256) VALUES (number, waiting, hash);
    END LOOP;
    IF number = coalesce(before.last, 0) THEN
        RETURN NULL;
    END IF;

    -- Totals of the whole book up to here: the seal before, and what is new.
    WITH fresh AS (
        SELECT a.id, a.currency, a.hot, e.side, e.amount, a.grows_on
        FROM public.ledger_sealed n JOIN public.ledger_entry e ON e.journal_id = n.journal_id
        JOIN public.ledger_account a ON a.id = e.account_id
        WHERE n.number > coalesce(before.last, 0)),
    debits AS (
        SELECT currency, sum(amount) AS amount FROM (
            SELECT currency, amount FROM fresh WHERE side = 'DR'
            UNION ALL SELECT key, value::numeric FROM jsonb_each_text(before.totals -> 'debits')) AS d GROUP BY currency),
    hot AS (
        SELECT id, sum(amount) AS amount FROM (
            SELECT id::text, CASE WHEN side = grows_on THEN amount ELSE -amount END AS amount FROM fresh WHERE hot
            UNION ALL SELECT key, value::numeric FROM jsonb_each_text(before.totals -> 'hot')) AS h GROUP BY id)
    SELECT jsonb_build_object(
        'debits', coalesce((SELECT jsonb_object_agg(currency, amount::text) FROM debits), '{}'),
        'hot', coalesce((SELECT jsonb_object_agg(id, amount::text) FROM hot), '{}')) INTO totals;
    SELECT greatest(max(j.posted_at), before.posted_until) INTO until
        FROM public.ledger_sealed n JOIN public.ledger_journal j ON j.id = n.journal_id
        WHERE n.number > coalesce(before.last, 0);
    sealed := clock_timestamp();
    INSERT INTO public.ledger_seal (last, first, count, totals, posted_until, sealed_at, previous, sha256)
        VALUES (number, coalesce(before.last, 0) + 1, number - coalesce(before.last, 0), totals, until, sealed, before.sha256,
                sha256(coalesce(before.sha256, ''::bytea) || hash || convert_to(concat_ws('|', coalesce(before.last, 0) + 1, number,
                       totals::text, to_char(until, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
                       to_char(sealed, 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8')));
    RETURN number;
END
$$;
