-- What is kept of spans and log records that came by OpenTelemetry, so that their trace can be derived again when more of
-- them come. Each request that brings some adds a part; of a span that is in several parts, the last one counts.
create table otlp_parts (
  user_id uuid not null,
  trace_id text collate "C" not null,
  part bigint generated always as identity,
  -- Log records came before any span, so there is no trace yet. Deleted after a while.
  is_pending boolean not null default false,
  created_at timestamptz not null default now(),
  facts bytea not null,
  primary key (user_id, trace_id, part)
);
create index on otlp_parts (created_at) where is_pending;
create index on otlp_parts (user_id) where is_pending;

-- Null for a trace of which nothing came by OpenTelemetry.
alter table traces add column merge_state json;
-- Since when a large trace waits to be derived again; null if it does not.
alter table traces add column derive_after timestamptz;

-- A decision that was derived from OpenTelemetry's spans has a hash of what it was derived to.
alter table decision_points add column derived_hash bytea;
alter table decision_points add column is_inferred boolean;
alter table decision_points add column alternatives_known boolean;
