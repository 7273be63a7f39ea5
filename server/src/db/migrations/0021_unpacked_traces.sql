-- no transaction
-- Finds the traces whose payloads are still in the rows of their spans and events, in the order in which they were stored.
create index concurrently if not exists traces_unpacked on traces (user_id, created_at, id) where not is_packed;
