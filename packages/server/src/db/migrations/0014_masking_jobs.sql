-- How far the rules of a workspace are applied to the traces that are stored, from the newest one on. A process that works on it holds
-- the lock of its row and moves the cursor in the transaction that masks traces, so a process that dies leaves nothing half done.
create table masking_jobs (
  workspace_id uuid primary key,
  -- the version of the rules that is applied; if the rules change, the job begins again
  version bigint not null,
  -- running, done, stopped
  status text not null,
  -- what is looked at now: traces, scores, verdicts, pending
  phase text not null default 'traces',
  -- of the last trace, score or verdict that was looked at; null: none yet
  cursor_started_at timestamptz,
  cursor_id text collate "C",
  -- traces: looked at, at the beginning, and in which something was masked
  done bigint not null default 0,
  total bigint not null,
  changed bigint not null default 0,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index masking_jobs_running on masking_jobs (workspace_id) where status = 'running';
