-- A hold opens once and closes once; nothing else about it ever changes.
CREATE FUNCTION public.ledger_refuse_holds() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        RAISE EXCEPTION 'ledger_hold_opens_open: hold % cannot begin as %', NEW.id, NEW.state
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RAISE EXCEPTION 'ledger_hold_closes_once: hold % is %', OLD.id, OLD.state
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER ledger_hold_opens_open BEFORE INSERT ON public.ledger_hold FOR EACH ROW
    WHEN (NEW.state <> 'OPEN') EXECUTE FUNCTION public.ledger_refuse_holds();
CREATE TRIGGER ledger_hold_closes_once BEFORE UPDATE ON public.ledger_hold FOR EACH ROW
    WHEN (OLD.state <> 'OPEN' OR NEW.state = 'OPEN'
          OR (OLD.id, OLD.owner, OLD.currency, OLD.amount, OLD.opened_by)
             IS DISTINCT FROM (NEW.id, NEW.owner, NEW.currency, NEW.amount, NEW.opened_by))
    EXECUTE FUNCTION public.ledger_refuse_holds();
