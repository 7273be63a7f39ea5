-- What the payment provider says of a user's subscription; null while there is none.
alter table subscriptions
  add column provider_subscription_id text,
  add column provider_price_id text,
  add column provider_status text,
  add column period_start timestamptz,
  add column period_end timestamptz;

-- The provider's customer of a user. A lock of its own: reading the provider never holds up the row that ingest counts on.
create table billing_customers (
  user_id uuid primary key references users on delete cascade,
  customer_id text not null unique,
  -- readings of the provider are numbered as they begin; one that a later one has overtaken is not applied
  reading integer not null default 0,
  applied_reading integer not null default 0
);

-- Deliveries that have had their effect.
create table billing_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index on billing_events (received_at);

-- Customers whose account is gone and whose subscriptions have still to be ended at the provider.
create table billing_cancellations (
  customer_id text primary key,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
