-- A process does a job while it holds the job's lease, so that several processes do not do the same work. Each lease has its
-- own number.
create table worker_leases (
  job text primary key,
  number bigint not null,
  ends_at timestamptz not null
);
