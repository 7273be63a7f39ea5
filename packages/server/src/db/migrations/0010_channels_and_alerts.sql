-- Where messages about issues and alerts go, and their deliveries (channels/).
create table alert_channels (
  workspace_id uuid not null,
  id uuid not null,
  -- webhook, slack, discord, teams, pagerduty, opsgenie
  kind text not null,
  name text not null,
  -- as it is shown: the address of a chat is in secret
  url text not null,
  -- sealed (channels/secret-box.ts)
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
  events text[] not null,
  -- as given; empty: all
  agents text[] not null,
  is_enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  -- attempts that failed since then
  failures integer not null default 0,
  -- the current window of messages to people, and how many were sent in it (channels/sending/choose-deliveries.ts)
  burst_started_at timestamptz,
  burst_count integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (workspace_id, id)
);

create table alert_events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  -- the issue or rule that it is about
  subject text not null,
  -- counts the events of the subject
  sequence integer not null,
  -- in the order of a transaction's events
  at timestamptz not null default clock_timestamp(),
  -- null once erased
  payload jsonb,
  -- a run that the payload names
  trace_id text collate "C",
  primary key (workspace_id, id)
);
create index alert_events_by_trace on alert_events (workspace_id, trace_id) where trace_id is not null;
-- For the sweep.
create index alert_events_by_time on alert_events (at);
create index alert_events_with_payload on alert_events (at) where payload is not null;

create table alert_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  channel_id uuid not null,
  subject text not null,
  sequence integer not null,
  -- waiting, sending, retrying, delivered, failed, dropped
  state text not null default 'waiting',
  attempts integer not null default 0,
  -- while it is sent, the end of the lease; null: it is sent as part of a digest, or never
  next_attempt_at timestamptz,
  -- the body without secrets, written at the first attempt; null once erased
  request text,
  -- people got enough messages: it waits for the digest
  is_held boolean not null default false,
  -- the delivery that carries the digest which this one is part of
  digest_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
create index alert_deliveries_due on alert_deliveries (next_attempt_at)
  where state in ('waiting', 'sending', 'retrying');
create index alert_deliveries_in_order on alert_deliveries (workspace_id, channel_id, subject, sequence)
  where state in ('waiting', 'sending', 'retrying');
create index alert_deliveries_by_channel on alert_deliveries (workspace_id, channel_id, created_at desc, id desc);
create index alert_deliveries_by_event on alert_deliveries (workspace_id, event_id);
create index alert_deliveries_by_digest on alert_deliveries (workspace_id, digest_id) where digest_id is not null;
-- For the sweep.
create index alert_deliveries_by_time on alert_deliveries (created_at);
create index alert_deliveries_with_request on alert_deliveries (created_at) where request is not null;

create table delivery_attempts (
  workspace_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null,
  status integer,
  duration_ms integer not null,
  error text,
  -- the first KiB
  response text,
  address inet,
  primary key (workspace_id, delivery_id, number)
);
create index delivery_attempts_by_time on delivery_attempts (workspace_id, at);
-- For the sweep.
create index on delivery_attempts (at);

-- Conditions on the figures of agents, and when they held (alerts/).
create table alert_rules (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  -- null: all agents
  agent text,
  -- the other fields of the rule
  condition jsonb not null,
  -- ok, firing, no_data
  state text not null default 'no_data',
  reason text,
  value double precision,
  runs bigint not null default 0,
  since timestamptz not null default date_trunc('milliseconds', now()),
  -- since when the condition holds, does not hold, or cannot be checked (alerts/next-state.ts)
  met_since timestamptz,
  clear_since timestamptz,
  few_since timestamptz,
  -- whether the last message said that it fires
  is_announced boolean not null default false,
  notified_at timestamptz,
  muted_until timestamptz,
  -- counts its messages
  sequence integer not null default 0,
  incident_id uuid,
  -- what the past says, computed once an hour
  past jsonb,
  past_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (workspace_id, id)
);
create table alert_incidents (
  workspace_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  peak double precision,
  -- why it ended
  reason text,
  primary key (workspace_id, id)
);
create index alert_incidents_by_start on alert_incidents (workspace_id, started_at desc, id desc);
create index alert_incidents_by_time on alert_incidents (started_at);
create table alert_maintenance (
  workspace_id uuid not null,
  id uuid not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  note text,
  created_by uuid,
  primary key (workspace_id, id)
);
-- Who checks the rules of a workspace, or changes them, locks its row.
create table alert_cursors (
  workspace_id uuid primary key,
  checked_at timestamptz
);
