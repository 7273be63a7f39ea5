-- no transaction
-- Finds the completed runs of an agent whose decisions are most similar to those of a given run.
create index concurrently if not exists traces_by_path on traces (user_id, agent_hash, decision_path)
  where status = 'COMPLETED' and agent_hash is not null;
