create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Ids are compared byte by byte (collate "C"): the same order on every server, and the cheapest one.

-- The one fact that crosses users: whose a trace id is.
create table trace_owners (
  trace_id text collate "C" primary key,
  user_id uuid not null
);
create index on trace_owners (user_id);

create table traces (
  user_id uuid not null,
  id text collate "C" not null,
  name text not null,
  session_id text collate "C",
  status text not null,
  tags text[] not null,
  metadata json,
  total_cost double precision,
  total_tokens double precision,
  total_duration double precision,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- exactly the millisecond it is shown with, so that inclusive bounds hold
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  span_count integer not null,
  decision_point_count integer not null,
  event_count integer not null,
  primary key (user_id, id)
);
-- One index for each sort, its id included, so that a deep page is found without touching the rows before it.
create index on traces (user_id, started_at, id);
create index on traces (user_id, status, started_at, id);
create index on traces (user_id, session_id, started_at, id) where session_id is not null;
create index on traces (user_id, total_cost desc nulls last, id);
create index on traces (user_id, total_duration desc nulls last, id);
create index on traces (user_id, total_duration, id);
create index on traces (user_id, created_at);
create index on traces using gin (user_id, name gin_trgm_ops);
create index on traces using gin (user_id, tags);

-- `position` is the place a child had in the payload.
create table spans (
  user_id uuid not null,
  trace_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  parent_span_id text collate "C",
  name text not null,
  type text not null,
  input json,
  output json,
  token_count double precision,
  cost_usd double precision,
  duration_ms double precision,
  status text not null,
  status_message text,
  started_at timestamptz not null,
  ended_at timestamptz,
  metadata json,
  primary key (user_id, trace_id, id)
);

create table decision_points (
  user_id uuid not null,
  trace_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  type text not null,
  reasoning text,
  chosen json,
  alternatives json not null,
  context_snapshot json,
  duration_ms double precision,
  cost_usd double precision,
  parent_span_id text collate "C",
  timestamp timestamptz not null,
  -- what a search looks through: the trace's name, the reasoning and the chosen value's JSON, a line each, in lower case
  search_text text not null,
  primary key (user_id, trace_id, id)
);
create index on decision_points (user_id, timestamp, trace_id, id);
create index on decision_points (user_id, type, timestamp, trace_id, id);
create index on decision_points (user_id, cost_usd desc nulls last, trace_id, id);
create index on decision_points using gin (user_id, search_text gin_trgm_ops);

create table events (
  user_id uuid not null,
  trace_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  span_id text collate "C",
  type text not null,
  name text not null,
  metadata json,
  timestamp timestamptz not null,
  primary key (user_id, trace_id, id)
);

-- Counts kept as traces come and go: counting 100,000 rows for every list would cost more than the list.
create table trace_totals (
  user_id uuid primary key,
  running bigint not null default 0,
  completed bigint not null default 0,
  error bigint not null default 0,
  tool_selection bigint not null default 0,
  routing bigint not null default 0,
  retry bigint not null default 0,
  escalation bigint not null default 0,
  memory_retrieval bigint not null default 0,
  planning bigint not null default 0,
  custom bigint not null default 0,
  -- traces created and deleted on the same UTC day still count towards that day's limit
  deleted_on date,
  deleted_count integer not null default 0
) with (fillfactor = 50);

alter table subscriptions set (fillfactor = 50);

-- lz4 is cheaper than the default where the server was built with it.
do $$
begin
  if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
    alter table traces alter column metadata set compression lz4;
    alter table spans alter column input set compression lz4, alter column output set compression lz4,
      alter column metadata set compression lz4;
    alter table decision_points alter column chosen set compression lz4, alter column alternatives set compression lz4,
      alter column context_snapshot set compression lz4, alter column search_text set compression lz4;
    alter table events alter column metadata set compression lz4;
  end if;
end $$;
