-- no transaction
-- The newest runs of an agent, which findings are computed from, and which are judged again when its definition of bad changes.
create index concurrently if not exists traces_by_agent on traces (workspace_id, agent_hash, started_at desc, id desc);
