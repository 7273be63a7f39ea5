-- no transaction
-- Runs that decided nothing, which insights count beside those that did.
create index concurrently if not exists traces_without_decisions on traces (workspace_id, started_at) include (status)
  where decision_point_count = 0;
