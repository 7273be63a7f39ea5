-- When the subscription was last compared with the provider's, apart from webhooks.
alter table billing_customers add column reconciled_at timestamptz not null default now();

-- The user's newest checkout. Attempts are numbered; the number is part of the idempotency keys at the provider.
create table billing_checkouts (
  user_id uuid primary key references users on delete cascade,
  attempt integer not null default 1,
  -- plan and redirect targets; null if the attempt failed
  fingerprint text,
  started_at timestamptz not null default now()
);

-- Rows stay for a while after the work is done (next_attempt_at is infinity), so that a late payment is noticed.
alter table billing_cancellations add column requested_at timestamptz not null default now();

-- The UTC month that sessions_used counts, for paid plans without a period of the provider.
alter table subscriptions
  add column usage_month date not null default date_trunc('month', now() at time zone 'utc')::date;
