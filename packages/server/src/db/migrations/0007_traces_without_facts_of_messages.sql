-- no transaction
-- The third version of the facts masks messages by rules of their own.
create index concurrently if not exists traces_without_facts_3 on traces (workspace_id, started_at, id)
  where decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < 3);
drop index concurrently if exists traces_without_facts;
