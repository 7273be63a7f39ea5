-- The payloads of a trace's spans and events, compressed together: a trace repeats itself, and only one frame over all of
-- its payloads can use that. A part holds about 1 MiB of JSON; `directory` says which payloads it holds, and where.
create table trace_payloads (
  user_id uuid not null,
  trace_id text collate "C" not null,
  part integer not null,
  directory bytea not null,
  bytes bytea not null,
  primary key (user_id, trace_id, part)
);
-- Compressed already.
alter table trace_payloads alter column bytes set storage external;

-- True if the row's payloads are in trace_payloads. A server of the previous version leaves it null.
alter table spans add column is_packed boolean;
alter table events add column is_packed boolean;
-- Whether all children of the trace were written packed.
alter table traces add column is_packed boolean not null default false;
