-- Traces created on a UTC day, deleted ones included: what a daily limit counts, without reading the traces.
-- deleted_on and deleted_count are no longer read; servers of the version before still write them.
alter table trace_totals add column created_on date, add column created_count integer not null default 0;

update trace_totals set
  created_on = (now() at time zone 'utc')::date,
  created_count = case when deleted_on = (now() at time zone 'utc')::date then deleted_count else 0 end + (
    select count(*) from traces
    where traces.user_id = trace_totals.user_id
      and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc');

-- A change's position is the version of the user's traces after it.
update trace_totals as totals set version = greatest(version, last.position)
from (select user_id, max(position) as position from trace_changes group by user_id) as last
where last.user_id = totals.user_id;
