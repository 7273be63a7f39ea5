-- Links to single traces. They are found by their secret alone, so the table is not distributed by user.
create table trace_shares (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  trace_id text not null,
  -- tells the shared trace from a later one with the same id, after it was deleted
  trace_created_at timestamptz not null,
  token_hash bytea not null unique,
  has_payloads boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  open_count bigint not null default 0,
  last_opened_at timestamptz
);
create index on trace_shares (user_id, created_at);
create index on trace_shares (expires_at);
