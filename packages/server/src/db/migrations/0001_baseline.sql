-- The schema. Tables come in the order of the slices of the server, each with its indexes.
--
-- Ids that senders choose are compared byte by byte (collate "C"): the same order on every server, and the cheapest one.
-- Tokens and keys are stored as their SHA-256.
-- `workspace_id` is the first column of every primary key and of every index of a table with traces, because a cluster distributes
-- these tables by it (db/distributed-tables.ts).

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- ## db

-- A process does a job while it holds the job's lease, so that several processes do not do the same work. Each lease has its
-- own number.
create table worker_leases (
  job text primary key,
  number bigint not null,
  ends_at timestamptz not null
);

-- ## http

-- One row for each admitted call. `key` is a hash, so that no address is stored.
create table rate_limit_hits (
  key bytea not null,
  hit_at timestamptz not null,
  expires_at timestamptz not null
);
create index on rate_limit_hits (key, hit_at);
create index on rate_limit_hits (expires_at);

-- ## mail

create table mail_outbox (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  -- null once sent: bodies contain tokens
  text_body text,
  html_body text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- after this the mail is useless and is dropped unsent
  expires_at timestamptz not null,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index on mail_outbox (next_attempt_at) where sent_at is null;
create index on mail_outbox (sent_at) where sent_at is not null;

-- ## auth: people and how they sign in

create table users (
  id uuid primary key default gen_random_uuid(),
  -- lower case: addresses are compared case-insensitively
  email text not null unique,
  name text,
  password_hash text not null,
  -- The address was verified in a browser without a session of the account, so somebody else may have chosen the password.
  -- True until the next reset.
  is_password_unproven boolean not null default false,
  email_verified_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sessions (user_id);
create index on sessions (expires_at);

-- Browsers in which a user has signed in.
create table devices (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  last_used_at timestamptz not null default now()
);
create index on devices (user_id, last_used_at);
create index on devices (last_used_at);

create table email_verification_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on email_verification_tokens (user_id);
create index on email_verification_tokens (expires_at);

create table password_reset_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on password_reset_tokens (user_id);
create index on password_reset_tokens (expires_at);

-- Made by whoever can reach the database, used once: `whytrace dev` and `whytrace admin link`.
create table sign_in_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index on sign_in_tokens (user_id);
create index on sign_in_tokens (expires_at);

-- ## workspaces

-- A workspace owns traces, plan, usage, keys and everything else that is recorded or set. Its id is never the id of a user.
create table workspaces (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default date_trunc('milliseconds', now())
);

create table memberships (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  role text not null check (role in ('owner')),
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id)
);
create index on memberships (workspace_id);

-- ## billing

-- Plan and usage. Every change of traces locks this row until it ends.
create table subscriptions (
  workspace_id uuid primary key references workspaces on delete cascade,
  tier text not null default 'FREE' check (tier in ('FREE', 'STARTER', 'PRO')),
  -- Null if the plan never changed. The retention of a new plan applies a week after the change.
  tier_changed_at timestamptz,
  sessions_limit integer not null,
  sessions_used integer not null default 0,
  -- the UTC month that sessions_used counts, for paid plans without a period of the provider
  usage_month date not null default date_trunc('month', now() at time zone 'utc')::date,
  -- for how many days traces are kept; null: as long as plan and installation allow
  retention_days integer check (retention_days > 0),
  -- what the payment provider says about the subscription; null while there is none
  provider_subscription_id text,
  provider_price_id text,
  provider_status text,
  period_start timestamptz,
  period_end timestamptz
) with (fillfactor = 50);

-- The provider's customer. A table of its own, so that reading the provider never locks the row on which ingest counts.
create table billing_customers (
  workspace_id uuid primary key references workspaces on delete cascade,
  customer_id text not null unique,
  -- Reads of the provider are numbered when they begin. One that a later one has overtaken is not applied.
  reading integer not null default 0,
  applied_reading integer not null default 0,
  -- when the subscription was last compared with the provider's, apart from webhooks
  reconciled_at timestamptz not null default now()
);

-- The newest checkout. Attempts are numbered; the number is part of the idempotency keys at the provider.
create table billing_checkouts (
  workspace_id uuid primary key references workspaces on delete cascade,
  attempt integer not null default 1,
  -- plan and redirect targets; null if the attempt failed
  fingerprint text,
  started_at timestamptz not null default now()
);

-- Webhooks that were applied.
create table billing_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index on billing_events (received_at);

-- Customers whose account is deleted and whose subscriptions have to be cancelled at the provider. Rows stay for a while
-- after that (next_attempt_at is infinity), so that a late payment is noticed.
create table billing_cancellations (
  customer_id text primary key,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  requested_at timestamptz not null default now()
);

-- ## api-keys

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- the first characters, by which a person recognises the key
  prefix text not null,
  key_hash bytea not null unique,
  -- 8 bytes by which the feedback tokens of the key name it
  feedback_ref bytea not null unique,
  scope text not null default 'send' check (scope in ('send', 'read', 'review')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index on api_keys (workspace_id, created_at);

-- ## prices

-- Prices that were set, in US dollars per million tokens. They take precedence over the price list.
create table price_rules (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- the name of a model, or the beginning of names followed by an asterisk; in lower case
  model text not null,
  input_usd double precision not null,
  output_usd double precision not null,
  -- null: the price of input
  cache_read_usd double precision,
  cache_write_usd double precision,
  -- null: always
  valid_from timestamptz,
  created_at timestamptz not null default now(),
  unique nulls not distinct (workspace_id, model, valid_from)
);

-- ## trace-store: traces, what belongs to them, and what is counted of them

-- Whose a trace id is: ids are unique on a server, not only within a workspace.
create table trace_owners (
  trace_id text collate "C" primary key,
  workspace_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index on trace_owners (workspace_id);

-- By default a fifth of a table has to be dead before its space is used again. Retention deletes as much as arrives, so
-- that would be a fifth of all disk space: hence the scale factor of this table and of those below.
create table traces (
  workspace_id uuid not null,
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
  -- exactly the millisecond that responses show, so that inclusive limits hold
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  span_count integer not null,
  decision_point_count integer not null,
  event_count integer not null,

  -- What lists are filtered by (trace-store/rows/trace-facts.ts).
  -- spans that failed
  error_count integer not null default 0,
  -- the types of the decision points, a bit each, in the order of the contract's list
  decision_types integer not null default 0,
  -- top-level values of the metadata (trace-store/rows/metadata-pairs.ts); null if there are none
  metadata_pairs text[],
  -- of the service that sent the trace by OpenTelemetry: its release, if the tags name none
  service_version text,

  -- The models that the trace called, what each of them used and cost, and whether total_cost was derived from the costs of
  -- spans instead of sent.
  models text[],
  model_costs jsonb,
  is_cost_derived boolean,

  -- of the masked name
  agent_hash bigint,
  -- What insights count (decision-facts/decision-facts.ts). Null: no decisions, or not computed yet.
  decision_facts bytea,
  -- the first 64 choices, 4 bytes each: sorted by this, neighbours share the longest beginning
  decision_path bytea,

  -- A hash of the trace's manifest, which is valid only if it has this hash. Null if there is none.
  manifest_hash bytea,

  -- Null for a trace of which nothing came by OpenTelemetry.
  merge_state json,
  -- since when a large trace waits to be derived again; null if it does not
  derive_after timestamptz,

  -- How the run is judged (outcomes/judge-run.ts): 0 good, 1 bad, 2 unknown, 3 open; what else is known, a bit each; and by which
  -- definition: 0 built in, the version of the workspace's, or that of the agent's own as a negative number
  outcome smallint not null default 0,
  outcome_flags smallint not null default 0,
  definition integer not null default 0,
  -- where inside a bad run the bad thing was (outcomes/marks.ts); null for most
  marks bytea,
  score_count integer not null default 0,

  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- One index for each sort, with the columns by which lists are filtered, so that a page deep in a filtered list is found in
-- the index alone. The first one also has what charts sum up.
create index traces_by_start on traces (workspace_id, started_at, id)
  include (status, created_at, total_cost, total_tokens, total_duration, error_count, decision_types, agent_hash, outcome);
create index traces_costliest on traces (workspace_id, total_cost desc nulls last, id) include (status, created_at);
create index traces_longest on traces (workspace_id, total_duration desc nulls last, id) include (status, created_at);
create index traces_shortest on traces (workspace_id, total_duration, id) include (status, created_at);
create index on traces (workspace_id, status, started_at, id);
create index on traces (workspace_id, session_id, started_at, id) where session_id is not null;
-- The traces of a UTC day, for limits and retention.
create index on traces (workspace_id, created_at);
create index on traces using gin (workspace_id, name gin_trgm_ops);
create index on traces using gin (workspace_id, tags);
create index traces_by_model on traces using gin (workspace_id, models) where models is not null;
create index traces_by_metadata on traces using gin (workspace_id, metadata_pairs) where metadata_pairs is not null;
-- The good runs of an agent whose decisions are most similar to those of a run.
create index traces_by_path on traces (workspace_id, agent_hash, decision_path)
  where status = 'COMPLETED' and outcome = 0 and decision_path is not null;
create index traces_derive_after on traces (derive_after) where derive_after is not null;
-- The traces whose facts are missing or of an earlier version (trace-store/maintain/backfill-facts.ts). Empty once all are computed; a
-- new version of the facts needs a new index.
create index traces_without_facts on traces (workspace_id, started_at, id)
  where decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < 2);

-- `position` is the place that the child had in the request, here and in the tables of the other children. By it the child's
-- payloads are found in trace_payloads.
create table spans (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  parent_span_id text collate "C",
  name text not null,
  type text not null,
  token_count double precision,
  cost_usd double precision,
  duration_ms double precision,
  status text not null,
  status_message text,
  started_at timestamptz not null,
  ended_at timestamptz,

  -- What the span says about the model that it called. Null if it called none.
  model text,
  input_tokens double precision,
  cache_read_tokens double precision,
  cache_write_tokens double precision,
  output_tokens double precision,
  reasoning_tokens double precision,
  -- where cost_usd comes from: 'sent', 'rule:' and the pattern of a price rule, or provider and model of the price list
  price_source text,

  primary key (workspace_id, trace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- The charts of errors.
create index on spans (workspace_id, started_at) where status = 'ERROR';

create table decision_points (
  workspace_id uuid not null,
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

  -- the trace's name, the reasoning and the chosen value's JSON, a line each, in lower case
  search_text text not null,
  -- the name of what was chosen, by which choices are counted; null if nothing was chosen
  choice text collate "C",

  -- Of a decision that was derived from spans of OpenTelemetry: a hash of the derived decision, whether it was inferred, and
  -- whether all alternatives are known.
  derived_hash bytea,
  is_inferred boolean,
  alternatives_known boolean,

  primary key (workspace_id, trace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index on decision_points (workspace_id, timestamp, trace_id, id);
create index on decision_points (workspace_id, type, timestamp, trace_id, id);
create index decision_points_costliest on decision_points (workspace_id, cost_usd desc nulls last, trace_id, id)
  include (type);
create index on decision_points using gin (workspace_id, search_text gin_trgm_ops);
-- The statistics of choices.
create index on decision_points (workspace_id, type, choice, timestamp) where choice is not null;

create table events (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  span_id text collate "C",
  type text not null,
  name text not null,
  timestamp timestamptz not null,
  primary key (workspace_id, trace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- The charts of errors.
create index on events (workspace_id, timestamp) where type = 'ERROR';

-- The payloads of a trace's spans and events, compressed together: a trace repeats itself, and only one frame over all of
-- its payloads can use that. A part holds about 1 MiB of JSON; `directory` says which payloads it holds, and where.
create table trace_payloads (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  part integer not null,
  directory bytea not null,
  bytes bytea not null,
  primary key (workspace_id, trace_id, part)
) with (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
alter table trace_payloads alter column bytes set storage external;

-- Of a running trace, which will be sent again: a hash of each child's row, so that only what changed is written. Valid only
-- with the hash in `traces`.
create table trace_manifests (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  hashes bytea not null,
  primary key (workspace_id, trace_id)
);
alter table trace_manifests alter column hashes set storage external;

-- What is kept of spans and log records that came by OpenTelemetry, so that their trace can be derived again when more of
-- them come. Each request that brings some adds a part; of a span that is in several parts, the last one counts.
create table otlp_parts (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  part bigint generated always as identity,
  -- Log records came before any span, so there is no trace yet. Deleted after a while.
  is_pending boolean not null default false,
  created_at timestamptz not null default now(),
  facts bytea not null,
  primary key (workspace_id, trace_id, part)
) with (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
create index on otlp_parts (created_at) where is_pending;
create index on otlp_parts (workspace_id) where is_pending;
-- Larger parts are compressed before they are stored; PostgreSQL's own compression of the others takes longer than all the
-- rest of storing them.
alter table otlp_parts alter column facts set storage external;

-- Counts that change with the traces: counting 100,000 rows for every list would take longer than the list.
create table trace_totals (
  workspace_id uuid primary key,
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
  -- Traces created and deleted on the same UTC day still count towards that day's limit.
  deleted_on date,
  deleted_count integer not null default 0,
  -- increases with every change of traces: what was counted at a version is right until the next one
  version bigint not null default 0
) with (fillfactor = 50);

-- What happened to traces, in the order of commits. The position is the version of trace_totals after the change, taken
-- under the lock on the subscription that every change of traces holds until it ends. The last few hundred of a workspace stay.
create table trace_changes (
  workspace_id uuid not null,
  position bigint not null,
  changed_at timestamptz not null default now(),
  -- null: too many traces at once to name them
  traces json,
  primary key (workspace_id, position)
);

-- The session ids of traces and when each session was last active: grouping all traces for every page of sessions would take
-- longer with every trace.
create table agent_sessions (
  workspace_id uuid not null,
  session_id text collate "C" not null,
  last_started_at timestamptz not null,
  primary key (workspace_id, session_id)
);
create index on agent_sessions (workspace_id, last_started_at, session_id);

-- The facts of traces that started on a day (UTC), added up.
create table decision_days (
  workspace_id uuid not null,
  day date not null,
  -- version of trace_totals at the last change of a trace of this day
  changed bigint not null,
  -- version at which the figures below were added up; they are valid if nothing changed since
  added bigint not null default -1,
  choices bytea,
  transitions bytea,
  errors bytea,
  primary key (workspace_id, day)
) with (fillfactor = 50);
-- The days that a worker adds up, of all workspaces. The day never changes, so updates of rows stay cheap.
create index decision_days_by_day on decision_days (day);

-- ## verdicts, scores, insights

-- What a person says about a decision.
create table verdicts (
  workspace_id uuid not null,
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
  primary key (workspace_id, trace_id, decision_point_id)
);
create index on verdicts (workspace_id, signature, step);
create index on verdicts (workspace_id, created_at);

-- One judgement of a run, a span or a decision. It may come before its trace and then waits.
create table scores (
  workspace_id uuid not null,
  id text collate "C" not null,
  trace_id text collate "C" not null,
  -- At most one of them is set; without one, the score is about the run.
  span_id text collate "C",
  decision_point_id text collate "C",
  name text collate "C" not null,
  -- 0 user, 1 judge, 2 code, 3 person
  source smallint not null,
  author text collate "C" not null default '',
  -- 0 number, 1 boolean, 2 label
  kind smallint not null,
  -- booleans as 0 and 1; null for a label
  number double precision,
  -- the value of a label, or what a number means in words
  label text,
  comment text,
  metadata json,
  timestamp timestamptz not null,
  -- of the fields that were sent. Of two scores with one id, the later pair of timestamp and digest stands.
  digest bigint not null,
  -- 0 sent, 1 part of a trace of OpenTelemetry, 2 part of an event
  origin smallint not null,
  is_waiting boolean not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index on scores (workspace_id, trace_id);
create index on scores (workspace_id, timestamp, id);
create index scores_by_name on scores (workspace_id, name, timestamp, id) include (source, kind, number, trace_id);
create index scores_waiting on scores (workspace_id, trace_id) where is_waiting;
create index scores_waiting_since on scores (created_at) where is_waiting;

-- What counts as bad for the runs of an agent, or of all agents without one of their own (agent_hash 0). The newest version is in
-- force; the others stay, because runs were judged by them.
create table outcome_definitions (
  workspace_id uuid not null,
  agent_hash bigint not null,
  version integer not null,
  -- the masked name of the agent's traces; null for the workspace's own
  agent text,
  bad json not null,
  note text,
  -- the definition was taken back with this version
  is_deleted boolean not null default false,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, agent_hash, version)
);

-- How far stored runs are judged again by a new version, from the newest run on (agent_hash 0: the runs of all agents).
create table outcome_jobs (
  workspace_id uuid not null,
  agent_hash bigint not null,
  -- of the last run that was judged; null: none yet
  started_at timestamptz,
  trace_id text collate "C",
  left_count integer not null,
  -- when the definition changed, and when the worker goes on
  requested_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  primary key (workspace_id, agent_hash)
);

-- Decision contracts: checked by GET /api/insights/drift.
create table decision_rules (
  workspace_id uuid not null,
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
  primary key (workspace_id, id)
);

-- Decisions that were set aside in the list of insights, because the request decides them.
create table decisions_set_aside (
  workspace_id uuid not null,
  signature bigint not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, signature)
);

-- ## shares

-- Links to single traces. They are found by their secret alone, so the table is not distributed.
create table trace_shares (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
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
create index on trace_shares (workspace_id, created_at);
create index on trace_shares (expires_at);

-- ## saved-views

-- Filters of a list that have a name: the search parameters of its page.
create table saved_views (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  query text not null,
  -- At most one of a workspace is.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- ## account-data

-- Workspaces that are deleted and whose traces are still being deleted. One process works on a deletion at a time: it moves
-- next_attempt_at into the future, and back when it stops.
create table workspace_deletions (
  workspace_id uuid primary key,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  requested_at timestamptz not null default now()
);

-- lz4 is cheaper than the default compression. Not every build of PostgreSQL has it.
do $$
begin
  if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
    alter table traces alter column metadata set compression lz4;
    alter table decision_points alter column chosen set compression lz4, alter column alternatives set compression lz4,
      alter column context_snapshot set compression lz4, alter column search_text set compression lz4;
  end if;
end $$;
