-- One voucher a call, from a wallet to the room's commission; the same as population.hot.
\set payer random(1, 1000)
\set cents random(1, 99)
SELECT p.outcome FROM (
    SELECT 'bench_transfer:' || gen_random_uuid() AS key,
           ('00000000-0000-4000-8000-' || lpad(to_hex(:payer::int), 12, '0'))::uuid AS payer,
           '00000000-0000-4000-9000-000000000001'::uuid AS room,
           round(:cents::int * 0.01, 2) AS amount) AS g,
    LATERAL public.ledger_post(
        ARRAY[g.key], ARRAY['bench_transfer'],
        ARRAY[sha256(convert_to(concat_ws(E'\n', 'bench_transfer', 'CR commission ' || g.room || ' USD ' || g.amount,
                                          'DR wallet ' || g.payer || ' USD ' || g.amount), 'UTF8'))],
        ARRAY[now()], ARRAY['{}'::jsonb], ARRAY[NULL::bigint],
        ARRAY[1, 1], ARRAY['commission', 'wallet'], ARRAY[g.room, g.payer], ARRAY['USD', 'USD'], ARRAY['CR', 'DR'],
        ARRAY[g.amount, g.amount],
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::uuid[], ARRAY[]::text[], ARRAY[]::numeric[],
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::text[]) AS p
