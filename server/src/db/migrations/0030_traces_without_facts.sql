-- no transaction
-- Finds the traces whose facts are missing or of an older version (trace-store/backfill-facts.ts). Empty once all are
-- computed. A new version of the facts needs a new index.
create index concurrently if not exists traces_without_facts on traces (user_id, started_at, id)
  where decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < 1);
