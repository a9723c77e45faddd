-- A caller's token goes with the end of its run, in the same transaction, whatever code ends the run.
CREATE FUNCTION forget_run_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM run_tokens WHERE run_id = NEW.run_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER runs_forget_token AFTER UPDATE OF ended_at ON runs
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION forget_run_token();
