-- Of a running trace, which will be sent again: a hash of each child's row, so that only what changed is written. It
-- counts only while it and the trace's row were written by the same transaction (their xmin are equal); whoever writes
-- a trace without it thereby makes it void.
create table trace_manifests (
  user_id uuid not null,
  trace_id text collate "C" not null,
  hashes bytea not null,
  primary key (user_id, trace_id)
);
alter table trace_manifests alter column hashes set storage external;
