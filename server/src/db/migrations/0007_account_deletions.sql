-- Accounts whose traces are still being removed: the account itself is gone, and whoever finds a row here goes on.
create table account_deletions (
  user_id uuid primary key,
  requested_at timestamptz not null default now()
);
