-- What a span says about the model it called. Null in rows of a previous version, and if the span called none.
alter table spans
  add column model text,
  add column input_tokens double precision,
  add column cache_read_tokens double precision,
  add column cache_write_tokens double precision,
  add column output_tokens double precision,
  add column reasoning_tokens double precision,
  -- Where cost_usd comes from: 'sent', 'rule:' and the pattern of a price rule, or the provider and model of the price list.
  add column price_source text;

-- The models that a trace called, for the filter, and what each of them used and cost, for statistics.
alter table traces
  add column models text[],
  add column model_costs jsonb,
  -- True if total_cost was not sent but is derived from the costs of spans.
  add column is_cost_derived boolean;

-- Prices that a user set, in US dollars per million tokens. They take precedence over the price list.
create table price_rules (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- The name of a model, or the beginning of names followed by an asterisk; in lower case.
  model text not null,
  input_usd double precision not null,
  output_usd double precision not null,
  -- Null means the price of input.
  cache_read_usd double precision,
  cache_write_usd double precision,
  -- Null means always.
  valid_from timestamptz,
  created_at timestamptz not null default now(),
  unique nulls not distinct (user_id, model, valid_from)
);
