-- no transaction
-- Like traces_newest, with the columns by which the list is filtered, so that filtering reads only the index.
create index concurrently if not exists traces_by_start on traces (user_id, started_at, id)
  include (status, created_at, total_cost, total_tokens, total_duration, error_count, decision_types, agent_hash);
drop index concurrently if exists traces_newest;
-- Finds the traces whose metadata has a value.
create index concurrently if not exists traces_by_metadata on traces using gin (user_id, metadata_pairs)
  where metadata_pairs is not null;
-- Finds the traces whose facts are missing, incomplete or of an older version (trace-store/backfill-facts.ts). Empty once
-- all are computed.
create index concurrently if not exists traces_to_fill on traces (user_id, started_at, id)
  where error_count is null or (decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < 1));
