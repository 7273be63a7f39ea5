-- The version of the workspace's totals at which a run last lost a problem, because it was deleted or changed: issues may have no
-- run any more.
alter table trace_totals add column problems_gone_version bigint not null default 0;
