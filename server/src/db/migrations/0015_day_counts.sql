-- Traces created on a UTC day, deleted ones included: what a daily limit counts, without reading the traces. And a
-- change's position is from now on the version of the user's traces after it.
-- deleted_on and deleted_count are no longer read. Servers of the version before still write them instead, and do not
-- count here: while both run, a daily limit may be passed once by as much as they take in.
alter table trace_totals add column created_on date, add column created_count integer not null default 0;

update trace_totals set
  created_on = (now() at time zone 'utc')::date,
  created_count = case when deleted_on = (now() at time zone 'utc')::date then deleted_count else 0 end + (
    select count(*) from traces
    where traces.user_id = trace_totals.user_id
      and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'),
  version = greatest(version, (
    select position from trace_changes
    where trace_changes.user_id = trace_totals.user_id order by position desc limit 1));
