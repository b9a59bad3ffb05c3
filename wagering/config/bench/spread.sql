-- One voucher a call, from one wallet to another; the same as population.spread.
\set payer 100000000000 + random(1, 1000)
\set payee 100000000000 + (:payer + random(0, 998)) % 1000 + 1
\set cents random(10, 99)
\set high random(1152921504606846976, 9223372036854775806)
\set low random(1152921504606846976, 9223372036854775806)
SELECT outcome FROM public.ledger_post(
    ARRAY['bench_transfer:' || to_hex(:high::bigint) || to_hex(:low::bigint)], ARRAY['bench_transfer'],
    ARRAY[sha256((E'bench_transfer\nCR wallet 00000000-0000-4000-8000-' || :payee::text || ' USD 0.' || :cents::text
               || E'\nDR wallet 00000000-0000-4000-8000-' || :payer::text || ' USD 0.' || :cents::text)::bytea)],
    ARRAY[now()], ARRAY['{}'::jsonb], ARRAY[NULL::bigint],
    ARRAY[1, 1], ARRAY['wallet', 'wallet'],
    ARRAY[('00000000-0000-4000-8000-' || :payer::text)::uuid, ('00000000-0000-4000-8000-' || :payee::text)::uuid],
    ARRAY['USD', 'USD'], ARRAY['DR', 'CR'], ARRAY[('0.' || :cents::text)::numeric, ('0.' || :cents::text)::numeric],
    '{}'::int[], '{}'::uuid[], '{}'::uuid[], '{}'::text[], '{}'::numeric[], '{}'::int[], '{}'::uuid[], '{}'::text[])
