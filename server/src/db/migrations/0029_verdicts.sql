-- What a person says about a decision.
create table verdicts (
  user_id uuid not null,
  trace_id text collate "C" not null,
  decision_point_id text collate "C" not null,
  verdict text not null check (verdict in ('right', 'wrong')),
  should_have_been text,
  note text,
  suspect_rank integer,
  agent_hash bigint not null,
  signature bigint not null,
  step bigint not null,
  created_at timestamptz not null default now(),
  primary key (user_id, trace_id, decision_point_id)
);
create index on verdicts (user_id, signature, step);
create index on verdicts (user_id, created_at);

-- Decision contracts: checked by GET /api/insights/drift.
create table decision_rules (
  user_id uuid not null,
  id uuid not null default gen_random_uuid(),
  agent text not null,
  signature bigint not null,
  type text not null,
  step bigint not null,
  option text not null,
  kind text not null check (kind in ('never', 'share')),
  min_share double precision,
  max_share double precision,
  note text,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);

-- Decisions that a user set aside in the list of insights, because the request decides them.
create table decisions_set_aside (
  user_id uuid not null,
  signature bigint not null,
  created_at timestamptz not null default now(),
  primary key (user_id, signature)
);
