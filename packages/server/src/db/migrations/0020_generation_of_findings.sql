-- How often findings of the workspace were outdated by something else than runs, such as situation keys: what was read before is then not
-- stored as the current list.
alter table trace_totals add column findings_generation bigint not null default 0;
